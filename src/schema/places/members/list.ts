import type { Context } from '../../../context.ts';
import { memberLists, type MemberFilter } from './statements/list.ts';
import type { Watcher } from './statements/page.ts';
import type { MemberRow, Scope } from './statements/row.ts';
import type { Relation } from './statements/sources.ts';
import { NotFound } from '../../../errors.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { listOfEach, refuseMany, searchText } from '../../engine/list.ts';
import type { Rows } from '../../engine/page.ts';
import { idIn } from '../../engine/global-id.ts';
import { seenBy } from '../place/seen-by.ts';
import { levelOf, type AccessLevelName } from './access-level.ts';
import { toMember, type ListedMember, type Member } from './member.ts';

/** Filters of a list of members, as clients give them. Omitted or null filters match everyone. */
export interface Search {
  readonly search?: string | null | undefined;
  readonly accessLevels?: readonly AccessLevelName[] | null | undefined;
  readonly userIds?: readonly string[] | null | undefined;
  readonly skipUserIds?: readonly string[] | null | undefined;
}

function idsOf(given: readonly string[] | null | undefined): number[] | null {
  if (given == null) return null;
  refuseMany(given.length, 'people');
  return given.map((one) => idIn(one, 'User'));
}

/** The `ilike` pattern for a text anywhere; null for none. */
function containing(text: string | null | undefined): string | null {
  const wanted = searchText(text?.trim()) ?? '';
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
}

/** By the ids of people: a page continues after an id, whatever changed in between. */
export const memberOrder = { user_id: { column: 'm.user_id', type: 'int' } } as const;

/** The viewer, as the statements of lists need them. */
export const watcherOf = (context: Context): Watcher => ({ id: context.viewer.person?.id ?? null, ...seenBy(context) });

/** A list of rows as a list of memberships. */
export const asMembers = (rows: Rows<MemberRow>): Rows<ListedMember> => ({
  page: async (order, slice) => (await rows.page(order, slice)).map(toMember),
  count: (most) => rows.count(most),
});

const listed = {
  group: listOfEach((context, filter: MemberFilter) => memberLists('group', watcherOf(context), filter)),
  project: listOfEach((context, filter: MemberFilter) => memberLists('project', watcherOf(context), filter)),
} satisfies Record<Scope, unknown>;

const everyone: readonly Relation[] = [
  'DIRECT',
  'INHERITED',
  'SHARED_FROM_GROUPS',
  'INVITED_GROUPS',
  'SHARED_INTO_ANCESTORS',
];

/** Which relations a list has: only direct members, or everyone with a role. */
export const relationsOf = (inherited: boolean | null | undefined): readonly Relation[] =>
  inherited ? everyone : ['DIRECT'];

/**
 * The members of a place, each person once, with their highest role. One statement reads the lists of many places with the
 * same arguments.
 */
export function membersOf(
  context: Context,
  { scope, id }: { scope: Scope; id: number },
  relations: readonly Relation[],
  { search, accessLevels, userIds, skipUserIds }: Search = {},
): Rows<ListedMember> {
  const filter: MemberFilter = {
    relations,
    pattern: containing(search),
    address: search?.trim().toLowerCase() || null,
    everyAddress: isAdministrator(context.viewer),
    people: idsOf(userIds),
    skippedPeople: idsOf(skipUserIds),
    accessLevels: accessLevels?.map(levelOf) ?? null,
  };
  return asMembers(listed[scope](context, id, filter));
}

/** The memberships of some people in a place, `inherited` and shared ones too; people without one are left out. */
export async function membersAmong(
  context: Context,
  place: { scope: Scope; id: number },
  userIds: readonly number[],
  inherited: boolean,
): Promise<Member[]> {
  const members = membersOf(context, place, relationsOf(inherited), { userIds: userIds.map(String) });
  const page = { after: null, before: null, offset: 0, limit: userIds.length, inverted: false };
  return await members.page({ name: 'user_id', direction: 'asc', ...memberOrder.user_id }, page);
}

/** The membership of one person in a place. @throws NotFound */
export async function existingMember(
  context: Context,
  place: { scope: Scope; id: number },
  userId: string,
  inherited: boolean,
): Promise<Member> {
  const [member] = await membersAmong(context, place, [idIn(userId, 'User')], inherited);
  if (!member) throw new NotFound('Member');
  return member;
}
