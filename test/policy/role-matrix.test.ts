import { beforeAll, describe, expect, test } from 'vitest';
import * as policy from '../../src/policy/index.ts';
import { holds, roles, type Condition, type Facts, type Scope, type Viewer } from '../../src/policy/index.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { runs } from '../support/run/runs.ts';
import { workspace } from '../support/places/workspace.ts';
import type { Action, Answered, Ids } from './actions/action.ts';
import { actionsOfPlaces } from './actions/of-places.ts';
import { actionsOfRepositories } from './actions/of-repositories.ts';

/**
 * The permission matrix: every action by every role at every visibility, through both doors by turns.
 * The expected results come from the policies themselves.
 */

const visibilities = ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const;
type Visibility = (typeof visibilities)[number];

/**
 * A person with a role by what it is called, others by what they are; some with a token that may only read. The one by a
 * share owns a group that the places are shared with at a lower level.
 */
const callers = [
  'anonymous',
  'outsider',
  ...(Object.keys(roles) as (keyof typeof roles)[]),
  'maintainer by a share',
  'administrator',
  'owner who may only read',
  'owner who may only read people',
] as const;
type Caller = (typeof callers)[number];

const actions = [...actionsOfRepositories, ...actionsOfPlaces];

let gateway: TestGateway;
const tokens: Partial<Record<Caller, string>> = {};
const places: Partial<Record<Visibility, { group: string; project: string }>> = {};
let victims = 0;

beforeAll(async () => {
  gateway = await testGateway();
  const make = workspace(gateway);
  const memberships = Object.entries(roles) as [keyof typeof roles, number][];
  for (const visibility of visibilities) {
    const path = `place-${visibility.toLowerCase()}`;
    places[visibility] = {
      group: await make.group(path, visibility),
      project: await make.project(`${path}/project`, visibility),
    };
  }
  // By a person who asks for nothing here.
  const { id: author } = await newUser(gateway, 'the-author');
  await gateway.sql(
    `insert into issues (project_id, iid, title, author_id, confidential)
     select p.id, iid, 'An issue', $1::int, iid = 1 from projects p, generate_series(1, 2) iid where p.full_path like 'place-%'`,
    [author],
  );
  for (const [role, level] of memberships) {
    const { id, token } = await newUser(gateway, `the-${role}`);
    tokens[role] = token;
    await gateway.sql(
      `insert into group_members (user_id, group_id, access_level) select $1, id, $2 from namespaces where full_path like 'place-%'`,
      [id, level],
    );
  }
  const invited = await make.group('invited');
  const sharer = await newUser(gateway, 'the-sharer');
  tokens['maintainer by a share'] = sharer.token;
  await gateway.sql('insert into group_members (user_id, group_id, access_level) values ($1, $2, 50)', [
    sharer.id,
    invited,
  ]);
  await gateway.sql(
    `insert into group_shares (group_id, invited_group_id, access_level) select id, $1, 40 from namespaces where full_path like 'place-%'`,
    [invited],
  );
  tokens.outsider = await make.user('the-outsider');
  await gateway.sql(`update users set tier = 'PREMIUM'`);
  tokens.administrator = gateway.tokens.root;
  tokens['owner who may only read'] = await gateway.personalToken('the-owner', ['read_api']);
  tokens['owner who may only read people'] = await gateway.personalToken('the-owner', ['read_user']);
});

const scopesOf = (caller: Caller): Scope[] =>
  caller.endsWith('read') ? ['read_api'] : caller.endsWith('people') ? ['read_user'] : ['api'];
const roleOf = (caller: Caller) => roles[caller.split(' ')[0] as keyof typeof roles] as number | undefined;

const viewerOf = (caller: Caller): Viewer =>
  caller === 'anonymous'
    ? policy.anonymous
    : {
        person: { id: 1, username: caller, administrator: caller === 'administrator', premium: true, external: false },
        credential: { kind: 'personal', tokenId: 1, scopes: scopesOf(caller) },
      };
const factsOf = (caller: Caller, visibility: Visibility): Facts => ({
  visibility,
  accessLevel: roleOf(caller) ?? 0,
  // Somebody else’s.
  issue: { authorId: 0, assigneeId: null, confidential: true },
  levels: {
    issues: 'enabled',
    mergeRequests: 'enabled',
    snippets: 'enabled',
    repository: 'enabled',
    builds: 'enabled',
    environments: 'enabled',
  },
  publicJobs: true,
});

/** What the policies say of a caller, and of the door before them. */
function expected(
  { rule, writes, anonymous, passes, refused, hidden }: Action,
  caller: Caller,
  visibility: Visibility,
  of: 'group' | 'project',
): Answered {
  if (caller === 'anonymous' && !anonymous) return [401, 'UNAUTHENTICATED'];
  const viewer = viewerOf(caller);
  const accepted = writes ? policy.writes : policy.reads;
  if (caller !== 'anonymous' && !accepted.some((scope) => scopesOf(caller).includes(scope)))
    return [403, 'INSUFFICIENT_SCOPE'];
  const facts = factsOf(caller, visibility);
  if (!holds(policy.seePlace, viewer, facts)) return hidden ?? [404, 'NOT_FOUND', of === 'group' ? 'Group' : 'Project'];
  return holds(rule, viewer, facts) ? passes : (refused ?? [403, 'FORBIDDEN']);
}

/** A group below, in which everyone is what they are above. */
async function newVictim(visibility: Visibility, destroys: boolean): Promise<string> {
  if (!destroys) return '0';
  const { createGroup } = await gateway.operator<{ createGroup: { group: { id: number } } }>(
    'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id: databaseId } } }',
    {
      input: {
        parent: places[visibility]!.group,
        name: 'v',
        path: `victim${victims++}`,
        visibility: visibility.toLowerCase(),
      },
    },
  );
  return String(createGroup.group.id);
}

const codes: Record<number, string> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
};

async function overRest(action: Action, ids: Ids, caller: Caller): Promise<Answered> {
  const [method, path, json] = action.rest(ids);
  const { status, body } = await gateway.rest(method, `/api/v4${path}`, {
    token: tokens[caller],
    ...(json && { json }),
  });
  const code =
    (body as { error?: string } | null)?.error === 'insufficient_scope' ? 'INSUFFICIENT_SCOPE' : codes[status];
  const said = (body as { message?: unknown } | null)?.message;
  if (status === 400)
    return [
      status,
      code,
      typeof said === 'string'
        ? /\{:(\w+)/.exec(said)?.[1]
        : // Of deploy keys, clients know the fields with their record before them.
          Object.keys(said as object)[0]?.replace(/^deploy_key\./, ''),
    ];
  // Of some records it says no more than that they aren't there.
  return status === 404 ? [status, code, /^404 (.+) Not Found$/.exec(String(said))?.[1] ?? 'record'] : [status, code];
}

async function overGraphQL(action: Action, ids: Ids, caller: Caller): Promise<Answered> {
  const query = action.graphql(ids).replace(/\}\) \{/, '}) { errors');
  const { data, errors } = await gateway.graphql<Record<string, { errors?: string[] } | null>>(query, {
    token: tokens[caller],
  });
  const [problem] = Object.values(data ?? {})[0]?.errors ?? [];
  if (problem) return [400, 'INVALID_INPUT', problem.split(' ')[0]!.toLowerCase()];
  // A look-up by name that finds nothing says so with null.
  if (!errors) return Object.values(data!)[0] === null ? [404, 'NOT_FOUND', 'Group'] : [action.passes[0], undefined];
  const { code, subject, field } = errors[0]!.extensions as { code: string; subject?: string; field?: string };
  const status = Number(Object.entries(codes).find(([, one]) => one === code)?.[0] ?? 403);
  const about =
    subject !== undefined && ['Member', 'AccessRequest', 'Fork', 'Milestone', 'Trigger'].includes(subject)
      ? 'record'
      : (subject ?? field);
  return about === undefined ? [status, code] : [status, code, about];
}

const doors = [
  ['REST', overRest],
  ['GraphQL', overGraphQL],
] as const;

/** Each caller takes the doors in turn, from one visibility to the next; both each time in the long run. */
const doorsOf = (turn: number) => (runs > 1 ? doors : [doors[turn % doors.length]!]);

describe.each(actions.map((action) => [action.name, action] as const))('to %s', (_name, action) => {
  test.each(visibilities)('%s, is for those whom its policy lets, through both doors', async (visibility) => {
    const said: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const caller of callers) {
      const answer = expected(action, caller, visibility, action.of);
      const passes = answer === action.passes;
      for (const [door, ask] of doorsOf(callers.indexOf(caller) + visibilities.indexOf(visibility))) {
        // Only who may remove it needs one of their own.
        const ids = {
          ...places[visibility]!,
          victim:
            action.destroys && !passes
              ? places[visibility]!.group
              : await newVictim(visibility, action.destroys ?? false),
        };
        said[`${caller} over ${door}`] = await ask(action, ids, caller);
        wanted[`${caller} over ${door}`] = answer;
      }
    }
    expect(said).toEqual(wanted);
  });
});

test.each(visibilities)('userPermissions of a %s project say what these policies let', async (visibility) => {
  // An action above archived it, and no one writes to an archived one.
  await gateway.sql('update projects set archived = false where id = $1', [places[visibility]!.project]);
  const rules = { adminProject: policy.editProject, downloadCode: policy.downloadCode, pushCode: policy.pushCode };
  for (const caller of callers) {
    const { data } = await gateway.graphql<{ project: { userPermissions: object } | null }>(
      `query ($id: ID!) { project(fullPath: $id) { userPermissions { ${Object.keys(rules).join(' ')} } } }`,
      { token: tokens[caller], variables: { id: places[visibility]!.project } },
    );
    const facts = factsOf(caller, visibility);
    if (data?.project)
      expect([caller, data.project.userPermissions]).toEqual([
        caller,
        Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, holds(rule, viewerOf(caller), facts)])),
      ]);
  }
});

/** Policies that `userPermissions` shows; what they are about doesn't exist. */
const shownOnly: readonly unknown[] = [
  policy.downloadCode,
  policy.pushCode,
  policy.reportOn,
  // Parts of other rules.
  policy.administrator,
  policy.member,
];

/** Policies about two places at once, which the tests of transfers try. */
const ofTwoPlaces: readonly unknown[] = [policy.takeProject];

/** Policies that change something for everyone whom they let: the tests of issues and of comments try them. */
const ofIssues: readonly unknown[] = [
  policy.dateIssue,
  policy.destroyIssue,
  policy.linkIssues,
  policy.setIssueMetadata,
  policy.createNote,
  policy.adminNote,
  policy.adminTimelog,
  policy.commentLocked,
  policy.resolveNote,
  policy.setNoteDate,
];

/** Policies about the visibility of a snippet, about open issues, or about labels and milestones: their own tests try them. */
const ofRecords: readonly unknown[] = [
  policy.adminPersonalSnippet,
  policy.adminProjectSnippet,
  policy.createPersonalSnippet,
  policy.createProjectSnippet,
  policy.readPersonalSnippet,
  policy.readProjectSnippet,
  policy.readPlanning,
  policy.readSnippets,
  policy.readsConfidential,
];

/** Policies of merge requests from forks and of single ones: their own tests try them. */
const ofMergeRequests: readonly unknown[] = [
  policy.approveMergeRequest,
  policy.createMergeRequest,
  policy.destroyMergeRequest,
  policy.setMergeRequestMetadata,
  policy.updateMergeRequest,
];

/** Policies of repositories, deployments and private artifacts: their own tests try them with one. */
const ofRepositories: readonly unknown[] = [
  policy.adminBranches,
  policy.destroyDeployments,
  policy.readCode,
  policy.readPrivateJobFiles,
  policy.writeCode,
  policy.readStatuses,
];

test('every policy has its action here', () => {
  const named = Object.entries(policy).filter(
    ([, value]) =>
      typeof value === 'object' && ('any' in value || 'all' in value || 'fact' in value || 'feature' in value),
  );
  const tried = new Set(actions.map(({ rule }) => rule));
  expect(
    named
      .filter(
        ([, rule]) =>
          !tried.has(rule as Condition) &&
          ![...shownOnly, ...ofTwoPlaces, ...ofIssues, ...ofRecords, ...ofMergeRequests, ...ofRepositories].includes(
            rule,
          ),
      )
      .map(([name]) => name),
  ).toEqual([]);
});
