import type { TestGateway } from '../gateway.ts';

export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** A personal access token with the scope `api`. */
  readonly token: string;
}

/** Creates a user without memberships. */
export async function newUser(
  gateway: TestGateway,
  username: string,
  more: { tier?: 'FREE' | 'PREMIUM'; administrator?: boolean; password?: string } = {},
): Promise<TestUser> {
  const email = `${username}@example.com`;
  const { createUser } = await gateway.operator<{ createUser: { user: { id: number } } }>(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id: databaseId } } }',
    { input: { username, name: username, email, emailVerified: true, ...more } },
  );
  return { id: String(createUser.user.id), username, email, token: await gateway.personalToken(username, ['api']) };
}

/** Makes a user a member of a group or a project. */
export async function addMember(
  gateway: TestGateway,
  user: Pick<TestUser, 'id'>,
  accessLevel: 'GUEST' | 'PLANNER' | 'REPORTER' | 'DEVELOPER' | 'MAINTAINER' | 'OWNER',
  place: { group: string } | { project: string },
): Promise<void> {
  await gateway.operator(
    'mutation ($input: AddMembersInput!) { addMembers(input: $input) { members { databaseId } } }',
    {
      input: { userIds: [user.id], accessLevel, ...place },
    },
  );
}

/** Adds an e-mail address to a user. */
export async function addEmail(
  gateway: TestGateway,
  user: TestUser,
  address: string,
  verified: boolean,
): Promise<void> {
  await gateway.operator('mutation ($input: AddEmailInput!) { addEmail(input: $input) { email { email } } }', {
    input: { userId: user.id, email: address, verified },
  });
}
