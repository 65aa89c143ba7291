import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  groupAccessLevel,
  hasGroupRole,
  hasProjectRole,
  isProjectOf,
  projectAccessLevel,
} from '../../../src/database/access/places.ts';
import {
  effectiveRole,
  type GroupWithRoles,
  type Membership,
  type ProjectWithRoles,
  type Share,
} from '../../../src/policy/effective-role.ts';
import { memberLists } from '../../../src/schema/places/members/statements/list.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { runs } from '../../support/run/runs.ts';

/**
 * Random trees of groups with projects, members and shares that last or have ended: the role of each person in each place
 * is that of `effectiveRole`, by look-up, by list and among the members of the place.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

const level = fc.constantFrom(10, 15, 20, 30, 40, 50);
const day = (more: number) => new Date(Date.now() + more * 86_400_000).toISOString().slice(0, 10);
const today = day(0);
const expiresOn = fc.option(fc.constantFrom(day(-1), today, day(1)), { freq: 2 });
const ending = { accessLevel: level, expiresOn };

const people = 3;
const groups = 5;
const member = fc.record({ ...ending, person: fc.nat(people - 1) });
const share = fc.record({ ...ending, invited: fc.nat(groups - 1) });
const members = fc.uniqueArray(member, { maxLength: 2, selector: ({ person }) => person });
const shares = fc.uniqueArray(share, { maxLength: 2, selector: ({ invited }) => invited });

/** A small world: groups, each below an earlier one or at the root, and projects in a group or of a person. */
const world = fc.record({
  groups: fc.array(
    fc.record({ parent: fc.option(fc.nat(groups - 1)), members, shares, lock: fc.boolean(), removed: fc.boolean() }),
    { minLength: groups, maxLength: groups },
  ),
  projects: fc.array(
    fc.record({ group: fc.option(fc.nat(groups - 1), { freq: 6 }), owner: fc.nat(people - 1), members, shares }),
    { minLength: 3, maxLength: 3 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Rows of a world with ids of their own, and the same as plain data. */
class Rows {
  readonly users: number[] = [];
  readonly namespaces: [
    id: number,
    parent: number | null,
    owner: number | null,
    ancestry: string,
    lock: boolean,
    removed: boolean,
  ][] = [];
  readonly projects: [id: number, namespace: number][] = [];
  readonly groupMembers: [user: number, place: number, level: number, until: string | null][] = [];
  readonly projectMembers: [user: number, place: number, level: number, until: string | null][] = [];
  readonly groupShares: [place: number, invited: number, level: number, until: string | null][] = [];
  readonly projectShares: [place: number, invited: number, level: number, until: string | null][] = [];
  /** The role of each person in each place that isn't removed, by the model. */
  readonly groupRoles = new Map<string, number>();
  readonly projectRoles = new Map<string, number>();

  add(one: World, base: number): void {
    const user = (person: number) => base + person;
    const own = (person: number) => base + groups + person;
    const group = (index: number) => base + index;
    const parentOf = (index: number) => {
      const { parent } = one.groups[index]!;
      return parent !== null && parent < index ? parent : null;
    };
    const toMembers = (given: World['groups'][number]['members']): Membership[] =>
      given.map(({ person, ...rest }) => ({ userId: user(person), ...rest }));
    const removed: boolean[] = [];
    const model: (GroupWithRoles & { shares: Share[] })[] = [];
    one.groups.forEach(({ members: given, lock, removed: marked }, index) => {
      const parent = parentOf(index);
      // A group is removed with everything below it. Few are.
      removed[index] = (marked && index % 3 === 2) || (parent !== null && removed[parent]!);
      model.push({
        parent: parent === null ? null : model[parent]!,
        members: toMembers(given),
        shares: [],
        shareWithGroupLock: lock,
        removed: removed[index],
      });
      const above = (at: number): number[] => {
        const next = parentOf(at);
        return [...(next === null ? [] : above(next)), group(at)];
      };
      const parentId = parent === null ? null : group(parent);
      this.namespaces.push([group(index), parentId, null, `{${above(index).join()}}`, lock, removed[index]]);
      for (const { person, accessLevel, expiresOn: until } of given)
        this.groupMembers.push([user(person), group(index), accessLevel, until]);
    });
    const toShares = (given: World['groups'][number]['shares']): Share[] =>
      given.map(({ invited, ...rest }) => ({ invited: model[invited]!, ...rest }));
    one.groups.forEach(({ shares: given }, index) => {
      model[index]!.shares.push(...toShares(given));
      for (const { invited, accessLevel, expiresOn: until } of given)
        this.groupShares.push([group(index), group(invited), accessLevel, until]);
    });
    for (let person = 0; person < people; person++) {
      this.users.push(user(person));
      this.namespaces.push([own(person), null, user(person), `{${own(person)}}`, false, false]);
      model.forEach((place, index) => {
        if (removed[index]) return;
        this.groupRoles.set(`${user(person)} ${group(index)}`, effectiveRole(place, user(person), today));
      });
    }
    one.projects.forEach(({ group: within, owner, members: given, shares: shared }, index) => {
      const id = base + index;
      this.projects.push([id, within === null ? own(owner) : group(within)]);
      for (const { person, accessLevel, expiresOn: until } of given)
        this.projectMembers.push([user(person), id, accessLevel, until]);
      for (const { invited, accessLevel, expiresOn: until } of shared)
        this.projectShares.push([id, group(invited), accessLevel, until]);
      if (within !== null && removed[within]) return;
      const place: ProjectWithRoles = {
        group: within === null ? null : model[within]!,
        ownerId: within === null ? user(owner) : null,
        members: toMembers(given),
        shares: toShares(shared),
      };
      for (let person = 0; person < people; person++)
        this.projectRoles.set(`${user(person)} ${id}`, effectiveRole(place, user(person), today));
    });
  }
}

const columns = (rows: readonly (readonly unknown[])[], width: number) =>
  Array.from({ length: width }, (_, at) => rows.map((row) => row[at]));

async function store(rows: Rows): Promise<void> {
  const insert = (text: string, given: readonly (readonly unknown[])[], width: number) =>
    gateway.sql(text, columns(given, width));
  await gateway.sql(
    `insert into users (id, username, name, updated_at) select id, 'roles-u-' || id, 'R', now() from unnest($1::int[]) as u(id)`,
    [rows.users],
  );
  await insert(
    `insert into namespaces (id, kind, parent_id, owner_id, path, name, full_path, ancestry, share_with_group_lock, deleting_since, updated_at)
     select id, (case when owner is null then 'GROUP' else 'USER' end)::"NamespaceKind", parent, owner, 'roles-' || id, 'R', 'roles-' || id,
            ancestry::int[], lock, case when removed then now() end, now()
       from unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::boolean[], $6::boolean[]) as n(id, parent, owner, ancestry, lock, removed)
      order by cardinality(ancestry::int[])`,
    rows.namespaces,
    6,
  );
  await insert(
    `insert into projects (id, namespace_id, path, name, full_path, updated_at)
     select id, namespace, 'roles-' || id, 'R', 'roles-p-' || id, now() from unnest($1::int[], $2::int[]) as p(id, namespace)`,
    rows.projects,
    2,
  );
  await gateway.sql(
    `insert into routes (path, namespace_id) select 'roles-u-' || owner_id, id from namespaces where owner_id = any($1::int[])`,
    [rows.users],
  );
  const four = 'unnest($1::int[], $2::int[], $3::int[], $4::date[])';
  await insert(
    `insert into group_members (user_id, group_id, access_level, expires_at) select * from ${four}`,
    rows.groupMembers,
    4,
  );
  await insert(
    `insert into project_members (user_id, project_id, access_level, expires_at) select * from ${four}`,
    rows.projectMembers,
    4,
  );
  await insert(
    `insert into group_shares (group_id, invited_group_id, access_level, expires_at) select * from ${four}`,
    rows.groupShares,
    4,
  );
  await insert(
    `insert into project_shares (project_id, invited_group_id, access_level, expires_at) select * from ${four}`,
    rows.projectShares,
    4,
  );
}

interface Found {
  person: number;
  place: number;
  level: number;
}
const asMap = (found: readonly Found[]) => new Map(found.map((one) => [`${one.person} ${one.place}`, one.level]));
const withRoles = (roles: ReadonlyMap<string, number>) => new Map([...roles].filter(([, role]) => role > 0));

/** The highest of the roles for which a condition of lists holds. */
const byLists = (condition: (atLeast: number) => string) =>
  `greatest(${[10, 15, 20, 30, 40, 50].map((least) => `case when ${condition(least)} then ${least} end`).join(', ')})`;

/** The condition of lists of projects with the sets that it reads in place: here the person differs from row to row. */
const hasProjectRoleInPlace = (person: string) => (atLeast: number) => {
  const sets = new Map<string, string>();
  const query = {
    common(name: string, columns: string, select: string) {
      sets.set(`from ${name}`, `from (${select}) ${name}(${columns})`);
      return query as never;
    },
  };
  const condition = hasProjectRole(query, person)(atLeast);
  return [...sets].reduce((text, [name, set]) => text.replace(name, set), condition);
};

/** Sees everything; the conditions name the viewer, as all do. */
const always = (accessLevel: string) => `(true or ${accessLevel} > 0)`;
const administrator = {
  id: null,
  variant: 'all_anonymous',
  visible: (one: { accessLevel: string }) => always(one.accessLevel),
  manages: (_scope: string, accessLevel: string) => always(accessLevel),
};
const relations = ['DIRECT', 'INHERITED', 'SHARED_FROM_GROUPS', 'INVITED_GROUPS', 'SHARED_INTO_ANCESTORS'] as const;

async function membersOf(scope: 'group' | 'project', places: readonly number[]): Promise<Map<string, number>> {
  const filter = {
    relations,
    pattern: null,
    address: null,
    everyAddress: false,
    people: null,
    skippedPeople: null,
    accessLevels: null,
  };
  const { statement, values } = memberLists(scope, administrator, filter).pages(
    places,
    { name: 'user_id', column: 'm.user_id', type: 'int', direction: 'asc' },
    { after: null, before: null, offset: 0, limit: 100, inverted: false },
  );
  const rows = await gateway.sql<{ id: number; parent_id: number; access_level: number }>(statement.text, [...values]);
  expect(new Set(rows.map((row) => `${row.id} ${row.parent_id}`)).size, 'one row a person').toBe(rows.length);
  return asMap(rows.map((row) => ({ person: row.id, place: row.parent_id, level: row.access_level })));
}

/** Worlds at a time; each has 24 cases, of a person in a place. */
const batch = 42;

const analyze = () =>
  gateway.sql('analyze users, namespaces, projects, group_members, project_members, group_shares, project_shares');

const placesOf = (roles: ReadonlyMap<string, number>, person: number, least = 10) =>
  [...withRoles(roles)].flatMap(([key, role]) =>
    key.startsWith(`${person} `) && role >= least ? [Number(key.split(' ')[1])] : [],
  );

/** The same over REST and GraphQL, for a few people. */
async function overTheDoors(rows: Rows): Promise<void> {
  for (const person of rows.users.slice(0, 6)) {
    const token = await gateway.personalToken(`roles-u-${person}`, ['api']);
    const ids = async (path: string) => {
      const { body } = await gateway.rest('GET', `/api/v4/${path}&per_page=100&order_by=id&sort=asc`, { token });
      return (body as { id: number }[]).map(({ id }) => id);
    };
    for (const least of [10, 20, 50]) {
      expect(await ids(`projects?min_access_level=${least}`)).toEqual(placesOf(rows.projectRoles, person, least));
      expect(await ids(`groups?min_access_level=${least}`)).toEqual(placesOf(rows.groupRoles, person, least));
    }
    const { data } = await gateway.graphql<Record<'projects', { nodes: { id: number; userPermissions: object }[] }>>(
      `{ projects(membership: true, sort: "id_asc") { nodes { id: databaseId userPermissions { downloadCode pushCode adminProject removeProject } } } }`,
      { token },
    );
    const may = (project: number) => {
      const role = rows.projectRoles.get(`${person} ${project}`)!;
      return { downloadCode: role >= 15, pushCode: role >= 30, adminProject: role >= 40, removeProject: role >= 50 };
    };
    expect(data!.projects.nodes).toEqual(
      placesOf(rows.projectRoles, person).map((id) => ({ id, userPermissions: may(id) })),
    );
  }
  const among = (roles: ReadonlyMap<string, number>, place: number) =>
    [...withRoles(roles)].flatMap(([key, role]) =>
      key.endsWith(` ${place}`) ? [[Number(key.split(' ')[0]), role]] : [],
    );
  for (const [kind, roles] of [
    ['groups', rows.groupRoles],
    ['projects', rows.projectRoles],
  ] as const) {
    for (const place of new Set([...roles.keys()].slice(0, 30).map((key) => Number(key.split(' ')[1])))) {
      const { body } = await gateway.rest('GET', `/api/v4/${kind}/${place}/members/all`, {
        token: gateway.tokens.root,
      });
      expect((body as { id: number; access_level: number }[]).map((one) => [one.id, one.access_level])).toEqual(
        among(roles, place).sort(([a], [b]) => a! - b!),
      );
    }
  }
}

test('each role is the same by look-up, by list and among the members', { timeout: 3_600_000 }, async () => {
  for (let start = 0; start < batch * runs; start += batch) {
    const rows = new Rows();
    const worlds = fc.sample(world, { numRuns: batch, seed: start + 1 });
    worlds.forEach((one, index) => rows.add(one, 1_000_000 + (start + index) * 10));
    await store(rows);
    await analyze();
    const ids = (roles: ReadonlyMap<string, number>) => [
      ...new Set([...roles.keys()].map((key) => Number(key.split(' ')[1]))),
    ];
    const pairs = `unnest($1::int[]) as u(person) join `;
    const inGroups = `${pairs} namespaces n on n.id / 10 = u.person / 10 and n.id = any($2::int[])`;
    const inProjects = `${pairs} projects p on p.id / 10 = u.person / 10 and p.id = any($2::int[]) join namespaces n on n.id = p.namespace_id`;
    const read = async (place: 'n' | 'p', expression: string, places: readonly number[]) =>
      asMap(
        await gateway.sql<Found>(
          `select * from (select u.person, ${place}.id as place, ${expression} as level from ${place === 'n' ? inGroups : inProjects}) r where level is not null`,
          [rows.users, places],
        ),
      );
    const groupIds = ids(rows.groupRoles);
    const projectIds = ids(rows.projectRoles);
    const expected = { groups: withRoles(rows.groupRoles), projects: withRoles(rows.projectRoles) };
    expect(await read('n', groupAccessLevel('u.person'), groupIds), 'look-up of groups').toEqual(expected.groups);
    expect(await read('n', byLists(hasGroupRole('u.person')), groupIds), 'lists of groups').toEqual(expected.groups);
    expect(await membersOf('group', groupIds), 'members of groups').toEqual(expected.groups);
    expect(await read('p', projectAccessLevel('u.person'), projectIds), 'look-up of projects').toEqual(
      expected.projects,
    );
    expect(await read('p', byLists(hasProjectRoleInPlace('u.person')), projectIds), 'lists of projects').toEqual(
      expected.projects,
    );
    expect(await read('p', byLists(isProjectOf('u.person')), projectIds), 'lists of own projects').toEqual(
      expected.projects,
    );
    expect(await membersOf('project', projectIds), 'members of projects').toEqual(expected.projects);
    if (start === 0) await overTheDoors(rows);
    await gateway.sql('delete from projects where id >= 1000000');
    await gateway.sql('delete from namespaces where id >= 1000000 and parent_id is not null and owner_id is null');
    await gateway.sql('delete from users where id >= 1000000');
  }
});
