import { beforeAll, beforeEach, expect } from 'vitest';
import { dataOf } from '../requests/answers.ts';
import { testGateway, type TestGateway } from '../gateway.ts';
import { newUser, type TestUser } from './people.ts';
import { workspace, type Workspace } from './workspace.ts';

/** A membership as the queries here show it. */
export interface Listed {
  readonly id: string;
  readonly user: { readonly username: string };
  readonly accessLevel: { readonly integerValue: number; readonly stringValue: string };
  readonly group?: { readonly fullPath: string };
  readonly project?: { readonly fullPath: string };
}

const common = 'id user { username } accessLevel { integerValue stringValue } createdAt expiresAt';
/** Fields of a membership of a group, of a project, and of any. */
export const ofGroup = `${common} group { fullPath }`;
export const ofProject = `${common} project { fullPath }`;
export const fields = `${common} ... on GroupMember { group { fullPath } } ... on ProjectMember { project { fullPath } }`;

/** `olga OWNER firm` */
export const inShort = (one: Listed): string =>
  `${one.user.username} ${one.accessLevel.stringValue} ${one.group?.fullPath ?? one.project?.fullPath}`;

type Change = 'addMembers' | 'updateMember' | 'removeMember';

/**
 * A gateway with a firm: Olga owns it, Mia maintains its team, Dan is a developer of the firm, Gina a guest of the team's
 * shop, Zoe nothing. The firm's site is public. Each test starts with these members.
 */
export interface Firm {
  gateway: TestGateway;
  make: Workspace;
  people: Record<string, TestUser>;
  /** Ids of the groups `firm` and `team`, and of the projects `shop` and `site`. */
  ids: Record<string, string>;
  /** The id of a person. */
  id(name: string): string;
  /** The members that the list at the root has for some arguments. */
  list(args: string, who?: string): Promise<string[]>;
  /** The data of a query as a person sees it, or without a credential. */
  seen<Data>(query: string, who?: string | null): Promise<Data>;
  change(mutation: Change, input: Record<string, unknown>, who?: string): ReturnType<typeof changeIn>;
}

const changeIn = (gateway: TestGateway, token: string, mutation: Change, input: Record<string, unknown>) =>
  gateway.graphql<Record<Change, { member: Listed; members: Listed[]; errors: string[] }>>(
    `mutation ($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { ${mutation === 'addMembers' ? 'members' : 'member'} { ${fields} } errors }
    }`,
    { variables: { input }, token },
  );

/** What is wrong with the input of a refused mutation. */
export function complaints(answer: Awaited<ReturnType<Firm['change']>>): string[] {
  const [{ errors, ...records }] = Object.values(dataOf(answer)) as [
    { errors: string[]; member?: Listed; members?: Listed[] },
  ];
  expect(Object.values(records)).toEqual([null]);
  return errors;
}

/** Makes the firm before the tests of a file. */
export function useFirm(): Firm {
  const people: Firm['people'] = {};
  const ids: Firm['ids'] = {};
  const tokenOf = (who: string) => people[who]!.token;
  const id = (name: string) => people[name]!.id;
  const firm: Omit<Firm, 'gateway' | 'make'> & Partial<Firm> = {
    people,
    ids,
    id,
    async list(args, who = 'olga') {
      const { members } = await firm.seen<{ members: { nodes: Listed[] } }>(
        `{ members(${args}) { nodes { ${fields} } } }`,
        who,
      );
      return members.nodes.map(inShort);
    },
    seen: async <Data>(query: string, who: string | null = 'olga') =>
      dataOf(await firm.gateway!.graphql<Data>(query, who === null ? {} : { token: tokenOf(who) })),
    change: (mutation, input, who = 'olga') => changeIn(firm.gateway!, tokenOf(who), mutation, input),
  };

  beforeAll(async () => {
    const gateway = await testGateway();
    const make = workspace(gateway);
    Object.assign(firm, { gateway, make });
    for (const name of ['olga', 'mia', 'dan', 'gina', 'zoe']) people[name] = await newUser(gateway, name);
    ids.firm = await make.group('firm');
    ids.team = await make.group('firm/team');
    ids.shop = await make.project('firm/team/shop');
    ids.site = await make.project('firm/site', 'PUBLIC');
  });

  beforeEach(async () => {
    const { sql } = firm.gateway!;
    await sql('delete from group_members where group_id in ($1, $2)', [ids.firm, ids.team]);
    await sql('delete from project_members where project_id in ($1, $2)', [ids.shop, ids.site]);
    await sql(
      'insert into group_members (user_id, group_id, access_level) values ($1, $4, 50), ($2, $5, 40), ($3, $4, 30)',
      [id('olga'), id('mia'), id('dan'), ids.firm, ids.team],
    );
    await sql('insert into project_members (user_id, project_id, access_level) values ($1, $2, 10)', [
      id('gina'),
      ids.shop,
    ]);
  });
  return firm as Firm;
}
