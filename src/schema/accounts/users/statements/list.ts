import { statement } from '../../../../database/index.ts';
import { ListQuery } from '../../../../database/list.ts';
import { matches } from '../../../../database/matching.ts';
import { hasSecondFactor, shownState, type PersonState } from '../../../../database/access/people.ts';
import { isGhost } from './ghost.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';

/** Filters of a list of people. Omitted or null filters match everyone. */
export interface UserFilter {
  readonly ids?: readonly number[] | undefined;
  /** In lower case. */
  readonly usernames?: readonly string[] | undefined;
  readonly search?: string | null | undefined;
  /** Whether a search matches addresses that only administrators see. */
  readonly everyAddress: boolean;
  readonly states?: readonly PersonState[] | null | undefined;
  /** Whether people who are blocked or banned are in the list at all. */
  readonly everyState: boolean;
  /** In lower case. */
  readonly publicEmail?: string | undefined;
  readonly identity?: { readonly provider: string; readonly externUid: string } | null | undefined;
  readonly withoutProjects?: boolean | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
  readonly admins?: boolean | null | undefined;
  readonly external?: boolean | null | undefined;
  /** Whether without accounts of the instance itself. */
  readonly humans?: boolean | null | undefined;
  /** Whether only these. */
  readonly excludeHumans?: boolean | null | undefined;
  readonly twoFactor?: boolean | null | undefined;
}

/** SQL for the ids of the people with some names. */
const ownersOf = (names: string) =>
  `select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = any(${names}::text[]) and n.owner_id is not null`;

const ofName = (name: string) =>
  `u.id = (select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = ${name}::text)`;

/** A person by id or by name ($1, in lower case), unless they are being removed. */
export const findUser = {
  id: statement<UserRecord>(
    'find_user_by_id',
    `select ${userReading.columns} from ${userReading.from} where u.id = $1::int and u.deleting_since is null`,
  ),
  path: statement<UserRecord>(
    'find_user_by_name',
    `select ${userReading.columns} from ${userReading.from} where ${ofName('$1')} and u.deleting_since is null`,
  ),
} as const;

/** People, except those who are being removed. */
export function userList(filter: UserFilter): ListQuery<UserRecord> {
  const query = new ListQuery('users u', 'u.id', userReading);
  query.where('u.deleting_since is null');
  const [first, ...more] = filter.usernames ?? [];
  if (first !== undefined && more.length === 0) query.where(ofName(query.key(first)));
  else query.given(filter.usernames, (names) => `u.id = any(array(${ownersOf(names)}))`);
  const search = filter.search?.trim();
  if (search) {
    const names = matches(search, ['u.name', 'u.username'], (value) => query.value(value));
    // Only complete addresses: a search must not reveal one letter by letter.
    const address = query.value(search.toLowerCase());
    const own = filter.everyAddress
      ? ` or u.id = (select e.user_id from emails e where e.address = ${address}::text)`
      : '';
    query.where(`(${names} or u.public_email = ${address}::text${own})`);
  }
  query
    .given(filter.ids, (ids) => `u.id = any(${ids}::int[])`)
    .given(filter.createdAfter, (moment) => `u.created_at > ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `u.created_at < ${moment}::timestamptz`);
  const { states, identity } = filter;
  if (!filter.everyState)
    query.where(`(u.state = 'ACTIVE' or u.blocked_as in ('DEACTIVATED', 'BLOCKED_PENDING_APPROVAL'))`);
  if (states) {
    // The stored state has an index.
    const stored = [
      ...(states.includes('ACTIVE') ? ['ACTIVE'] : []),
      ...(states.some((one) => one !== 'ACTIVE') ? ['BLOCKED'] : []),
    ];
    query.where(`u.state = any(${query.value(stored)}::"UserState"[])`);
    if (stored.includes('BLOCKED')) query.where(`${shownState} = any(${query.value(states)}::text[])`);
  }
  query.given(filter.publicEmail, (address) => `u.public_email = ${address}::text`);
  if (identity)
    query.where(
      `u.id = (select i.user_id from identities i where i.provider = ${query.value(identity.provider)}::text and lower(i.extern_uid) = lower(${query.value(identity.externUid)}::text))`,
    );
  if (filter.withoutProjects)
    query.where(`not exists (select 1 from project_members m where m.user_id = u.id)
      and not exists (select 1 from namespaces n join projects p on p.namespace_id = n.id where n.owner_id = u.id and p.deleting_since is null)`);
  if (filter.humans) query.where(`not ${isGhost('u.')}`);
  if (filter.excludeHumans) query.where(isGhost('u.'));
  if (filter.admins) query.where('u.administrator');
  query.given(filter.external, (external) => `u.external = ${external}::boolean`);
  return query.given(filter.twoFactor, (enabled) => `${hasSecondFactor('u.id')} = ${enabled}::boolean`);
}
