import type { ListedProject, NamespaceRecord, Place } from '../../../database/access/records.ts';
import { builder } from '../../engine/builder.ts';

/**
 * Groups and projects. Statements read them: two projects cost 83 µs of CPU, instead of 450 µs with Prisma
 * (decision 0063).
 */

export const VisibilityType = builder.enumType('Visibility', {
  description: 'Who can see a group or a project.',
  values: {
    PRIVATE: { description: 'Only its members.' },
    INTERNAL: { description: 'All signed-in people.' },
    PUBLIC: { description: 'Everyone.' },
  } as const,
});

const NamespaceKindType = builder.enumType('NamespaceKind', {
  values: { USER: { description: 'The personal namespace of a person.' }, GROUP: {} } as const,
});

/** The namespace of a project, with the fields that everyone who sees the project may see. */
export const Namespace = builder.objectRef<Place>('Namespace').implement({
  description: 'Contains projects: a group, or the personal namespace of a person.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: NamespaceKindType }),
    name: t.exposeString('name'),
    fullName: t.exposeString('fullName', { description: 'The names from the root, for example `Demo / Platform`.' }),
    path: t.exposeString('path'),
    fullPath: t.exposeString('fullPath'),
    parentId: t.exposeID('parentId', { nullable: true }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: ({ kind, fullPath }, _args, context) =>
        `${context.baseUrl}/${kind === 'GROUP' ? 'groups/' : ''}${fullPath}`,
    }),
  }),
});

export const Group = builder.objectRef<NamespaceRecord>('Group').implement({
  description: 'Contains projects and other groups.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullName: t.exposeString('fullName', { description: 'The names from the root, for example `Demo / Platform`.' }),
    fullPath: t.exposeString('fullPath', { description: 'The path from the root, for example `demo/platform`.' }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The id of the parent group; null at the root.' }),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: (group, _args, context) => `${context.baseUrl}/groups/${group.fullPath}`,
    }),
  }),
});

export const Project = builder.objectRef<ListedProject>('Project').implement({
  description: 'A project, in a group or in a personal namespace.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullPath: t.exposeString('fullPath', { description: 'The path from the root, for example `demo/platform/api`.' }),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: (project, _args, context) => `${context.baseUrl}/${project.fullPath}`,
    }),
  }),
});
