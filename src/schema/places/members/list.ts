import type { Context } from '../../../context.ts';
import { countMembers, listMembers, type ListedMemberRow, type MemberRow, type Scope } from './statements.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { batchedLists } from '../../engine/batched.ts';
import { searchText } from '../../engine/list.ts';
import type { Rows } from '../../engine/page.ts';
import { reference } from '../place/look-up.ts';
import { seenBy } from '../place/seen-by.ts';

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
    return context.database.rows(listMembers(scope, variant, order, visible), [
      places,
      context.viewer.person?.id ?? null,
      ...values,
    ]);
  },
  ({ place_id }) => place_id,
);

const counted = batchedLists<Omit<Question, 'order'>, { place_id: number; total: number }>(
  (context, places, { scope, values }) => {
    const { variant, visible } = seenBy(context);
    return context.database.rows(countMembers(scope, variant, visible), [
      places,
      context.viewer.person?.id ?? null,
      ...values,
    ]);
  },
  ({ place_id }) => place_id,
);

/** The most people that a list can be narrowed to, or leave out, by naming them. */
const maxNamed = 1_000;

function idsOf(given: readonly string[] | null | undefined): number[] | null {
  if (given == null) return null;
  if (given.length > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} people.`);
  return given.map(userIdOf);
}

/** The number of a person; 0, which nobody has, for what is none. */
export function userIdOf(given: string): number {
  const { by, value } = reference(given);
  return by === 'id' ? Number(value) : 0;
}

/** What `ilike` takes as that text anywhere; null for none. */
function containing(text: string | null | undefined): string | null {
  const wanted = searchText(text?.trim()) ?? '';
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
}

/** By the numbers of the people: a page goes on after one of them, whatever changed in between. */
export const memberOrder = { USER_ID: { column: 'm.user_id', type: 'int' } } as const;

/**
 * The members of a place, each person once, with the highest role, which may come from above. Lists
 * of many places in one request, asked for in the same words, are read by one statement.
 */
export function membersOf(
  context: Context,
  { scope, id }: { scope: Scope; id: number },
  { inherited, search, userIds, skipUserIds }: Search,
): Rows<ListedMemberRow> {
  const who = [inherited ?? false, containing(search), idsOf(userIds), idsOf(skipUserIds)];
  return {
    page: (_order, { before, after, limit, offset, inverted: backwards }) =>
      listed(context, id, {
        scope,
        order: backwards ? 'desc' : 'asc',
        values: [...who, after?.id ?? null, before?.id ?? null, limit, offset],
      }),
    count: async (most) => (await counted(context, id, { scope, values: [...who, most] }))[0]!.total,
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
