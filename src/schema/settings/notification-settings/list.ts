import { resolveCursorConnection, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../../context.ts';
import { listSettings, type EffectiveLevelRow } from './statements.ts';
import { BadRequest } from '../../../errors.ts';
import type { Person } from '../../../policy/index.ts';
import { seenBy } from '../../places/place/seen-by.ts';
import { isSelectedOfEach } from '../../engine/selection.ts';
import { pageSize } from '../../../values/page-size.ts';
import { offsetOf } from '../../engine/page.ts';
import { toEffective } from './effective.ts';
import { toSetting, type Setting } from './setting.ts';

interface Listed extends Setting {
  readonly fullPath: string;
}

interface ListArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly search?: string | null;
  readonly inherited?: boolean | null;
  readonly changed?: boolean | null;
}

const maxSearchLength = 255;

/**
 * All settings of a person, in pages: one statement for a page of any size. The cursor is a path, so that a page
 * continues at the same place after inserts.
 */
export function settingsConnection(context: Context, person: Person, args: ListArguments, info: GraphQLResolveInfo) {
  offsetOf(args);
  const search = args.search?.trim() || null;
  if (search !== null && search.length > maxSearchLength)
    throw new BadRequest(`A search has at most ${maxSearchLength} characters.`);
  return resolveCursorConnection(
    { args, ...pageSize, toCursor: ({ fullPath }: Listed) => toCursor(fullPath) },
    async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Promise<Listed[]> => {
      const effective = isSelectedOfEach(info, 'effective');
      const { variant, visible } = seenBy(context);
      const { statement, values } = listSettings(person.id, variant, visible, {
        after: fromCursor(after),
        before: fromCursor(before),
        limit,
        order: inverted ? 'desc' : 'asc',
        search,
        inherited: args.inherited === true,
        changed: args.changed === true,
        effective,
      });
      const rows = await context.database.rows(statement, values);
      return rows.map((row) =>
        Object.assign(toSetting(person, row.scope, row.scope === 'GLOBAL' ? null : row.id, row), {
          fullPath: row.full_path,
          effective: effective ? toEffective(row as EffectiveLevelRow) : undefined,
        }),
      );
    },
  );
}

/** The cursor of a path. It has a leading slash: the global setting has an empty path, which isn't “no cursor”. */
const toCursor = (fullPath: string) => Buffer.from(`/${fullPath}`).toString('base64url');

function fromCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const path = Buffer.from(cursor, 'base64url').toString();
  if (!path.startsWith('/') || path.includes('\0')) throw new BadRequest('A cursor is one that a page gave you.');
  return path.slice(1);
}
