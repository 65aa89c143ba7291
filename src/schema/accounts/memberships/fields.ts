import { Forbidden } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { isOwn } from '../users/seen.ts';
import { User } from '../users/types.ts';
import { countAssociations, membershipsOf, type AssociationsRow, type MembershipRow } from './statements.ts';

/** What a person belongs to, for administrators. */

const SourceType = builder.enumType('MembershipSourceType', { values: { PROJECT: {}, NAMESPACE: {} } as const });

const Membership = builder.objectRef<MembershipRow>('DirectMembership').implement({
  description: 'A direct membership in a group or a project.',
  fields: (t) => ({
    sourceDatabaseId: t.exposeInt('sourceId', { description: 'The number of the group or project.' }),
    sourceName: t.exposeString('sourceName'),
    sourceType: t.expose('sourceType', { type: SourceType }),
    accessLevel: t.exposeInt('accessLevel', { description: 'The role, as a number.' }),
  }),
});

nestedList(User, 'directMemberships', {
  type: Membership,
  description: 'Their direct memberships of groups and projects, also those that others can’t see. For administrators.',
  admission: { class: 'token', scopes: [...reads, 'read_user'] },
  orders: { id: { column: 'm.id', type: 'int' } },
  by: 'id_asc',
  args: (t) => ({ type: t.field({ type: SourceType, description: 'Only those of this kind.' }) }),
  rows: (context, { type }, _info, { id }) => {
    requireAdministrator(context);
    return membershipsOf(id, type);
  },
});

const Associations = builder.objectRef<AssociationsRow>('UserAssociationsCount').implement({
  description: 'How much belongs to a person.',
  fields: (t) => ({
    groupsCount: t.exposeInt('groups_count', { description: 'Groups that they are a direct member of.' }),
    projectsCount: t.exposeInt('projects_count', { description: 'Projects that they are a direct member of.' }),
    issuesCount: t.exposeInt('issues_count', { description: 'Issues that they created.' }),
    mergeRequestsCount: t.exposeInt('merge_requests_count', { description: 'Merge requests that they opened.' }),
  }),
});

builder.interfaceField(User, 'associationsCount', (t) =>
  t.field({
    type: Associations,
    description: 'How much belongs to them. For the person and for administrators.',
    admission: { class: 'token', scopes: [...reads, 'read_user'] },
    resolve: async ({ id }, _args, context) => {
      if (!isOwn(id, context)) throw new Forbidden();
      const [row] = await context.database.rows(countAssociations, [id]);
      return row!;
    },
  }),
);
