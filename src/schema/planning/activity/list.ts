import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { findGroup, findProject } from '../../../database/access/places.ts';
import { NotFound } from '../../../errors.ts';
import { kindsOf, shownAs } from '../../../events/activity.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { userById } from '../../accounts/users/read.ts';
import { CurrentUser, UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify } from '../../engine/global-id.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { noteById } from '../notes/read.ts';
import { Note } from '../notes/types.ts';
import { activityList, type ActivityFilter, type ActivityRecord } from './statements.ts';

/** What people did: domain events, as their readers may see them. */

const EventAction = builder.enumType('EventAction', {
  values: [
    'APPROVED',
    'CLOSED',
    'COMMENTED',
    'CREATED',
    'DESTROYED',
    'EXPIRED',
    'JOINED',
    'LEFT',
    'MERGED',
    'PUSHED',
    'REOPENED',
    'UPDATED',
  ] as const,
});

const EventTarget = builder.enumType('EventTarget', {
  description: 'What an event is about.',
  values: [
    'ISSUE',
    'MILESTONE',
    'MERGE_REQUEST',
    'NOTE',
    'PROJECT',
    'SNIPPET',
    'USER',
    'EPIC',
    'WIKI',
    'DESIGN',
  ] as const,
});

/** A push, as activity shows it. */
const PushData = builder.objectRef<ActivityRecord>('EventPushData').implement({
  description: 'What a push did to a branch or a tag.',
  fields: (t) => ({
    action: t.string({
      description: '`created`, `removed` or `pushed`.',
      direct: true,
      resolve: ({ before, after }) => (after === null ? 'removed' : before === null ? 'created' : 'pushed'),
    }),
    refType: t.string({
      description: '`branch` or `tag`.',
      direct: true,
      resolve: ({ ref }) => (ref!.startsWith('refs/tags/') ? 'tag' : 'branch'),
    }),
    ref: t.string({
      description: 'Its name.',
      direct: true,
      resolve: ({ ref }) => ref!.replace(/^refs\/(?:heads|tags)\//, ''),
    }),
    commitFrom: t.exposeString('before', { nullable: true, description: 'What it was; null if it was made.' }),
    commitTo: t.exposeString('after', { nullable: true, description: 'What it is; null if it was removed.' }),
    commitCount: t.int({
      description: 'How many commits came, up to 1,000. Counted in the background: 0 until then.',
      direct: true,
      resolve: ({ commits }) => commits ?? 0,
    }),
    commitTitle: t.exposeString('commitTitle', { nullable: true, description: 'That of the last commit.' }),
  }),
});

const Event = builder.objectRef<ActivityRecord>('Event').implement({
  description: 'Something that a person did in a project.',
  fields: (t) => ({
    action: t.field({ type: EventAction, direct: true, resolve: ({ kind }) => shownAs(kind).action }),
    isOfProject: t.boolean({
      description: 'Whether it is about the project itself: it was created.',
      direct: true,
      resolve: ({ kind }) => kind.startsWith('project.'),
    }),
    author: t.field({
      type: UserCore,
      resolve: async ({ authorId }, _args, context) => (await userById(context, authorId))!,
    }),
    project: t.field({
      type: Project,
      nullable: true,
      // A token that reads only people sees no projects.
      admission: { class: 'token', scopes: reads, anonymous: true },
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    projectId: t.exposeInt('projectId', { description: 'The number of its project.' }),
    targetId: t.id({
      nullable: true,
      description: 'The global id of what it is about, if that isn’t the project or a person.',
      direct: true,
      resolve: ({ targetType, targetId }) => (targetType === null ? null : globalId(targetType, targetId!)),
    }),
    targetDatabaseId: t.exposeInt('targetId', { nullable: true }),
    targetIid: t.exposeInt('targetIid', { nullable: true }),
    targetType: t.exposeString('targetType', {
      nullable: true,
      description: '`Issue`, `MergeRequest`, `Milestone`, `Note`, `DiscussionNote` or `DiffNote`.',
    }),
    targetTitle: t.exposeString('targetTitle', {
      nullable: true,
      description: 'For a comment: the title of what it is about.',
    }),
    note: t.field({
      type: Note,
      nullable: true,
      description: 'The comment, if it is one.',
      resolve: ({ kind, targetId }, _args, context) => (kind === 'note.created' ? noteById(context, targetId) : null),
    }),
    pushData: t.field({
      type: PushData,
      nullable: true,
      description: 'What was pushed, if it is a push.',
      direct: true,
      resolve: (event) => (event.kind === 'ref.changed' ? event : null),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('createdAt', { type: 'Time' }),
  }),
});
identify(Event, 'Event');

const filterArgs = builder.args((t) => ({
  action: t.field({ type: EventAction }),
  targetType: t.field({ type: EventTarget }),
  createdBefore: t.field({ type: 'ISO8601Date', description: 'Only those before this day.' }),
  createdAfter: t.field({ type: 'ISO8601Date', description: 'Only those after this day.' }),
}));

const EventSort = builder.enumType('EventSort', {
  values: { CREATED_ASC: { value: 'created_asc' }, CREATED_DESC: { value: 'created_desc' } } as const,
});

const listed = {
  type: Event,
  // A second order, so that the direction can be chosen.
  orders: { created: { column: 'e.id', type: 'int' }, id: { column: 'e.id', type: 'int' } },
  by: 'created_desc',
  sortType: EventSort,
} as const;

/** The beginning of a day, or of the one after it. */
const beginning = (day: string, days = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000);

function filterOf({
  action,
  targetType,
  createdBefore,
  createdAfter,
}: InputShapeFromFields<typeof filterArgs>): ActivityFilter {
  return {
    kinds: kindsOf(action ?? undefined, targetType ?? undefined),
    before: createdBefore == null ? undefined : beginning(createdBefore),
    after: createdAfter == null ? undefined : beginning(createdAfter, 1),
  };
}

rootList('projectEvents', {
  ...listed,
  description: 'What happened in a project, as far as you can read it; the newest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: ({ project }) => prefetchPlace(findProject, 'Project', project),
  args: (t) => ({ project: t.id({ required: true, description: 'Id or full path of the project.' }), ...filterArgs }),
  rows: async (context, { project, ...asked }) => {
    const { id } = await lookUp(context, findProject, 'Project', project);
    return activityList(context.viewer, { project: id }, filterOf(asked));
  },
});

rootList('groupEvents', {
  ...listed,
  description:
    'What happened in the projects of a group and of the groups below it, as far as you can read it; the newest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: ({ group }) => prefetchPlace(findGroup, 'Group', group),
  args: (t) => ({ group: t.id({ required: true, description: 'Id or full path of the group.' }), ...filterArgs }),
  rows: async (context, { group, ...asked }) => {
    const { id } = await lookUp(context, findGroup, 'Group', group);
    return activityList(context.viewer, { group: id }, filterOf(asked));
  },
});

/** Whether the viewer sees what a person did: not that of a private profile. */
async function showsActivity(context: Context, id: number): Promise<boolean> {
  const user = await userById(context, id);
  if (!user) throw new NotFound('User');
  return !user.privateProfile || context.viewer.person?.id === id || isAdministrator(context.viewer);
}

rootList('userEvents', {
  ...listed,
  description: 'What a person did, as far as you can read it; nothing of a private profile. The newest first.',
  admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
  args: (t) => ({ user: t.id({ required: true, description: 'Id or username.' }), ...filterArgs }),
  rows: async (context, { user, ...asked }) => {
    const { id } = await userByReference(context, user);
    const filter = filterOf(asked);
    const isShown = await showsActivity(context, id);
    return activityList(context.viewer, { person: id }, isShown ? filter : { ...filter, kinds: [] });
  },
});

nestedList(CurrentUser, 'events', {
  ...listed,
  description: 'What you did, the newest first.',
  args: (t) => ({
    ...filterArgs,
    everybody: t.boolean({ defaultValue: false, description: 'Also what others did in your projects.' }),
  }),
  rows: ({ viewer }, { everybody, ...asked }, _info, { id }) =>
    activityList(viewer, everybody ? { projectsOf: id } : { person: id }, filterOf(asked)),
});
