import { resolveCursorConnection, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { Context } from '../../context.ts';
import { listMembers, type ListedMemberRow, type MemberRow, type Scope } from '../../database/statements/members.ts';
import { BadRequest, NotFound } from '../../errors.ts';
import { pageSize } from '../builder.ts';
import { containing, fromCursor, listsOf, refuseSize, toCursor, type PageArgs } from '../pages.ts';
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

const load = listsOf<Question, ListedMemberRow>(
  (context, places, { scope, order, values }) => {
    const { variant, visible } = seenBy(context);
    return context.database.rows(listMembers(scope, variant, order, visible), [places, context.viewer.person?.id ?? null, ...values]);
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

/** The members of a place, in pages: each person once, with the highest role, which may come from above. */
export function membersConnection(context: Context, scope: Scope, placeId: number, args: PageArgs & Search) {
  refuseSize(args);
  const idIn = (cursor: string | undefined) => fromCursor(cursor, 'number')?.[0] ?? null;
  return resolveCursorConnection(
    { args, ...pageSize, toCursor: ({ user_id }: MemberRow) => toCursor(user_id) },
    ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Promise<MemberRow[]> =>
      load(context, placeId, {
        scope,
        order: inverted ? 'desc' : 'asc',
        values: [
          args.inherited ?? false,
          containing(args.search),
          idsOf(args.userIds),
          idsOf(args.skipUserIds),
          idIn(after),
          idIn(before),
          limit,
          0,
        ],
      }),
  );
}

/** What these people are in a place, as far as they are something. */
export async function membersAmong(
  context: Context,
  { scope, id }: { scope: Scope; id: number },
  userIds: readonly number[],
  inherited: boolean,
): Promise<MemberRow[]> {
  return await load(context, id, {
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
