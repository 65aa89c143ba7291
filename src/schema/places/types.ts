import { builder } from '../builder.ts';

export const VisibilityType = builder.enumType('Visibility', {
  description: 'Who can see a group or a project.',
  values: {
    PRIVATE: { description: 'Its members.' },
    INTERNAL: { description: 'Everyone who is signed in.' },
    PUBLIC: { description: 'Everyone.' },
  } as const,
});

export const Group = builder.prismaObject('Namespace', {
  name: 'Group',
  description: 'Holds projects and other groups.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullPath: t.exposeString('fullPath', { description: 'The path from the root, as in `demo/platform`.' }),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The page for people.',
      resolve: (group, _args, context) => `${context.baseUrl}/groups/${group.fullPath}`,
    }),
  }),
});

export const Project = builder.prismaObject('Project', {
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
