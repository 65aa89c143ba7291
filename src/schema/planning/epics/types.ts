import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import type { FieldsOf } from '../../engine/mutation.ts';
import { namespaceById } from '../../places/place/read.ts';
import { htmlOf } from '../markdown/html.ts';
import { Group } from '../../places/place/types.ts';
import type { EpicRecord } from './statements.ts';

const EpicState = builder.enumType('EpicState', {
  description: 'Whether work on an epic goes on.',
  values: { opened: { value: 'OPENED' }, closed: { value: 'CLOSED' } } as const,
});

/** The path of its page. */
export const webPathOf = ({ groupPath, iid }: EpicRecord): string => `/groups/${groupPath}/-/epics/${iid}`;

// An epic is only shown to people who read it, and so see its group.
export const Epic = builder.objectRef<EpicRecord>('Epic').implement({
  description: 'A large piece of work of a group. For people on the higher tier.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the group.' }),
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The description, as HTML that is safe in a page, with links to what you see.',
      resolve: ({ description, groupId }, _args, context) =>
        description === null ? null : htmlOf(context, description, { projectId: null, namespaceId: groupId }),
    }),
    state: t.expose('state', { type: EpicState }),
    author: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ authorId }, _args, context) => userById(context, authorId),
    }),
    group: t.field({
      type: Group,
      nullable: true,
      resolve: ({ groupId }, _args, context) => namespaceById(context, groupId),
    }),
    groupDatabaseId: t.exposeInt('groupId', { description: 'The number of its group.' }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
    webPath: t.string({ direct: true, resolve: webPathOf }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: (epic, _args, context) => `${context.baseUrl}${webPathOf(epic)}`,
    }),
  }),
});

identify(Epic, 'Epic');

/** The payload of mutations of an epic. */
export const epicPayload = (t: FieldsOf<{ epic: EpicRecord }>) => ({ epic: t.expose('epic', { type: Epic }) });
