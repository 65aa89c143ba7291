import { beforeAll, describe, expect, test } from 'vitest';
import * as policy from '../../src/policy/index.ts';
import { holds, roles, type Condition, type Facts, type Scope, type Viewer } from '../../src/policy/index.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/people.ts';
import { runs } from '../support/runs.ts';
import { workspace } from '../support/workspace.ts';

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

interface Ids {
  readonly group: string;
  readonly project: string;
  /** Created again for each request, since the request may delete it. */
  readonly victim: string;
}

/** What it is about: the subject that is missing, or the first field that is wrong. */
type Answered = readonly [status: number, code: string | undefined, about?: string | undefined];

interface Action {
  readonly name: string;
  readonly rule: Condition;
  readonly writes: boolean;
  /** Whether no credential is needed. */
  readonly anonymous?: true;
  readonly rest: (ids: Ids) => readonly [method: string, path: string, values?: object];
  readonly graphql: (ids: Ids) => string;
  /** How it goes on for those who may: most requests are made so that nothing changes. */
  readonly passes: Answered;
  /** The error for those who see the place, and for those who don't, where it isn't the usual one. */
  readonly refused?: Answered;
  readonly hidden?: Answered;
  readonly destroys?: true;
  readonly of: 'group' | 'project';
}

const text = (value: string) => JSON.stringify(value);
const done = (status: number): Answered => [status, undefined];
const invalid = (field: string): Answered => [400, 'INVALID_INPUT', field];
const noUser: Answered = [404, 'NOT_FOUND', 'User'];
const noRecord: Answered = [404, 'NOT_FOUND', 'record'];

const membersOf = (of: 'group' | 'project', rule: Condition): Action[] => {
  const path = (ids: Ids) => `/${of}s/${ids[of]}/members`;
  const requests = (ids: Ids) => `/${of}s/${ids[of]}/access_requests`;
  return [
    {
      name: `add members to a ${of}`,
      of,
      rule,
      writes: true,
      passes: noUser,
      rest: (ids) => ['POST', path(ids), { user_id: '0', access_level: 10 }],
      graphql: (ids) =>
        `mutation { addMembers(input: { ${of}: ${text(ids[of])}, userIds: ["0"], accessLevel: GUEST }) { members { id } } }`,
    },
    {
      name: `change members of a ${of}`,
      of,
      rule,
      writes: true,
      passes: noRecord,
      rest: (ids) => ['PUT', `${path(ids)}/0`, { access_level: 10 }],
      graphql: (ids) =>
        `mutation { updateMember(input: { ${of}: ${text(ids[of])}, userId: "0", accessLevel: GUEST }) { member { id } } }`,
    },
    {
      name: `remove members of a ${of}`,
      of,
      rule,
      writes: true,
      passes: noRecord,
      rest: (ids) => ['DELETE', `${path(ids)}/0`],
      graphql: (ids) => `mutation { removeMember(input: { ${of}: ${text(ids[of])}, userId: "0" }) { member { id } } }`,
    },
    {
      name: `list who asks for a role in a ${of}`,
      of,
      rule,
      writes: false,
      passes: done(200),
      rest: (ids) => ['GET', requests(ids)],
      graphql: (ids) => `{ accessRequests(${of}: ${text(ids[of])}) { nodes { id } } }`,
    },
    {
      name: `approve who asks for a role in a ${of}`,
      of,
      rule,
      writes: true,
      passes: noRecord,
      rest: (ids) => ['PUT', `${requests(ids)}/0/approve`, { access_level: 10 }],
      graphql: (ids) =>
        `mutation { approveAccessRequest(input: { ${of}: ${text(ids[of])}, userId: "0", accessLevel: GUEST }) { member { id } } }`,
    },
    {
      name: `deny who asks for a role in a ${of}`,
      of,
      rule,
      writes: true,
      passes: noRecord,
      rest: (ids) => ['DELETE', `${requests(ids)}/0`],
      graphql: (ids) =>
        `mutation { denyAccessRequest(input: { ${of}: ${text(ids[of])}, userId: "0" }) { accessRequest { id } } }`,
    },
    {
      name: `list the members of a ${of}`,
      of,
      rule: policy.seePlace,
      writes: false,
      anonymous: true,
      passes: done(200),
      rest: (ids) => ['GET', path(ids)],
      graphql: (ids) => `{ members(${of}: ${text(ids[of])}) { nodes { id } } }`,
    },
  ];
};

/** For people on the higher tier, as all callers here are. */
const epics: readonly Action[] = [
  {
    name: 'create epics in a group',
    of: 'group',
    rule: policy.readEpic,
    writes: true,
    passes: invalid('title'),
    rest: (ids) => ['POST', `/groups/${ids.group}/epics`, { title: ' ' }],
    graphql: (ids) => `mutation { createEpic(input: { groupPath: ${text(ids.group)}, title: " " }) { epic { id } } }`,
  },
];

/** Ending a share that doesn't exist: whoever may end one learns that. */
const sharing: readonly Action[] = [
  {
    name: 'end the share of a project',
    of: 'project',
    rule: policy.manageProjectMembers,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Group Link'],
    rest: (ids) => ['DELETE', `/projects/${ids.project}/share/0`],
    graphql: (ids) =>
      `mutation { unshareProjectWithGroup(input: { project: ${text(ids.project)}, invitedGroup: "0" }) { errors } }`,
  },
];
const planningOf = (of: 'group' | 'project'): Action[] => {
  const place = (ids: Ids) => `${of}Path: ${text(ids[of])}`;
  return [
    {
      name: `create labels in a ${of}`,
      of,
      rule: policy.adminLabel,
      writes: true,
      passes: invalid('title'),
      rest: (ids) => ['POST', `/${of}s/${ids[of]}/labels`, { name: 'a,b', color: 'red' }],
      graphql: (ids) => `mutation { labelCreate(input: { ${place(ids)}, title: "a,b" }) { label { id } } }`,
    },
    {
      name: `create milestones in a ${of}`,
      of,
      rule: policy.adminMilestone,
      writes: true,
      passes: invalid('title'),
      rest: (ids) => ['POST', `/${of}s/${ids[of]}/milestones`, { title: '' }],
      graphql: (ids) => `mutation { milestoneCreate(input: { ${place(ids)}, title: "" }) { milestone { id } } }`,
    },
  ];
};

/** Of a branch that isn't there. */
const repositories: readonly Action[] = [
  {
    name: 'list the branches of a project',
    of: 'project',
    rule: policy.readCode,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/repository/branches`],
    graphql: ({ project }) => `{ repository(project: ${text(project)}) { branches { nodes { name } } } }`,
  },
  {
    name: 'delete a branch of a project',
    of: 'project',
    rule: policy.writeCode,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Branch'],
    rest: ({ project }) => ['DELETE', `/projects/${project}/repository/branches/none`],
    graphql: ({ project }) =>
      `mutation { branchDelete(input: { projectPath: ${text(project)}, name: "none" }) { errors } }`,
  },
  {
    name: 'protect a branch of a project',
    of: 'project',
    rule: policy.adminBranches,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Branch'],
    rest: ({ project }) => ['PUT', `/projects/${project}/repository/branches/none/protect`],
    graphql: ({ project }) =>
      `mutation { branchProtect(input: { projectPath: ${text(project)}, name: "none" }) { errors } }`,
  },
];

/** Of a project whose repository is empty. */
const pipelines: readonly Action[] = [
  {
    name: 'list the pipelines of a project',
    of: 'project',
    rule: policy.readPipelines,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/pipelines`],
    graphql: ({ project }) => `{ pipelines(project: ${text(project)}) { nodes { iid } } }`,
  },
  {
    name: 'report a status of a commit',
    of: 'project',
    rule: policy.runPipelines,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Commit'],
    rest: ({ project }) => ['POST', `/projects/${project}/statuses/main`, { state: 'success' }],
    graphql: ({ project }) =>
      `mutation { commitStatusReport(input: { projectPath: ${text(project)}, sha: "main", state: SUCCESS }) { errors } }`,
  },
  {
    name: 'list the variables of a project',
    of: 'project',
    rule: policy.adminVariables,
    writes: false,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/variables`],
    graphql: ({ project }) => `{ projectVariables(project: ${text(project)}) { nodes { key value } } }`,
  },
  {
    name: 'set variables of a group',
    of: 'group',
    rule: policy.adminGroupVariables,
    writes: true,
    passes: invalid('key'),
    rest: ({ group }) => ['POST', `/groups/${group}/variables`, { key: '-', value: 'x' }],
    graphql: ({ group }) =>
      `mutation { groupVariableCreate(input: { groupPath: ${text(group)}, key: "-", value: "x" }) { errors } }`,
  },
  {
    name: 'delete triggers of a project',
    of: 'project',
    rule: policy.adminVariables,
    writes: true,
    passes: noRecord,
    rest: ({ project }) => ['DELETE', `/projects/${project}/triggers/0`],
    graphql: ({ project }) =>
      `mutation { pipelineTriggerDelete(input: { projectPath: ${text(project)}, id: 0 }) { errors } }`,
  },
];

const configurations: readonly Action[] = [
  {
    name: 'check the configuration of a project',
    of: 'project',
    rule: policy.readCode,
    writes: false,
    anonymous: true,
    passes: [404, 'NOT_FOUND', 'Repository'],
    rest: ({ project }) => ['GET', `/projects/${project}/ci/lint`],
    graphql: ({ project }) => `{ ciConfig(projectPath: ${text(project)}) { status } }`,
  },
  {
    name: 'check a text with the files of a project',
    of: 'project',
    rule: policy.runPipelines,
    writes: true,
    passes: done(200),
    rest: ({ project }) => ['POST', `/projects/${project}/ci/lint`, { content: 'a: {}' }],
    graphql: ({ project }) =>
      `mutation { ciLint(input: { projectPath: ${text(project)}, content: "a: {}" }) { config { status } } }`,
  },
];

const environments: readonly Action[] = [
  {
    name: 'list the environments of a project',
    of: 'project',
    rule: policy.readEnvironments,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/environments`],
    graphql: ({ project }) => `{ environments(project: ${text(project)}) { nodes { name } } }`,
  },
  {
    name: 'make an environment',
    of: 'project',
    rule: policy.writeEnvironments,
    writes: true,
    passes: invalid('name'),
    rest: ({ project }) => ['POST', `/projects/${project}/environments`, { name: '/' }],
    graphql: ({ project }) =>
      `mutation { environmentCreate(input: { projectPath: ${text(project)}, name: "/" }) { errors } }`,
  },
  {
    name: 'list the deploy keys of a project',
    of: 'project',
    rule: policy.adminDeployKeys,
    writes: false,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/deploy_keys`],
    graphql: ({ project }) => `{ projectDeployKeys(project: ${text(project)}) { nodes { title } } }`,
  },
  {
    name: 'add a deploy key to a project',
    of: 'project',
    rule: policy.adminDeployKeys,
    writes: true,
    passes: invalid('key'),
    rest: ({ project }) => ['POST', `/projects/${project}/deploy_keys`, { title: 'x', key: 'x' }],
    graphql: ({ project }) =>
      `mutation { deployKeyCreate(input: { projectPath: ${text(project)}, title: "x", key: "x" }) { errors } }`,
  },
];

const actions: readonly Action[] = [
  ...configurations,
  ...environments,
  ...pipelines,
  ...epics,
  ...sharing,
  ...repositories,
  {
    name: 'see a group',
    of: 'group',
    rule: policy.seePlace,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ group }) => ['GET', `/groups/${group}`],
    graphql: ({ group }) => `{ group(fullPath: ${text(group)}) { id } }`,
  },
  {
    name: 'list the groups in a group',
    of: 'group',
    rule: policy.seePlace,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ group }) => ['GET', `/groups/${group}/subgroups`],
    graphql: ({ group }) => `{ groups(parentPath: ${text(group)}) { nodes { id } } }`,
  },
  {
    name: 'list the projects of a group',
    of: 'group',
    rule: policy.seePlace,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ group }) => ['GET', `/groups/${group}/projects`],
    graphql: ({ group }) => `{ projects(group: ${text(group)}) { nodes { id } } }`,
  },
  {
    name: 'make a group in a group',
    of: 'group',
    rule: policy.makeSubgroup.maintainer,
    writes: true,
    passes: invalid('name'),
    // Its number, as REST wants it.
    rest: ({ group }) => ['POST', '/groups', { parent_id: group, name: '', path: '' }],
    graphql: ({ group }) =>
      `mutation { createGroup(input: { parent: ${text(group)}, name: "", path: "" }) { group { id } } }`,
  },
  {
    name: 'change a group',
    of: 'group',
    rule: policy.manageGroup,
    writes: true,
    passes: invalid('name'),
    rest: ({ group }) => ['PUT', `/groups/${group}`, { name: '' }],
    graphql: ({ group }) => `mutation { groupUpdate(input: { fullPath: ${text(group)}, name: "" }) { group { id } } }`,
  },
  {
    name: 'remove a group',
    of: 'group',
    rule: policy.manageGroup,
    writes: true,
    passes: done(202),
    destroys: true,
    rest: ({ victim }) => ['DELETE', `/groups/${victim}`],
    graphql: ({ victim }) => `mutation { deleteGroup(input: { group: ${text(victim)} }) { group { id } } }`,
  },
  {
    name: 'make a project in a group',
    of: 'group',
    rule: policy.makeProject.developer,
    writes: true,
    passes: invalid('path'),
    refused: invalid('namespace'),
    hidden: invalid('namespace'),
    rest: ({ group }) => ['POST', '/projects', { namespace_id: group, path: '!' }],
    graphql: ({ group }) =>
      `mutation { createProject(input: { namespace: ${text(group)}, path: "!" }) { project { id } } }`,
  },
  {
    name: 'change a project',
    of: 'project',
    rule: policy.editProject,
    writes: true,
    passes: invalid('path'),
    rest: ({ project }) => ['PUT', `/projects/${project}`, { path: '!' }],
    graphql: ({ project }) =>
      `mutation { updateProject(input: { project: ${text(project)}, path: "!" }) { project { id } } }`,
  },
  // Before the project is archived: then nobody may.
  ...planningOf('group'),
  ...planningOf('project'),
  {
    name: 'promote a milestone of a project',
    of: 'project',
    rule: policy.promoteMilestone,
    writes: true,
    passes: noRecord,
    rest: ({ project }) => ['POST', `/projects/${project}/milestones/0/promote`],
    graphql: ({ project }) =>
      `mutation { milestonePromote(input: { id: "0", projectPath: ${text(project)} }) { milestone { id } } }`,
  },
  {
    name: 'read a confidential issue',
    of: 'project',
    rule: policy.readIssue,
    writes: false,
    anonymous: true,
    passes: done(200),
    refused: [404, 'NOT_FOUND', 'Issue'],
    rest: ({ project }) => ['GET', `/projects/${project}/issues/1/time_stats`],
    graphql: ({ project }) => `{ issueParticipants(project: ${text(project)}, iid: "1") { nodes { id } } }`,
  },
  {
    name: 'create an issue',
    of: 'project',
    rule: policy.createIssue,
    writes: true,
    passes: invalid('title'),
    rest: ({ project }) => ['POST', `/projects/${project}/issues`, { title: '' }],
    graphql: ({ project }) =>
      `mutation { createIssue(input: { projectPath: ${text(project)}, title: "" }) { issue { id } } }`,
  },
  {
    name: 'change an issue of somebody else',
    of: 'project',
    rule: policy.updateIssue,
    writes: true,
    passes: invalid('title'),
    rest: ({ project }) => ['PUT', `/projects/${project}/issues/2`, { title: '' }],
    graphql: ({ project }) =>
      `mutation { updateIssue(input: { projectPath: ${text(project)}, iid: "2", title: "" }) { issue { id } } }`,
  },
  {
    name: 'track the time of an issue',
    of: 'project',
    rule: policy.adminIssue,
    writes: true,
    passes: invalid('timelogs.time_spent'),
    rest: ({ project }) => ['POST', `/projects/${project}/issues/2/add_spent_time`, { duration: '0' }],
    graphql: ({ project }) =>
      `mutation { issueAddSpentTime(input: { projectPath: ${text(project)}, iid: "2", duration: "0" }) { issue { id } } }`,
  },
  {
    name: 'read the merge requests of a project',
    of: 'project',
    rule: policy.readMergeRequest,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/merge_requests`],
    graphql: ({ project }) => `{ mergeRequests(project: ${text(project)}) { nodes { id } } }`,
  },
  {
    name: 'open a merge request',
    of: 'project',
    rule: policy.openMergeRequest,
    writes: true,
    passes: invalid('title'),
    rest: ({ project }) => [
      'POST',
      `/projects/${project}/merge_requests`,
      { title: '', source_branch: 'a', target_branch: 'b' },
    ],
    graphql: ({ project }) =>
      `mutation { mergeRequestCreate(input: { projectPath: ${text(project)}, title: "", sourceBranch: "a", targetBranch: "b" }) { mergeRequest { id } } }`,
  },
  {
    name: 'write an internal note',
    of: 'project',
    rule: policy.readInternalNote,
    writes: true,
    passes: invalid('note'),
    rest: ({ project }) => ['POST', `/projects/${project}/issues/2/notes`, { body: '', internal: true }],
    graphql: ({ project }) =>
      `mutation { createNote(input: { projectPath: ${text(project)}, iid: "2", body: "", internal: true }) { note { id } } }`,
  },
  {
    name: 'archive a project',
    of: 'project',
    rule: policy.ownProject,
    writes: true,
    passes: done(201),
    rest: ({ project }) => ['POST', `/projects/${project}/archive`],
    graphql: ({ project }) => `mutation { archiveProject(input: { project: ${text(project)} }) { project { id } } }`,
  },
  {
    name: 'fork a project',
    of: 'project',
    rule: policy.forkProject,
    writes: true,
    passes: invalid('path'),
    refused: noRecord,
    rest: ({ project }) => ['POST', `/projects/${project}/fork`, { path: '!' }],
    graphql: ({ project }) =>
      `mutation { forkProject(input: { project: ${text(project)}, path: "!" }) { project { id } } }`,
  },
  ...(['group', 'project'] as const).map((of): Action => {
    const field = `${of}Transfer`;
    return {
      name: `transfer a ${of}`,
      of,
      rule: of === 'group' ? policy.manageGroup : policy.ownProject,
      writes: true,
      passes: [404, 'NOT_FOUND', of === 'group' ? 'Group' : 'Namespace'],
      rest: (ids) =>
        of === 'group'
          ? ['POST', `/groups/${ids.group}/transfer`, { group_id: 0 }]
          : ['PUT', `/projects/${ids.project}/transfer`, { namespace: 'nothing' }],
      graphql: (ids) =>
        `mutation { ${field}(input: { fullPath: ${text(ids[of])} ${of === 'group' ? 'parent: "0"' : 'namespace: "nothing"'} }) { ${of} { id } } }`,
    };
  }),
  ...(['group', 'project'] as const).map((of): Action => ({
    name: `list where to transfer a ${of}`,
    of,
    rule: of === 'group' ? policy.manageGroup : policy.ownProject,
    writes: false,
    passes: done(200),
    rest: (ids) => ['GET', `/${of}s/${ids[of]}/transfer_locations`],
    graphql: (ids) => `{ transferLocations(${of}: ${text(ids[of])}) { nodes { id } } }`,
  })),
  ...membersOf('group', policy.manageGroupMembers),
  ...membersOf('project', policy.manageProjectMembers),
  {
    name: 'read the error tracking of a project',
    of: 'project',
    rule: policy.manageErrorTracking,
    writes: false,
    passes: [404, 'NOT_FOUND', 'Error Tracking Setting'],
    rest: ({ project }) => ['GET', `/projects/${project}/error_tracking/settings`],
    graphql: ({ project }) => `{ errorTrackingSettings(project: ${text(project)}) { active } }`,
  },
  {
    name: 'ask who is told of something in a project',
    of: 'project',
    rule: policy.askRecipients,
    writes: false,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/notification_recipients?event=moved_project`],
    graphql: ({ project }) => `{ notificationRecipients(event: MOVED_PROJECT, project: ${text(project)}) { count } }`,
  },
];

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
