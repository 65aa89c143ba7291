import type { MilestoneRecord } from '../../../database/access/planning.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { namespaceById, projectById } from '../../places/place/read.ts';
import { htmlOf } from '../markdown/html.ts';
import { Group, Project } from '../../places/place/types.ts';

export const MilestoneStateEnum = builder.enumType('MilestoneStateEnum', {
  description: 'Whether work on a milestone goes on.',
  values: { active: { value: 'ACTIVE' }, closed: { value: 'CLOSED' } } as const,
});

/** Today in UTC. */
const today = () => new Date().toISOString().slice(0, 10);

/** The start of a day in UTC. */
const startOf = (day: string | null) => (day === null ? null : new Date(`${day}T00:00:00Z`));

/** The page of a milestone, below the address of the gateway. */
const webPath = ({ groupId, placePath, iid }: MilestoneRecord) =>
  `/${groupId === null ? '' : 'groups/'}${placePath}/-/milestones/${iid}`;

// A milestone is only shown to people who see its place.
export const Milestone = builder.objectRef<MilestoneRecord>('Milestone').implement({
  description: 'A milestone of a project or of a group.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the project or group.' }),
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The description, as HTML that is safe in a page, with links to what you see.',
      resolve: ({ description, projectId, groupId }, _args, context) =>
        description === null ? null : htmlOf(context, description, { projectId, namespaceId: groupId }),
    }),
    state: t.expose('state', { type: MilestoneStateEnum }),
    startDate: t.field({
      type: 'Time',
      nullable: true,
      description: 'The beginning of its first day, in UTC.',
      resolve: ({ startDate }) => startOf(startDate),
    }),
    dueDate: t.field({
      type: 'Time',
      nullable: true,
      description: 'The beginning of its last day, in UTC.',
      resolve: ({ dueDate }) => startOf(dueDate),
    }),
    expired: t.boolean({
      description: 'Whether its last day is over; false without one.',
      direct: true,
      resolve: ({ dueDate }) => dueDate !== null && dueDate < today(),
    }),
    upcoming: t.boolean({
      description: 'Whether its first day is still to come; false without one.',
      direct: true,
      resolve: ({ startDate }) => startDate !== null && startDate > today(),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
    webPath: t.string({ direct: true, resolve: webPath }),
    webUrl: t.string({
      description: 'The web page.',
      direct: true,
      resolve: (milestone, _args, context) => `${context.baseUrl}${webPath(milestone)}`,
    }),
    projectMilestone: t.boolean({
      description: 'Whether it belongs to a project.',
      direct: true,
      resolve: ({ projectId }) => projectId !== null,
    }),
    groupMilestone: t.boolean({
      description: 'Whether it belongs to a group.',
      direct: true,
      resolve: ({ groupId }) => groupId !== null,
    }),
    subgroupMilestone: t.boolean({
      description: 'Whether it belongs to a subgroup.',
      direct: true,
      resolve: ({ groupId, placePath }) => groupId !== null && placePath.includes('/'),
    }),
    projectDatabaseId: t.exposeInt('projectId', { nullable: true, description: 'The number of its project.' }),
    groupDatabaseId: t.exposeInt('groupId', { nullable: true, description: 'The number of its group.' }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    group: t.field({
      type: Group,
      nullable: true,
      resolve: ({ groupId }, _args, context) => namespaceById(context, groupId),
    }),
  }),
});

identify(Milestone, 'Milestone');
