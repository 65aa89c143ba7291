import { resolveCursorConnection, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { Context } from '../../context.ts';
import { listSettings } from '../../database/statements/notification-settings.ts';
import { BadRequest } from '../../errors.ts';
import { isAdministrator, seePlace, toSql, type Person } from '../../policy/index.ts';
import { pageSize } from '../builder.ts';
import { offsetOf } from '../page.ts';
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
}

const longestSearch = 255;

/**
 * Every setting of a person, in pages: one statement a page, whatever its size.
 * The cursor is a path, so that a page goes on at the same place after inserts.
 */
export function settingsConnection(
  context: Context,
  person: Person,
  args: ListArguments,
) {
  offsetOf(args);
  const search = args.search?.trim() || null;
  if (search !== null && search.length > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  return resolveCursorConnection(
    { args, ...pageSize, toCursor: ({ fullPath }: Listed) => toCursor(fullPath) },
    async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Promise<Listed[]> => {
      const statement = listSettings(
        isAdministrator(context.viewer) ? 'all' : 'visible',
        inverted ? 'desc' : 'asc',
        (columns) => toSql(seePlace, context.viewer, columns),
      );
      const rows = await context.database.rows(statement, [
        person.id,
        fromCursor(after),
        fromCursor(before),
        limit,
        search,
        args.inherited === true,
      ]);
      return rows.map((row) => ({
        ...toSetting(person, row.scope, row.scope === 'GLOBAL' ? null : row.id, row),
        fullPath: row.full_path,
      }));
    },
  );
}

/** The global setting's path is empty, so a cursor needs a mark to tell it from none. */
const toCursor = (fullPath: string) => Buffer.from(`/${fullPath}`).toString('base64url');

function fromCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const path = Buffer.from(cursor, 'base64url').toString();
  if (!path.startsWith('/') || path.includes('\0')) throw new BadRequest('A cursor is one that a page gave you.');
  return path.slice(1);
}
