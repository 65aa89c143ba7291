import type { Context } from '../../../context.ts';
import { findGroup, findProject, type PlaceRow } from '../../../database/access/places.ts';
import { Moved, NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { lookUp } from './look-up.ts';
import { nameOf, placeArgs } from './name.ts';
import { namespaceById, projectById } from './read.ts';
import { Group, Project } from './types.ts';

/**
 * The id of a place; null if it is missing or hidden. At `/graphql` a former path leads to the place, as the redirect of
 * REST does.
 * @throws Moved to other doors, which redirect
 */
async function idOf({ fillsErrors }: Context, found: Promise<PlaceRow>): Promise<number | null> {
  try {
    return (await found).id;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    if (!(error instanceof Moved)) return null;
    if (fillsErrors) return error.id;
    throw error;
  }
}

builder.queryFields((t) => ({
  project: t.field({
    type: Project,
    nullable: true,
    description: 'A project by full path, a former one too, or id; null if it is missing or you can’t see it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: placeArgs,
    resolve: async (_root, args, context) =>
      projectById(context, await idOf(context, lookUp(context, findProject, 'Project', nameOf(args)))),
  }),
  group: t.field({
    type: Group,
    nullable: true,
    description: 'A group by full path, a former one too, or id; null if it is missing or you can’t see it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: placeArgs,
    resolve: async (_root, args, context) =>
      namespaceById(context, await idOf(context, lookUp(context, findGroup, 'Group', nameOf(args)))),
  }),
}));
