import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from './support/answers.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { addMember, newUser, type TestUser } from './support/people.ts';
import { statementsOf } from './support/statements.ts';
import { workspace, type Workspace } from './support/workspace.ts';

/** Who is a member of what, and who may say so, as a dashboard asks it. */

let gateway: TestGateway;
let make: Workspace;
const people: Record<string, TestUser> = {};

beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  for (const name of ['olga', 'oscar', 'mia', 'dan', 'gina', 'rosa', 'zoe']) people[name] = await newUser(gateway, name);
  await make.group('firm');
  await make.group('firm/team');
  await make.project('firm/team/shop');
  await addMember(gateway, people.olga!, 'OWNER', { group: 'firm' });
  await addMember(gateway, people.mia!, 'MAINTAINER', { group: 'firm/team' });
  await addMember(gateway, people.dan!, 'DEVELOPER', { group: 'firm' });
  await addMember(gateway, people.gina!, 'GUEST', { project: 'firm/team/shop' });
});

interface Listed {
  readonly user: { readonly username: string };
  readonly accessLevel: string;
  readonly expiresAt: string | null;
  readonly sourceGroup: { readonly fullPath: string } | null;
  readonly sourceProject: { readonly fullPath: string } | null;
}
const fields = 'user { username } accessLevel expiresAt sourceGroup { fullPath } sourceProject { fullPath }';

const list = async (args: string, token?: string) => {
  const { members } = dataOf(await gateway.graphql<{ members: { nodes: Listed[] } }>(`{ members(${args}) { nodes { ${fields} } } }`, { token }));
  return members.nodes.map((one) => `${one.user.username} ${one.accessLevel} ${one.sourceGroup?.fullPath ?? one.sourceProject?.fullPath ?? 'out of sight'}`);
};

const change = (mutation: string, input: Record<string, unknown>, token: string | undefined) =>
  gateway.graphql<Record<string, Record<string, unknown>>>(
    `mutation ($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${mutation === 'addMembers' ? 'members' : 'member'} { ${fields} } } }`,
    { variables: { input }, token },
  );

describe('a list of members', () => {
  test('holds those of the place itself', async () => {
    expect(await list('group: "firm"', people.olga!.token)).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
    expect(await list('project: "firm/team/shop"', people.olga!.token)).toEqual(['gina GUEST firm/team/shop']);
  });

  test('holds inherited ones too where that is asked for, each person once with the highest role', async () => {
    await addMember(gateway, people.dan!, 'MAINTAINER', { group: 'firm/team' });
    expect(await list('project: "firm/team/shop", inherited: true', people.olga!.token)).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan MAINTAINER firm/team',
      'gina GUEST firm/team/shop',
    ]);
  });
});
