import type { Context } from '../../../context.ts';
import { namespaceList, takenPaths } from './statements.ts';
import { findGroup, findNamespace } from '../../../database/access/places.ts';
import { NotFound } from '../../../errors.ts';
import { holds, isAdministrator, makeSubgroup, reads } from '../../../policy/index.ts';
import { maxNameLength } from '../../../values/place-names.ts';
import { builder } from '../../engine/builder.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { facts, lookUp, reference } from '../place/look-up.ts';
import { namespaceById, seesGroup } from '../place/read.ts';
import { Namespace } from '../place/types.ts';

rootList('namespaces', {
  type: Namespace,
  description:
    'What you can make projects in or find them: your own place, and the groups of which you are a member, here or above. For administrators all that there is.',
  admission: { class: 'token', scopes: reads },
  args: (t) => ({
    search: t.string({ description: 'Every word of it in the name or the full path.' }),
    ownedOnly: t.boolean({
      defaultValue: false,
      description: 'Only your own place and the groups that you own yourself.',
    }),
    topLevelOnly: t.boolean({ defaultValue: false, description: 'Only those that lie in no other.' }),
  }),
  orders: { ID: { column: 'n.id', type: 'int' } },
  by: ['ID', 'ASC'],
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
      'A group that you can see, or your own place, by number or full path; null for any other. Administrators see all.',
    admission: { class: 'token', scopes: reads },
    args: { id: t.arg.id({ required: true, description: 'Number or full path.' }) },
    resolve: async (_root, { id: given }, context) => {
      const { viewer, database } = context;
      const { by, value } = reference(given);
      const [found] = await database.rows(findNamespace[by], [value, viewer.person?.id ?? null]);
      // Hidden or missing, it is the same work.
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
      description: 'A path beside it that is free, where it is taken.',
    }),
  }),
});

/** Numbers that are tried behind a path that is taken. */
const tried = Array.from({ length: 50 }, (_, index) => index + 1);

/**
 * The path of a group with a slash after it; empty at the root. Undefined where the
 * viewer couldn't make a group, and so isn't told what is there.
 */
async function prefixOf(context: Context, parent: string | null): Promise<string | undefined> {
  if (parent === null) return '';
  try {
    const row = await lookUp(context, findGroup, 'Group', parent);
    if (!holds(makeSubgroup, context.viewer, facts(row))) return undefined;
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
      'Whether a path is taken, at the root or in a group; of a group in which you can’t make one it is said to be free.',
    admission: { class: 'token', scopes: reads },
    args: {
      path: t.arg.string({ required: true }),
      parent: t.arg.id({ description: 'Number or full path of a group.' }),
    },
    resolve: async (_root, { path, parent }, context) => {
      const prefix = await prefixOf(context, parent ?? null);
      if (prefix === undefined || path.length > maxNameLength) return { exists: false, suggestions: [] };
      const asked = [path, ...tried.map((number) => `${path}${number}`)];
      const rows = await context.database.rows(takenPaths, [asked.map((one) => `${prefix}${one}`.toLowerCase())]);
      const taken = new Set(rows.map((row) => row.path));
      const isTaken = (one: string) => taken.has(`${prefix}${one}`.toLowerCase());
      if (!isTaken(path)) return { exists: false, suggestions: [] };
      return { exists: true, suggestions: asked.filter((one) => !isTaken(one)).slice(0, 1) };
    },
  }),
);
