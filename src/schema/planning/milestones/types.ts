import type { MilestoneRecord } from '../../../database/access/planning.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';

const MilestoneStateEnum = builder.enumType('MilestoneStateEnum', {
  values: { active: { value: 'ACTIVE' }, closed: { value: 'CLOSED' } } as const,
});

const today = () => new Date().toISOString().slice(0, 10);
const dayOf = (day: string | null) => (day === null ? null : new Date(`${day}T00:00:00Z`));

export const Milestone = builder.objectRef<MilestoneRecord>('Milestone').implement({
  description: 'A milestone of a project or of a group.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the project or group.' }),
    projectDatabaseId: t.exposeInt('projectId', { nullable: true }),
    groupDatabaseId: t.exposeInt('groupId', { nullable: true }),
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    state: t.expose('state', { type: MilestoneStateEnum }),
    startDate: t.field({ type: 'Time', nullable: true, direct: true, resolve: ({ startDate }) => dayOf(startDate) }),
    dueDate: t.field({ type: 'Time', nullable: true, direct: true, resolve: ({ dueDate }) => dayOf(dueDate) }),
    expired: t.boolean({
      description: 'Whether its due date is over.',
      direct: true,
      resolve: ({ dueDate }) => dueDate !== null && dueDate < today(),
    }),
    webPath: t.string({ description: 'The path of its page.', resolve: (one) => pathOf(one) }),
    webUrl: t.string({
      description: 'Its page.',
      resolve: (one, _args, { baseUrl }) => `${baseUrl}${pathOf(one)}`,
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

const pathOf = ({ groupId, placePath, iid }: MilestoneRecord) =>
  `/${groupId === null ? '' : 'groups/'}${placePath}/-/milestones/${iid}`;

identify(Milestone, 'Milestone');
