import type { Context } from '../../../context.ts';
import { namespaceList, takenPaths } from './statements.ts';
import { findGroup, findNamespace } from '../../../database/access/places.ts';
import { NotFound } from '../../../errors.ts';
import { holds, isAdministrator, makeSubgroup, reads } from '../../../policy/index.ts';
import { maxNameLength } from '../../../values/text/place-names.ts';
import { builder } from '../../engine/builder.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { reference } from '../../engine/global-id.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { nameOf, placeArgs } from '../place/name.ts';
import { namespaceById, seesGroup } from '../place/read.ts';
import { Namespace } from '../place/types.ts';

rootList('namespaces', {
  type: Namespace,
  description:
    'Your own namespace, and the groups of which you are a direct or inherited member. For administrators: all namespaces.',
  admission: { class: 'token', scopes: reads },
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    ownedOnly: t.boolean({
      defaultValue: false,
      description: 'Only your own namespace and groups that you own directly.',
    }),
    topLevelOnly: t.boolean({ defaultValue: false, description: 'Only top-level ones.' }),
  }),
  orders: { id: { column: 'n.id', type: 'int' } },
  by: 'id_asc',
  rows: ({ viewer }, { search, ownedOnly, topLevelOnly }) =>
    namespaceList(viewer.person?.id ?? 0, isAdministrator(viewer), {
      search: searchText(search),
      owned: ownedOnly,
      topLevelOnly,
    }),
});

builder.queryField('namespace', (t) =>
  t.field({
    type: Namespace,
    nullable: true,
    description:
      'A group that you can see, or your own namespace, by full path or id; null for any other. Administrators see all.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: placeArgs,
    resolve: async (_root, args, context) => {
      const { viewer, database } = context;
      const { by, value } = reference(nameOf(args), 'Namespace');
      const [found] = await database.rows(findNamespace[by], [value, viewer.person?.id ?? null]);
      // The same work whether it is hidden or missing: timing reveals nothing.
      const group = await seesGroup(context, found?.id ?? 0);
      const own = found?.owner_id != null && (found.owner_id === viewer.person?.id || isAdministrator(viewer));
      return found && (group || own) ? await namespaceById(context, found.id) : null;
    },
  }),
);

interface Taken {
  readonly exists: boolean;
  readonly suggestions: readonly string[];
}

const PathAvailability = builder.objectRef<Taken>('PathAvailability').implement({
  description: 'Whether a path is taken.',
  fields: (t) => ({
    exists: t.exposeBoolean('exists'),
    suggestions: t.exposeStringList('suggestions', {
      description: 'A similar path that is free, if it is taken.',
    }),
  }),
});

/** Suffixes to try for a path that is taken. */
const suffixes = Array.from({ length: 50 }, (_, index) => index + 1);

/**
 * The path of a group with a slash after it; empty at the root. Undefined if the viewer couldn't create a group
 * there, so that nothing is revealed.
 */
async function prefixOf(context: Context, parent: string | null): Promise<string | undefined> {
  if (parent === null) return '';
  try {
    const row = await lookUp(context, findGroup, 'Group', parent);
    if (!holds(makeSubgroup[row.subgroup_creation_level], context.viewer, facts(row))) return undefined;
    return `${(await namespaceById(context, row.id))!.fullPath}/`;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

builder.queryField('pathAvailability', (t) =>
  t.field({
    type: PathAvailability,
    nullable: true,
    description:
      'Whether a path is taken, at the root or in a group. In a group where you can’t create groups, every path is reported as free.',
    admission: { class: 'token', scopes: reads },
    args: {
      path: t.arg.string({ required: true }),
      parent: t.arg.id({ description: 'Id or full path of a group.' }),
    },
    resolve: async (_root, { path, parent }, context) => {
      const prefix = await prefixOf(context, parent ?? null);
      if (prefix === undefined || path.length > maxNameLength) return { exists: false, suggestions: [] };
      const asked = [path, ...suffixes.map((number) => `${path}${number}`)];
      const rows = await context.database.rows(takenPaths, [asked.map((one) => `${prefix}${one}`.toLowerCase())]);
      const taken = new Set(rows.map((row) => row.path));
      const isTaken = (one: string) => taken.has(`${prefix}${one}`.toLowerCase());
      if (!isTaken(path)) return { exists: false, suggestions: [] };
      return { exists: true, suggestions: asked.filter((one) => !isTaken(one)).slice(0, 1) };
    },
  }),
);
