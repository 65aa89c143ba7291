import type { ListedProject, NamespaceRecord, Place } from '../../../database/access/records.ts';
import { builder } from '../../engine/builder.ts';

/**
 * Groups and projects: read by statements only, since two projects took 83 µs of CPU by one and 450 µs by Prisma (decision 0063).
 */

export const VisibilityType = builder.enumType('Visibility', {
  description: 'Who can see a group or a project.',
  values: {
    PRIVATE: { description: 'Its members.' },
    INTERNAL: { description: 'Everyone who is signed in.' },
    PUBLIC: { description: 'Everyone.' },
  } as const,
});

const NamespaceKindType = builder.enumType('NamespaceKind', {
  values: { USER: { description: 'A person’s own.' }, GROUP: {} } as const,
});

/** What a project lies in. Whoever sees the project sees this much of it. */
export const Namespace = builder.objectRef<Place>('Namespace').implement({
  description: 'What projects can lie in: a group, or a person’s own place.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: NamespaceKindType }),
    name: t.exposeString('name'),
    fullName: t.exposeString('fullName', { description: 'The names from the root, as in `Demo / Platform`.' }),
    path: t.exposeString('path'),
    fullPath: t.exposeString('fullPath'),
    parentId: t.exposeID('parentId', { nullable: true }),
    webUrl: t.string({
      description: 'The page for people.',
      resolve: ({ kind, fullPath }, _args, context) =>
        `${context.baseUrl}/${kind === 'GROUP' ? 'groups/' : ''}${fullPath}`,
    }),
  }),
});

export const Group = builder.objectRef<NamespaceRecord>('Group').implement({
  description: 'Holds projects and other groups.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullName: t.exposeString('fullName', { description: 'The names from the root, as in `Demo / Platform`.' }),
    fullPath: t.exposeString('fullPath', { description: 'The path from the root, as in `demo/platform`.' }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The group that it lies in; null at the root.' }),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The page for people.',
      resolve: (group, _args, context) => `${context.baseUrl}/groups/${group.fullPath}`,
    }),
  }),
});

export const Project = builder.objectRef<ListedProject>('Project').implement({
  description: 'A project, in a group or in a person’s own namespace.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullPath: t.exposeString('fullPath', { description: 'The path from the root, as in `demo/platform/api`.' }),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The page for people.',
      resolve: (project, _args, context) => `${context.baseUrl}/${project.fullPath}`,
    }),
  }),
});
