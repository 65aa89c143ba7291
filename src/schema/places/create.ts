import type { Context } from '../../context.ts';
import { findGroup } from '../../database/statements/places.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems, textProblems, unlessTaken } from '../input.ts';
import { lookUp } from './look-up.ts';
import { pathProblems } from './paths.ts';
import { Group, VisibilityType } from './types.ts';

function checkNames({ name, path }: { name: string; path: string }, atRoot: boolean): void {
  const problems = new Problems();
  problems.add('name', textProblems(name));
  problems.add('path', pathProblems(path, atRoot));
  problems.refuse();
}

/** The group that something is made in. */
async function parentOf(context: Context, group: string) {
  const { id } = await lookUp(context, findGroup, 'Group', group);
  return await context.database.prisma.namespace.findUniqueOrThrow({ where: { id } });
}

builder.mutationField('createGroup', (t) =>
  t.prismaField({
    type: Group,
    nullable: true,
    description: 'Makes a group. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreateGroupInput', {
          fields: (field) => ({
            parent: field.id({ description: 'Number or full path of the group to make it in; left out: at the root.' }),
            path: field.string({ required: true }),
            name: field.string({ required: true }),
            description: field.string({ defaultValue: '' }),
            visibility: field.field({ type: VisibilityType, defaultValue: 'PRIVATE' }),
          }),
        }),
      }),
    },
    resolve: async (query, _root, { input }, context) => {
      requireAdministrator(context);
      const { path, name } = input;
      const parent = input.parent == null ? null : await parentOf(context, input.parent);
      checkNames(input, parent === null);
      const fullPath = parent ? `${parent.fullPath}/${path}` : path;
      return await unlessTaken({ Route: 'path' }, () =>
        context.database.prisma.$transaction(async (prisma) => {
          const { id } = await prisma.namespace.create({
            data: {
              kind: 'GROUP',
              parentId: parent?.id ?? null,
              path,
              name,
              fullPath,
              description: input.description ?? '',
              visibility: input.visibility ?? 'PRIVATE',
            },
          });
          await prisma.route.create({ data: { path: fullPath.toLowerCase(), namespaceId: id } });
          return await prisma.namespace.update({
            ...query,
            where: { id },
            data: { ancestry: [...(parent?.ancestry ?? []), id] },
          });
        }),
      );
    },
  }),
);
