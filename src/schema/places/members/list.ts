import type { Context } from '../../../context.ts';
import { countMembers, listMembers, type ListedMemberRow, type MemberRow, type Scope } from './statements.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { batchedLists } from '../../engine/batched.ts';
import { searchText } from '../../engine/list.ts';
import type { Rows } from '../../engine/page.ts';
import { reference } from '../../engine/global-id.ts';
import { seenBy } from '../place/seen-by.ts';

/** Filters of a list of members. */
export interface Search {
  readonly inherited?: boolean | null | undefined;
  readonly search?: string | null | undefined;
  readonly userIds?: readonly string[] | null | undefined;
  readonly skipUserIds?: readonly string[] | null | undefined;
}

/** The parameters of the statement, for one place or for many. */
interface Question {
  readonly scope: Scope;
  readonly order: 'asc' | 'desc';
  /** Parameters from the third on. */
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

/** Maximum number of people in a filter. */
const maxNamed = 1_000;

function idsOf(given: readonly string[] | null | undefined): number[] | null {
  if (given == null) return null;
  if (given.length > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} people.`);
  return given.map(userIdOf);
}

/** The id of a person; 0, which no person has, for anything else. */
export function userIdOf(given: string): number {
  const { by, value } = reference(given, 'User');
  return by === 'id' ? Number(value) : 0;
}

/** The `ilike` pattern for a text anywhere; null for none. */
function containing(text: string | null | undefined): string | null {
  const wanted = searchText(text?.trim()) ?? '';
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
}

/** By the ids of people: a page continues after an id, whatever changed in between. */
export const memberOrder = { user_id: { column: 'm.user_id', type: 'int' } } as const;

/**
 * The members of a place, each person once, with their highest role, direct or inherited. One statement reads the
 * lists of many places with the same arguments.
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

/** The memberships of some people in a place; people without one are left out. */
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

/** The membership of one person in a place. @throws NotFound */
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
