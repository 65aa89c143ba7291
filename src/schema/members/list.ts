import { resolveCursorConnection, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { Context } from '../../context.ts';
import { countMembers, listMembers, type ListedMemberRow, type MemberRow, type Scope } from '../../database/statements/members.ts';
import { BadRequest, NotFound } from '../../errors.ts';
import { batchedLists } from '../batched.ts';
import { pageSize } from '../builder.ts';
import { mostCounted, offsetOf, type PageArgs } from '../page.ts';
import { reference } from '../places/look-up.ts';
import { seenBy } from '../places/seen-by.ts';

/** Who is looked for among the members of a place. */
export interface Search {
  readonly inherited?: boolean | null | undefined;
  readonly search?: string | null | undefined;
  readonly userIds?: readonly string[] | null | undefined;
  readonly skipUserIds?: readonly string[] | null | undefined;
}

/** What the statement is asked for one place or for many. */
interface Question {
  readonly scope: Scope;
  readonly order: 'asc' | 'desc';
  /** From the third parameter on. */
  readonly values: readonly unknown[];
}

const listed = batchedLists<Question, ListedMemberRow>(
  (context, places, { scope, order, values }) => {
    const { variant, visible } = seenBy(context);
    return context.database.rows(listMembers(scope, variant, order, visible), [places, context.viewer.person?.id ?? null, ...values]);
  },
  ({ place_id }) => place_id,
);

const counted = batchedLists<Omit<Question, 'order'>, { place_id: number; total: number }>(
  (context, places, { scope, values }) => {
    const { variant, visible } = seenBy(context);
    return context.database.rows(countMembers(scope, variant, visible), [places, context.viewer.person?.id ?? null, ...values]);
  },
  ({ place_id }) => place_id,
);

/** The most people that a list can be narrowed to, or leave out, by naming them. */
const mostNamed = 1_000;

function idsOf(given: readonly string[] | null | undefined): number[] | null {
  if (given == null) return null;
  if (given.length > mostNamed) throw new BadRequest(`Name no more than ${mostNamed} people.`);
  return given.map(userIdOf);
}

/** The number of a person; 0, which nobody has, for what is none. */
export function userIdOf(given: string): number {
  const { by, value } = reference(given);
  return by === 'id' ? Number(value) : 0;
}

/** Longest text that is searched for. */
const longestSearch = 1_000;

/** What `ilike` takes as that text anywhere; null for none. */
function containing(text: string | null | undefined): string | null {
  const wanted = text?.trim() ?? '';
  if (wanted.length > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A page goes on after a person, whoever came or went in between. */
const toCursor = ({ user_id: id }: MemberRow) => Buffer.from(`member ${id}`).toString('base64url');

function fromCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [, id] = /^member (\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || userIdOf(id) === 0) throw new BadRequest('A cursor is one that a page gave you.');
  return Number(id);
}

/** The members of a place, in pages: each person once, with the highest role, which may come from above. */
export async function membersConnection(context: Context, { scope, id }: { scope: Scope; id: number }, args: PageArgs & Search) {
  const offset = offsetOf(args);
  const who = [args.inherited ?? false, containing(args.search), idsOf(args.userIds), idsOf(args.skipUserIds)];
  const connection = await resolveCursorConnection(
    { args, ...pageSize, toCursor },
    ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Promise<MemberRow[]> =>
      listed(context, id, { scope, order: inverted ? 'desc' : 'asc', values: [...who, fromCursor(after), fromCursor(before), limit, offset] }),
  );
  return {
    ...connection,
    async total() {
      const [row] = await counted(context, id, { scope, values: [...who, mostCounted + 1] });
      return row!.total > mostCounted ? null : row!.total;
    },
  };
}

/** What these people are in a place, as far as they are something. */
export async function membersAmong(
  context: Context,
  { scope, id }: { scope: Scope; id: number },
  userIds: readonly number[],
  inherited: boolean,
): Promise<MemberRow[]> {
  return await listed(context, id, {
    scope,
    order: 'asc',
    values: [inherited, null, userIds, null, null, null, userIds.length, 0],
  });
}

/**
 * What one person is in a place.
 * @throws NotFound
 */
export async function existingMember(
  context: Context,
  place: { scope: Scope; id: number },
  userId: string,
  inherited: boolean,
): Promise<MemberRow> {
  const [member] = await membersAmong(context, place, [userIdOf(userId)], inherited);
  if (!member) throw new NotFound('Member');
  return member;
}
