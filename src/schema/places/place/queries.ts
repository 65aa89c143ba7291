import { findGroup, findProject } from '../../../database/access/places.ts';
import { Moved, NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { lookUp } from './look-up.ts';
import { nameOf, placeArgs } from './name.ts';
import { namespaceById, projectById } from './read.ts';
import { Group, Project } from './types.ts';

/** Turns NotFound into null, but not Moved, which reports the new path of a place. */
async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotFound && !(error instanceof Moved)) return null;
    throw error;
  }
}

builder.queryFields((t) => ({
  project: t.field({
    type: Project,
    nullable: true,
    description: 'A project by full path or id; null if it is missing or you can’t see it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: placeArgs,
    resolve: async (_root, args, context) => {
      const found = await nullIfMissing(lookUp(context, findProject, 'Project', nameOf(args)));
      return found && (await projectById(context, found.id));
    },
  }),
  group: t.field({
    type: Group,
    nullable: true,
    description: 'A group by full path or id; null if it is missing or you can’t see it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: placeArgs,
    resolve: async (_root, args, context) => {
      const found = await nullIfMissing(lookUp(context, findGroup, 'Group', nameOf(args)));
      return found && (await namespaceById(context, found.id));
    },
  }),
}));
