import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { makeShop, type Shop } from '../../support/places/shop.ts';
import { runs } from '../../support/run/runs.ts';

/** The orders of lists of everything that are read in parts, beside a plain sort of the same rows. */

interface Item {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly author: number;
  readonly project: number;
  readonly milestone: number | null;
  readonly labels: readonly number[];
  readonly upvotes: number;
  /** From 0, for none. */
  readonly severity: number;
  readonly position: number | null;
}

const severities = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

const kinds = ['issues', 'merge_requests'] as const;
type Kind = (typeof kinds)[number];

/** Numbers that look random, the same for each seed. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const seed = Number(process.env.ORDERS_SEED ?? Date.now() % 1_000_000);

let gateway: TestGateway;
let shop: Shop;
let author: number;
const visible = new Set<number>();
const due = new Map<number, string | null>();
const milestones = new Map<number, string>();
const labels = new Map<number, string>();
const priorities = new Map<string, number>();
const items: Record<Kind, Item[]> = { issues: [], merge_requests: [] };

beforeAll(async () => {
  shop = await makeShop();
  gateway = shop.gateway;
  const pick = numbers(seed);
  const one = async (text: string, values: unknown[]) => (await gateway.sql<{ id: number }>(text, values))[0]!.id;
  const project = async (group: string, isSeen = true) => {
    const path = await shop.aProject('PRIVATE', group);
    const id = await one('select id from projects where full_path = $1', [path]);
    if (isSeen) visible.add(id);
    return id;
  };
  const projects = [await project('shop'), await project('shop'), await project('shop/inner')];
  projects.push(await project('closed', false), await project('shop', false));
  await gateway.sql('update projects set archived = true where id = $1', [projects[4]]);
  author = await one(
    `select id from users where id = (select owner_id from namespaces where full_path = 'the-developer')`,
    [],
  );
  const other = await one(
    `select id from users where id = (select owner_id from namespaces where full_path = 'the-reporter')`,
    [],
  );
  const group = await one(`select id from namespaces where full_path = 'shop'`, []);
  const days = [null, '1969-12-24', '2026-01-01', '2026-01-01', '2026-03-01', '2027-01-01'];
  const place = (own: number | null) => (own === null ? [null, group] : [own, null]);
  // Milestones and labels of each project, and of the group that has most of them.
  const named = async (own: number | null, count: number) => {
    const made: { milestones: number[]; labels: number[] } = { milestones: [], labels: [] };
    for (let i = 0; i < count; i++) {
      const day = days[pick(days.length)]!;
      const milestone = await one(
        `insert into milestones (project_id, group_id, iid, title, due_date) values ($1, $2, $3, $4, $5) returning id`,
        [...place(own), i + 1, `M${i}`, day],
      );
      const label = await one(
        `insert into labels (project_id, group_id, title, color) values ($1, $2, $3, '#ff0000') returning id`,
        [...place(own), `${own === null ? 'G' : 'L'}${i}`],
      );
      due.set(milestone, day);
      milestones.set(milestone, `M${i}`);
      labels.set(label, `${own === null ? 'G' : 'L'}${i}`);
      made.milestones.push(milestone);
      made.labels.push(label);
    }
    return made;
  };
  const shared = await named(null, 3);
  const own = new Map<number, typeof shared>();
  for (const id of projects) own.set(id, await named(id, 4));
  for (const id of projects)
    for (const label of [...own.get(id)!.labels, ...shared.labels]) {
      if (pick(2) === 0) continue;
      const priority = pick(3);
      priorities.set(`${id} ${label}`, priority);
      await gateway.sql('insert into label_priorities (project_id, label_id, priority) values ($1, $2, $3)', [
        id,
        label,
        priority,
      ]);
    }
  for (const kind of kinds)
    for (let i = 1; i <= 80; i++) {
      const id = projects[pick(projects.length)]!;
      const there = [...own.get(id)!.labels, ...shared.labels];
      const known = [...own.get(id)!.milestones, ...(id === projects[3] ? [] : shared.milestones)];
      const item = {
        iid: i,
        title: `${pick(3) === 0 ? 'velvet' : 'cotton'} ${i}`,
        state: pick(3) === 0 ? 'CLOSED' : 'OPENED',
        author: pick(2) === 0 ? author : other,
        project: id,
        milestone: pick(3) === 0 ? null : known[pick(known.length)]!,
        labels: [...new Set(Array.from({ length: pick(4) }, () => there[pick(there.length)]!))].toSorted(
          (a, b) => a - b,
        ),
        upvotes: Math.max(0, pick(5) - 2),
        severity: pick(2) * pick(5),
        position: pick(2) === 0 ? null : pick(6) - 2,
      };
      const values = [id, i, item.title, item.state, item.author, item.milestone, item.labels, item.upvotes];
      const made = await one(
        kind === 'issues'
          ? `insert into issues (project_id, iid, title, state, author_id, milestone_id, label_ids, upvotes, severity, relative_position)
               values ($1, $2, $3, $4::"IssueState", $5, $6, $7, $8, $9::"IssueSeverity", $10) returning id`
          : `insert into merge_requests (project_id, iid, title, state, author_id, milestone_id, label_ids, upvotes, source_project_id, source_branch, target_branch)
               values ($1, $2, $3, $4::"MergeRequestState", $5, $6, $7, $8, $1, $9, 'main') returning id`,
        [...values, ...(kind === 'issues' ? [severities[item.severity], item.position] : [`branch-${i}`])],
      );
      if (visible.has(id)) items[kind].push({ ...item, id: made });
    }
});

const orders = {
  issues: ['milestone_due', 'label_priority', 'priority', 'popularity', 'severity', 'relative_position'],
  merge_requests: ['milestone_due', 'label_priority', 'priority', 'popularity'],
} as const;
type Order = (typeof orders)['issues'][number];
const directions = ['asc', 'desc'] as const;

const epoch = Date.parse('1970-01-01');
const dueOf = ({ milestone }: Item) => {
  const day = milestone === null ? null : due.get(milestone)!;
  return day === null ? null : (Date.parse(day) - epoch) / 86_400_000;
};
const priorityOf = ({ project, labels: has }: Item) => {
  const known = has.map((label) => priorities.get(`${project} ${label}`)).filter((one) => one !== undefined);
  return known.length === 0 ? null : Math.min(...known);
};
const text = (value: number | null) => String(value ?? 2_147_483_647).padStart(10, '0');

const keys: Readonly<Record<Order, (item: Item) => number | string | null>> = {
  milestone_due: dueOf,
  label_priority: priorityOf,
  priority: (item) => text(dueOf(item)) + text(priorityOf(item)),
  popularity: ({ upvotes }) => upvotes,
  severity: ({ severity }) => severity,
  relative_position: ({ position }) => position,
};

/** What has no value comes last; in the order by both, it counts as the largest. Of equals, the newest comes first. */
function sorted(all: readonly Item[], order: Order, direction: 'asc' | 'desc'): number[] {
  const sign = direction === 'asc' ? 1 : -1;
  const key = (item: Item) => keys[order](item) ?? sign * 2_147_483_647;
  const compare = (a: Item, b: Item) => {
    const [one, another] = [key(a), key(b)];
    return one < another ? -sign : one > another ? sign : b.id - a.id;
  };
  return all.toSorted(compare).map(({ id }) => id);
}

const titled = (item: Item, title: string) => item.labels.some((label) => labels.get(label) === title);
const inMilestone = (item: Item, title: string) => item.milestone !== null && milestones.get(item.milestone) === title;

/** A filter over REST, in GraphQL, and in words of JavaScript. */
const filters: readonly [rest: Record<string, string>, graphql: string, holds: (item: Item) => boolean][] = [
  [{}, '', () => true],
  [{ state: 'opened' }, 'state: opened', ({ state }) => state === 'OPENED'],
  [{ labels: 'G0' }, 'labelName: ["G0"]', (item) => titled(item, 'G0')],
  [{ labels: 'L0,G1' }, 'labelName: ["L0", "G1"]', (item) => titled(item, 'L0') && titled(item, 'G1')],
  [{ labels: 'None' }, 'labelName: ["None"]', (item) => item.labels.length === 0],
  [{ labels: 'nowhere' }, 'labelName: ["nowhere"]', () => false],
  [{ milestone: 'M1' }, 'milestoneTitle: ["M1"]', (item) => inMilestone(item, 'M1')],
  [{ milestone: 'None' }, 'milestoneWildcardId: NONE', ({ milestone }) => milestone === null],
  [{ search: 'velvet' }, 'search: "velvet"', ({ title }) => title.startsWith('velvet')],
  [{ 'not[labels]': 'G0' }, 'not: { labelName: ["G0"] }', (item) => !titled(item, 'G0')],
  [
    { 'not[milestone]': 'M1' },
    'not: { milestoneTitle: ["M1"] }',
    (item) => item.milestone !== null && !inMilestone(item, 'M1'),
  ],
  [{ author_username: 'the-developer' }, 'authorUsername: "the-developer"', (item) => item.author === author],
  [{ created_after: '2000-01-01T00:00:00Z' }, 'createdAfter: "2000-01-01T00:00:00Z"', () => true],
];
const wanted = (kind: Kind, holds: (item: Item) => boolean) => items[kind].filter(holds);

const cases = kinds.flatMap((kind) =>
  orders[kind].flatMap((order) => directions.map((direction) => [kind, order, direction] as const)),
);

describe(`with the seed ${seed}`, () => {
  // REST has no order by severity.
  test.each(cases.filter(([, order]) => order !== 'severity'))(
    'pages of REST: %s by %s, %s',
    async (kind, order, direction) => {
      for (const [query, , holds] of filters) {
        const expected = sorted(wanted(kind, holds), order, direction);
        const found: number[] = [];
        for (let page = 1; found.length < expected.length || page === 1; page++) {
          const asked = {
            scope: 'all',
            non_archived: 'true',
            order_by: order,
            sort: direction,
            per_page: '23',
            page: String(page),
            ...query,
          };
          const { status, body, headers } = await shop.api('GET', kind, shop.tokens.reporter, { query: asked });
          expect(status).toBe(200);
          expect(headers.get('x-total')).toBe(String(expected.length));
          if (body.length === 0) break;
          found.push(...body.map(({ id }: { id: number }) => id));
        }
        expect(found, JSON.stringify(query)).toEqual(expected);
      }
    },
  );

  interface Page {
    readonly nodes: readonly { readonly id: string }[];
    readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  }

  test.each(cases)('cursors of GraphQL: %s by %s, %s', async (kind, order, direction) => {
    const sort = `${order}_${direction}`.toUpperCase();
    const page = async (filter: string, args: string): Promise<Page> => {
      const { data, errors } = await gateway.graphql<{ list: Page }>(
        `{ list: ${kind === 'issues' ? kind : 'mergeRequests'}(sort: ${sort}, includeArchived: false, ${args} ${filter}) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        { token: shop.tokens.reporter },
      );
      expect(errors).toBeUndefined();
      return data!.list;
    };
    const ids = ({ nodes }: Page) => nodes.map(({ id }) => Number(id.slice(id.lastIndexOf('/') + 1)));
    for (const [, filter, holds] of filters.slice(0, 2 * runs)) {
      const expected = sorted(wanted(kind, holds), order, direction);
      let one = await page(filter, 'first: 13');
      const forward = ids(one);
      while (one.pageInfo.hasNextPage) {
        one = await page(filter, `first: 13, after: "${one.pageInfo.endCursor}"`);
        forward.push(...ids(one));
      }
      expect(forward, filter).toEqual(expected);
      one = await page(filter, 'last: 13');
      const backward = ids(one);
      while (one.pageInfo.hasPreviousPage) {
        one = await page(filter, `last: 13, before: "${one.pageInfo.startCursor}"`);
        backward.unshift(...ids(one));
      }
      expect(backward, filter).toEqual(expected);
    }
  });
});
