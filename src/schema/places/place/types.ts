import type { ListedProject, NamespaceRecord, Place } from '../../../database/access/records.ts';
import type { Visibility } from '../../../policy/index.ts';
import { avatarPath } from '../../../values/avatar-path.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify } from '../../engine/global-id.ts';
import { Todoable } from '../../planning/todos/todoable.ts';

/**
 * Groups and projects. Statements read them: two projects cost 83 µs of CPU, instead of 450 µs with Prisma
 * (decision 0063).
 */

export const VisibilityLevelsEnum = builder.enumType('VisibilityLevelsEnum', {
  description: 'Who can see a group, a project or a snippet.',
  values: {
    private: { value: 'PRIVATE', description: 'Only its members.' },
    internal: { value: 'INTERNAL', description: 'All signed-in people.' },
    public: { value: 'PUBLIC', description: 'Everyone.' },
  } as const,
});

const visibilityNames: Record<Visibility, string> = { PRIVATE: 'private', INTERNAL: 'internal', PUBLIC: 'public' };
/** The visibility of a group or a project, in small letters. */
const visibilityOf = ({ visibility }: { readonly visibility: Visibility }) => visibilityNames[visibility];

const NamespaceKindType = builder.enumType('NamespaceKind', {
  values: { USER: { description: 'The personal namespace of a person.' }, GROUP: {} } as const,
});

const parentIdOf = ({ parentId }: { readonly parentId: number | null }) =>
  parentId === null ? null : globalId('Group', parentId);

/** The namespace of a project, with the fields that everyone who sees the project may see. */
export const Namespace = builder.objectRef<Place>('Namespace').implement({
  description: 'Contains projects: a group, or the personal namespace of a person.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NamespaceKindType }),
    name: t.exposeString('name'),
    fullName: t.exposeString('fullName', { description: 'The names from the root, for example `Demo / Platform`.' }),
    path: t.exposeString('path'),
    fullPath: t.exposeID('fullPath'),
    parentId: t.id({
      nullable: true,
      description: 'The global id of the parent group.',
      direct: true,
      resolve: parentIdOf,
    }),
    parentDatabaseId: t.exposeInt('parentId', { nullable: true }),
    visibility: t.string({ description: '`private`, `internal` or `public`.', direct: true, resolve: visibilityOf }),
    avatarUrl: t.string({
      nullable: true,
      description: 'The address of the picture of the group, or of the person, if there is one.',
      direct: true,
      resolve: ({ id, kind, ownerId, avatar }, _args, { baseUrl }) => {
        if (avatar === null) return null;
        return `${baseUrl}${kind === 'USER' ? avatarPath('user', ownerId!, avatar) : avatarPath('group', id, avatar)}`;
      },
    }),
    webUrl: t.string({
      description: 'The web page.',
      direct: true,
      resolve: ({ kind, fullPath }, _args, context) =>
        `${context.baseUrl}/${kind === 'GROUP' ? 'groups/' : ''}${fullPath}`,
    }),
  }),
});

export const Group = builder.objectRef<NamespaceRecord>('Group').implement({
  interfaces: [Todoable],
  description: 'Contains projects and other groups.',
  fields: (t) => ({
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullName: t.exposeString('fullName', { description: 'The names from the root, for example `Demo / Platform`.' }),
    fullPath: t.exposeID('fullPath', { description: 'The path from the root, for example `demo/platform`.' }),
    parentId: t.id({
      nullable: true,
      description: 'The global id of the parent group; null at the root.',
      direct: true,
      resolve: parentIdOf,
    }),
    parentDatabaseId: t.exposeInt('parentId', { nullable: true }),
    description: t.exposeString('description'),
    visibility: t.string({ description: '`private`, `internal` or `public`.', direct: true, resolve: visibilityOf }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    webUrl: t.string({
      description: 'The web page.',
      direct: true,
      resolve: (group, _args, context) => `${context.baseUrl}/groups/${group.fullPath}`,
    }),
  }),
});

export const Project = builder.objectRef<ListedProject>('Project').implement({
  interfaces: [Todoable],
  description: 'A project, in a group or in a personal namespace.',
  fields: (t) => ({
    name: t.exposeString('name'),
    nameWithNamespace: t.string({
      description: 'The names from the root, for example `Demo / Platform / Api`.',
      direct: true,
      resolve: ({ name, namespaceFullName }) => `${namespaceFullName} / ${name}`,
    }),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullPath: t.exposeID('fullPath', { description: 'The path from the root, for example `demo/platform/api`.' }),
    description: t.exposeString('description'),
    visibility: t.string({ description: '`private`, `internal` or `public`.', direct: true, resolve: visibilityOf }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    webUrl: t.string({
      description: 'The web page.',
      direct: true,
      resolve: (project, _args, context) => `${context.baseUrl}/${project.fullPath}`,
    }),
  }),
});

identify(Namespace, ({ kind }) => (kind === 'GROUP' ? 'Group' : 'Namespaces::UserNamespace'));
identify(Group, 'Group');
identify(Project, 'Project');
