import * as policy from '../../../src/policy/index.ts';
import type { Condition } from '../../../src/policy/index.ts';
import { done, invalid, noRecord, noUser, text, type Action, type Ids } from './action.ts';

/** What people do with groups and projects, with their members, and with what is planned in them. */

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

/** Ending a share that doesn't exist: those who may end one learn that. */
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

export const actionsOfPlaces: readonly Action[] = [
  ...epics,
  ...sharing,
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
