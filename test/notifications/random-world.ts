import type { TestGateway } from '../support/gateway.ts';

/** A project in groups, with people, settings and things that people say and do: everything at random, from a seed. */

export type Random = ReturnType<typeof randomFrom>;

/** A generator of random choices (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  return {
    next,
    one,
    often: (chance: number) => next() < chance,
    some: <T>(list: readonly T[], chance: number) => list.filter(() => next() < chance),
  };
}

type Level = 'DISABLED' | 'PARTICIPATING' | 'WATCH' | 'GLOBAL' | 'MENTION' | 'CUSTOM' | null;
export interface Setting {
  readonly level: Level;
  readonly events: { readonly [event: string]: boolean };
}
/** An address of a person for mail: it takes messages, isn't confirmed, or refused too many. */
type Address = 'good' | 'unconfirmed' | 'bouncing';
/** A setting with the address that was chosen in it. */
type Mailed = Setting & { readonly address: Address | null };
export interface Person {
  readonly id: number;
  readonly state: 'ACTIVE' | 'BLOCKED';
  readonly removed: boolean;
  readonly administrator: boolean;
  readonly external: boolean;
  /** Whether epics are for them. */
  readonly premium: boolean;
  /** Roles that are in force: in the project, in each group above it from the root, in the group that it is shared with. */
  readonly inProject: number | null;
  readonly inGroups: readonly (number | null)[];
  readonly inInvited: number | null;
  /** A membership in the root group that has ended. */
  readonly expired: boolean;
  readonly ofProject: Setting | null;
  readonly ofGroups: readonly (Mailed | null)[];
  readonly ofAll: (Mailed & { readonly own: boolean; readonly muted: boolean }) | null;
  readonly primary: Address | null;
}
interface Issue {
  readonly id: number;
  readonly author: number;
  readonly assignee: number | null;
  readonly confidential: boolean;
  readonly labels: readonly number[];
  /** Who commented or was mentioned, and who only gave an award. */
  readonly taking: readonly number[];
  readonly awarding: readonly number[];
  /** Who changed it: they wrote notes of the system. */
  readonly changing: readonly number[];
  readonly said: ReadonlyMap<number, boolean>;
}
export interface World {
  readonly projectId: number;
  readonly otherProjectId: number;
  readonly visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
  /** What sends no mail: the project, or the group at this depth, with all below it; null if everything does. */
  readonly silent: 'project' | number | null;
  readonly issuesFor: 'disabled' | 'private' | 'enabled';
  /** The role that the share with the invited group gives at most; null: it isn't shared. */
  readonly shared: number | null;
  /** Whose own namespace the project is in; null: in groups. */
  readonly ownerId: number | null;
  /** From the root to the lowest, which the project is in. */
  readonly groupIds: readonly number[];
  readonly people: readonly Person[];
  readonly issues: readonly Issue[];
  readonly snippet: {
    readonly id: number;
    readonly author: number;
    readonly visibility: World['visibility'];
    readonly commented: readonly number[];
    /** Who was mentioned in it, or in a comment on it. */
    readonly mentioned: readonly number[];
  };
  /** In the lowest group; null without groups. */
  readonly epic: { readonly id: number; readonly author: number; readonly said: ReadonlyMap<number, boolean> } | null;
  readonly labels: readonly {
    readonly id: number;
    readonly subscribers: readonly { readonly user: number; readonly here: boolean; readonly subscribed: boolean }[];
  }[];
}

const roles = [10, 20, 30, 40, 50];
const levels: Level[] = ['DISABLED', 'PARTICIPATING', 'WATCH', 'GLOBAL', 'MENTION', 'CUSTOM', 'WATCH', 'CUSTOM', null];
const events = [
  'NEW_NOTE',
  'NEW_ISSUE',
  'REOPEN_ISSUE',
  'CLOSE_ISSUE',
  'REASSIGN_ISSUE',
  'ISSUE_DUE',
  'MOVED_PROJECT',
  'NEW_EPIC',
];
const visibilities = ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const;

let nextId = 1_000_000;
const ids = (count: number) => Array.from({ length: count }, () => nextId++);

/** Thinks of a world. Nothing is stored yet. */
export function aWorld(random: Random, size: number): World {
  const { one, often, some } = random;
  const setting = (): Setting => ({
    level: one(levels),
    events: Object.fromEntries(some(events, 0.4).map((event) => [event, often(0.5)])),
  });
  const maybe = <T>(chance: number, make: () => T) => (often(chance) ? make() : null);
  const anAddress = (): Address => one(['good', 'good', 'unconfirmed', 'bouncing']);
  const mailed = (): Mailed => ({ ...setting(), address: maybe(0.2, anAddress) });
  const userIds = ids(size);
  const ownerId = maybe(0.15, () => one(userIds));
  const groups = ownerId === null ? one([1, 2, 3]) : 0;
  const people = userIds.map((id): Person => ({
    id,
    state: often(0.9) ? 'ACTIVE' : 'BLOCKED',
    removed: often(0.03),
    administrator: often(0.04),
    external: often(0.15),
    premium: often(0.7),
    inProject: maybe(0.25, () => one(roles)),
    inGroups: Array.from({ length: groups }, () => maybe(0.25, () => one(roles))),
    inInvited: maybe(0.2, () => one(roles)),
    expired: often(0.1),
    ofProject: maybe(0.4, setting),
    ofGroups: Array.from({ length: groups }, () => maybe(0.35, mailed)),
    ofAll: maybe(0.6, () => ({ ...mailed(), own: often(0.7), muted: often(0.07) })),
    primary: often(0.9) ? 'good' : maybe(0.8, anAddress),
  }));
  const labels = ids(3).map((id) => ({
    id,
    subscribers: some(userIds, 0.12).map((user) => ({ user, here: often(0.6), subscribed: often(0.85) })),
  }));
  const issues = ids(4).map((id): Issue => ({
    id,
    author: one(userIds),
    assignee: maybe(0.6, () => one(userIds)),
    confidential: often(0.35),
    labels: some(labels, 0.5).map((label) => label.id),
    taking: some(userIds, 0.2),
    awarding: some(userIds, 0.1),
    changing: some(userIds, 0.05),
    said: new Map(some(userIds, 0.2).map((user) => [user, often(0.5)])),
  }));
  const [projectId, otherProjectId] = ids(2) as [number, number];
  return {
    projectId,
    otherProjectId,
    visibility: one(visibilities),
    silent: often(0.92) ? null : one(['project', ...Array.from({ length: groups }, (_, depth) => depth)] as const),
    issuesFor: often(0.8) ? 'enabled' : one(['disabled', 'private'] as const),
    shared: ownerId === null ? maybe(0.5, () => one(roles.slice(0, 4))) : null,
    ownerId,
    groupIds: ids(groups),
    people,
    issues,
    labels,
    epic:
      groups === 0
        ? null
        : { id: ids(1)[0]!, author: one(userIds), said: new Map(some(userIds, 0.2).map((user) => [user, often(0.5)])) },
    snippet: {
      id: ids(1)[0]!,
      author: one(userIds),
      visibility: one(visibilities),
      commented: some(userIds, 0.15),
      mentioned: some(userIds, 0.15),
    },
  };
}

/** Stores a world. */
export async function store({ sql }: Pick<TestGateway, 'sql'>, world: World, random: Random): Promise<void> {
  const put = (table: string, columns: Readonly<Record<string, string>>, rows: readonly object[]) =>
    sql(
      `insert into ${table} (${Object.keys(columns).join(', ')})
       select ${Object.keys(columns).join(', ')} from jsonb_to_recordset($1) as given(${Object.entries(columns)
         .map((one) => one.join(' '))
         .join(', ')})`,
      [JSON.stringify(rows)],
    );
  const { people, projectId, otherProjectId, groupIds, issues, labels, snippet, epic, silent } = world;
  await put(
    'users',
    {
      id: 'int',
      username: 'text',
      name: 'text',
      state: '"UserState"',
      administrator: 'boolean',
      external: 'boolean',
      tier: '"Tier"',
      deleting_since: 'timestamptz',
    },
    people.map(({ id, state, administrator, external, premium, removed }) => ({
      id,
      username: `u${id}`,
      name: `U ${id}`,
      state,
      administrator,
      external,
      tier: premium ? 'PREMIUM' : 'FREE',
      deleting_since: removed ? '2026-01-01' : null,
    })),
  );
  const [invited, elsewhere, own] = ids(3) as [number, number, number];
  const namespace = (id: number, more: object = {}) => ({
    id,
    kind: 'GROUP',
    path: `n${id}`,
    name: `n${id}`,
    full_path: `n${id}`,
    ancestry: [id],
    visibility: 'PUBLIC',
    emails_enabled: true,
    ...more,
  });
  await put(
    'namespaces',
    {
      id: 'int',
      kind: '"NamespaceKind"',
      path: 'text',
      name: 'text',
      full_path: 'text',
      ancestry: 'int[]',
      parent_id: 'int',
      owner_id: 'int',
      visibility: '"Visibility"',
      emails_enabled: 'boolean',
    },
    [
      ...groupIds.map((id, depth) =>
        namespace(id, {
          ancestry: groupIds.slice(0, depth + 1),
          parent_id: groupIds[depth - 1] ?? null,
          emails_enabled: silent !== depth,
        }),
      ),
      namespace(invited),
      namespace(elsewhere),
      ...(world.ownerId === null ? [] : [namespace(own, { kind: 'USER', owner_id: world.ownerId })]),
    ],
  );
  const project = (id: number, namespaceId: number, more: object = {}) => ({
    id,
    namespace_id: namespaceId,
    path: `p${id}`,
    name: 'P',
    full_path: `n/p${id}`,
    visibility: world.visibility,
    attributes: {},
    ...more,
  });
  await put(
    'projects',
    {
      id: 'int',
      namespace_id: 'int',
      path: 'text',
      name: 'text',
      full_path: 'text',
      visibility: '"Visibility"',
      attributes: 'jsonb',
    },
    [
      project(projectId, world.ownerId === null ? groupIds.at(-1)! : own, {
        attributes: { issuesAccessLevel: world.issuesFor, ...(silent === 'project' && { emailsEnabled: false }) },
      }),
      project(otherProjectId, elsewhere),
    ],
  );
  await put(
    'group_members',
    { user_id: 'int', group_id: 'int', access_level: 'smallint', expires_at: 'date' },
    people.flatMap(({ id, inGroups, inInvited, expired }): object[] => [
      ...inGroups.flatMap((role, depth): object[] =>
        role === null
          ? depth === 0 && expired
            ? [{ user_id: id, group_id: groupIds[0], access_level: 50, expires_at: '2026-01-01' }]
            : []
          : [{ user_id: id, group_id: groupIds[depth], access_level: role, expires_at: null }],
      ),
      ...(inInvited === null ? [] : [{ user_id: id, group_id: invited, access_level: inInvited, expires_at: null }]),
    ]),
  );
  await put(
    'project_members',
    { user_id: 'int', project_id: 'int', access_level: 'smallint' },
    people.flatMap(({ id, inProject }) =>
      inProject === null ? [] : [{ user_id: id, project_id: projectId, access_level: inProject }],
    ),
  );
  if (world.shared !== null)
    await put('project_shares', { project_id: 'int', invited_group_id: 'int', access_level: 'smallint' }, [
      { project_id: projectId, invited_group_id: invited, access_level: world.shared },
    ]);
  const emails: object[] = [];
  /** The id of a new address of a person. */
  const email = (user_id: number, address: Address | null, primary = false): number | null => {
    if (address === null) return null;
    const id = ids(1)[0]!;
    const failures =
      address === 'bouncing'
        ? random.one([
            { since: 1, permanent_failures: 5, temporary_failures: 0 },
            { since: 23, permanent_failures: 0, temporary_failures: 300 },
          ])
        : random.one([
            { since: null, permanent_failures: 0, temporary_failures: 0 },
            { since: 1, permanent_failures: 4, temporary_failures: 299 },
            { since: 25, permanent_failures: 5, temporary_failures: 300 },
          ]);
    const { since, ...counts } = failures;
    emails.push({
      id,
      user_id,
      address: `e${id}@example.com`,
      verified_at: address === 'unconfirmed' ? null : '2026-01-01',
      primary_of: primary ? user_id : null,
      failing_since: since === null ? null : new Date(Date.now() - since * 3_600_000),
      ...counts,
    });
    return id;
  };
  for (const { id, primary } of people) email(id, primary, true);
  const globals = people.flatMap(({ id, ofAll }) =>
    ofAll === null
      ? []
      : [
          {
            user_id: id,
            level: ofAll.level,
            events: ofAll.events,
            own_activity: ofAll.own,
            muted_until: ofAll.muted ? '2999-01-01' : random.one([null, '2020-01-01']),
            notification_email_id: email(id, ofAll.address),
          },
        ],
  );
  const groupSettings = people.flatMap(({ id, ofGroups }) =>
    ofGroups.flatMap((setting, depth) =>
      setting === null
        ? []
        : [
            {
              user_id: id,
              group_id: groupIds[depth],
              level: setting.level,
              events: setting.events,
              notification_email_id: email(id, setting.address),
            },
          ],
    ),
  );
  await put(
    'emails',
    {
      id: 'int',
      user_id: 'int',
      address: 'text',
      verified_at: 'timestamptz',
      primary_of: 'int',
      failing_since: 'timestamptz',
      permanent_failures: 'int',
      temporary_failures: 'int',
    },
    emails,
  );
  await put(
    'global_notification_settings',
    {
      user_id: 'int',
      level: '"NotificationLevel"',
      events: 'jsonb',
      own_activity: 'boolean',
      muted_until: 'timestamptz',
      notification_email_id: 'int',
    },
    globals,
  );
  await put(
    'project_notification_settings',
    { user_id: 'int', project_id: 'int', level: '"NotificationLevel"', events: 'jsonb' },
    people.flatMap(({ id, ofProject }) =>
      ofProject === null ? [] : [{ user_id: id, project_id: projectId, ...ofProject }],
    ),
  );
  await put(
    'group_notification_settings',
    { user_id: 'int', group_id: 'int', level: '"NotificationLevel"', events: 'jsonb', notification_email_id: 'int' },
    groupSettings,
  );
  await put(
    'labels',
    { id: 'int', project_id: 'int', title: 'text', color: 'text' },
    labels.map(({ id }) => ({ id, project_id: projectId, title: `l${id}`, color: '#ff0000' })),
  );
  await put(
    'issues',
    {
      id: 'int',
      project_id: 'int',
      iid: 'int',
      title: 'text',
      author_id: 'int',
      assignee_id: 'int',
      confidential: 'boolean',
      label_ids: 'int[]',
    },
    issues.map(({ id, author, assignee, confidential, labels: label_ids }, index) => ({
      id,
      project_id: projectId,
      iid: index + 1,
      title: 'Leak',
      author_id: author,
      assignee_id: assignee,
      confidential,
      label_ids,
    })),
  );
  if (epic)
    await put('epics', { id: 'int', group_id: 'int', iid: 'int', title: 'text', author_id: 'int' }, [
      { id: epic.id, group_id: groupIds.at(-1), iid: 1, title: 'Large', author_id: epic.author },
    ]);
  await put(
    'participants',
    { issue_id: 'int', user_id: 'int', by_award: 'boolean' },
    issues.flatMap(({ id, taking, awarding }) => [
      ...taking.map((user_id) => ({ issue_id: id, user_id, by_award: false })),
      ...awarding
        .filter((user_id) => !taking.includes(user_id))
        .map((user_id) => ({ issue_id: id, user_id, by_award: true })),
    ]),
  );
  await put(
    'subscriptions',
    { user_id: 'int', issue_id: 'int', epic_id: 'int', label_id: 'int', project_id: 'int', subscribed: 'boolean' },
    [
      ...[...(epic?.said ?? [])].map(([user_id, subscribed]) => ({ user_id, epic_id: epic!.id, subscribed })),
      ...issues.flatMap(({ id, said }) =>
        [...said].map(([user_id, subscribed]) => ({ user_id, issue_id: id, subscribed })),
      ),
      ...labels.flatMap(({ id, subscribers }) =>
        subscribers.map(({ user, here, subscribed }) => ({
          user_id: user,
          label_id: id,
          project_id: here ? random.one([null, projectId]) : otherProjectId,
          subscribed,
        })),
      ),
    ],
  );
  await put('snippets', { id: 'int', project_id: 'int', author_id: 'int', title: 'text', visibility: '"Visibility"' }, [
    { id: snippet.id, project_id: projectId, author_id: snippet.author, title: 'S', visibility: snippet.visibility },
  ]);
  await put(
    'notes',
    { issue_id: 'int', project_id: 'int', discussion_id: 'bytea', author_id: 'int', body: 'text', system: 'boolean' },
    issues.flatMap(({ id, changing }) =>
      changing.map((user, at) => ({
        issue_id: id,
        project_id: projectId,
        discussion_id: `\\x${String(at).padStart(40, '0')}`,
        author_id: user,
        body: 'changed the title',
        system: true,
      })),
    ),
  );
  await put(
    'notes',
    { snippet_id: 'int', project_id: 'int', discussion_id: 'bytea', author_id: 'int', body: 'text' },
    snippet.commented.map((user, at) => ({
      snippet_id: snippet.id,
      project_id: projectId,
      discussion_id: `\\x${String(at).padStart(40, '0')}`,
      author_id: user,
      body: 'x',
    })),
  );
  await put(
    'snippet_participants',
    { snippet_id: 'int', user_id: 'int' },
    snippet.mentioned.map((user_id) => ({ snippet_id: snippet.id, user_id })),
  );
}
