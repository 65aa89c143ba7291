import type { LabelRecord, MilestoneRecord } from '../../../database/access/planning.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { reads } from '../../../policy/index.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify, idOf } from '../../engine/global-id.ts';
import { rootList } from '../../engine/list.ts';
import { orNull, withTimes } from '../../engine/times.ts';
import { Label } from '../labels/types.ts';
import { Milestone } from '../milestones/types.ts';
import { lookUpNoteable, prefetchNoteable } from './noteable.ts';
import { resourceEventList, type ResourceEventRecord } from './statements/resource-events.ts';

/** Changes of labels, milestone and state of issues and merge requests, which leave no note. */

const ResourceEventKind = builder.enumType('ResourceEventKind', {
  values: { LABEL: {}, MILESTONE: {}, STATE: {} } as const,
});

const ResourceEventAction = builder.enumType('ResourceEventAction', {
  values: { ADD: {}, REMOVE: {}, CLOSED: {}, REOPENED: {}, MERGED: {} } as const,
});

const ResourceEvent = builder.objectRef<ResourceEventRecord>('ResourceEvent').implement({
  description: 'A change of the labels, the milestone or the state of an issue or a merge request.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ResourceEventKind }),
    action: t.expose('action', { type: ResourceEventAction }),
    resourceType: t.string({
      description: 'What was changed: `Issue` or `MergeRequest`.',
      direct: true,
      resolve: ({ issueId }) => (issueId === null ? 'MergeRequest' : 'Issue'),
    }),
    resourceDatabaseId: t.int({
      description: 'The number in its global id.',
      direct: true,
      resolve: ({ issueId, mergeRequestId }) => (issueId ?? mergeRequestId)!,
    }),
    issueDatabaseId: t.exposeInt('issueId', { nullable: true, description: 'The same, of an issue.' }),
    user: t.field({ type: UserCore, direct: true, resolve: ({ user }) => withTimes<UserRecord>(user) }),
    label: t.field({
      type: Label,
      nullable: true,
      description: 'Null if it was deleted since.',
      direct: true,
      resolve: ({ label }) => orNull<LabelRecord>(label),
    }),
    milestone: t.field({
      type: Milestone,
      nullable: true,
      description: 'Null if it was deleted since.',
      direct: true,
      resolve: ({ milestone }) => orNull<MilestoneRecord>(milestone),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
  }),
});

identify(ResourceEvent, ({ kind }) => `Resource${kind[0]}${kind.slice(1).toLowerCase()}Event`);

const named = builder.args((t) => ({
  projectPath: t.id({ required: true, description: 'Id or full path of the project.' }),
  iid: t.string({ description: 'The number of an issue.' }),
  mergeRequestIid: t.string({ description: 'The number of a merge request.' }),
  kind: t.field({ type: ResourceEventKind, required: true }),
}));

const asked = { admission: { class: 'token', scopes: reads }, prefetch: prefetchNoteable } as const;

rootList('resourceEvents', {
  ...asked,
  type: ResourceEvent,
  description: 'Changes of one kind of an issue or a merge request, the oldest first.',
  args: () => named,
  orders: { id: { column: 'e.id', type: 'int' } },
  by: 'id_asc',
  rows: async (context, { kind, ...name }) => resourceEventList(await lookUpNoteable(context, name), kind),
});

builder.queryField('resourceEvent', (t) =>
  t.field({
    ...asked,
    type: ResourceEvent,
    nullable: true,
    description: 'A change of an issue or a merge request; null if there is none with this id.',
    args: { ...named, id: t.arg.id({ required: true }) },
    resolve: async (_root, { kind, id, ...name }, context) => {
      const seen = await lookUpNoteable(context, name);
      const { statement, values } = resourceEventList(seen, kind, idOf(id, 'ResourceEvent')).page(
        { name: 'id', column: 'e.id', type: 'int', direction: 'asc' },
        { after: null, before: null, offset: 0, limit: 1, inverted: false },
      );
      return (await context.database.rows(statement, values))[0] ?? null;
    },
  }),
);
