import type { Person } from '../store.ts';
import { asPeople, side, total, type MakeCalls, type Work } from './request.ts';

/**
 * Each list of planning, by each order and by one filter of each kind, for a client that asks alone: on a million issues
 * and five million comments, beside the same list on a twentieth of that. Projects and people have as many of them in both.
 */

/** Short, as there are many; enough people that those of both sides have about as much to read. */
const pace = { seconds: 0.3, rounds: 5, least: 40 };

const orders = [
  'created_at',
  'updated_at',
  'title',
  'popularity',
  'due_date',
  'relative_position',
  'milestone_due',
  'label_priority',
  'priority',
].map((order) => `order_by=${order}`);

const filters = [
  'state=opened',
  'labels=Label 1',
  'labels=Label 1,Label 6',
  'labels=None',
  'labels=Any',
  'milestone=Milestone 1',
  'milestone=None',
  'milestone_id=Started',
  'milestone_id=Upcoming',
  'author_id=$id',
  'author_username=$username',
  'assignee_id=$id',
  'assignee_id=None',
  'my_reaction_emoji=thumbsup',
  'my_reaction_emoji=None',
  'created_after=2026-01-01T00:00:00Z',
  'updated_after=2026-10-01T00:00:00Z',
  'confidential=true',
  'due_date=overdue',
  'due_date=0',
  'issue_type=incident',
  'iids=3',
  'not[labels]=Label 1',
  'not[milestone]=Milestone 1',
  'not[author_id]=$id',
];

/** Words of titles: one that many have, and two that few have together. */
const searches = ['search=velvet', 'search=velvet 1234'];

interface List {
  readonly name: string;
  readonly path: string;
  readonly queries: readonly string[];
}

const lists: readonly List[] = [
  {
    name: 'issues of a project',
    path: '/api/v4/projects/$project/issues',
    queries: ['', ...orders, ...filters, ...searches],
  },
  {
    name: 'issues of a group',
    path: '/api/v4/groups/$group/issues',
    queries: ['', ...orders, ...filters, ...searches],
  },
  {
    name: 'all issues',
    path: '/api/v4/issues?scope=all&$',
    queries: ['', ...orders, ...filters, ...searches],
  },
  { name: 'own issues', path: '/api/v4/issues', queries: ['', 'scope=assigned_to_me', ...orders] },
  { name: 'comments', path: '/api/v4/projects/$project/issues/$iid/notes', queries: ['', 'order_by=updated_at'] },
  { name: 'threads', path: '/api/v4/projects/$project/issues/$iid/discussions', queries: [''] },
  { name: 'participants', path: '/api/v4/projects/$project/issues/$iid/participants', queries: [''] },
  { name: 'awards', path: '/api/v4/projects/$project/issues/$iid/award_emoji', queries: [''] },
  {
    name: 'events of milestones',
    path: '/api/v4/projects/$project/issues/$iid/resource_milestone_events',
    queries: [''],
  },
  {
    name: 'labels of a project',
    path: '/api/v4/projects/$project/labels',
    queries: ['', 'with_counts=true', 'search=6'],
  },
  { name: 'labels of a group', path: '/api/v4/groups/$group/labels', queries: ['', 'search=Label 6'] },
  {
    name: 'milestones of a project',
    path: '/api/v4/projects/$project/milestones',
    queries: ['', 'state=active', 'iids=2', 'search=milestone'],
  },
  { name: 'to-dos', path: '/api/v4/todos', queries: ['', 'state=done'] },
  { name: 'activity of a project', path: '/api/v4/projects/$project/events', queries: ['', 'action=commented'] },
  { name: 'own activity', path: '/api/v4/events', queries: ['', 'target_type=issue'] },
  { name: 'activity in own projects', path: '/api/v4/events?scope=all&$', queries: [''] },
];

const filled = (text: string, { id, username, project, group }: Person, turn: number) =>
  text
    .replace('$username', username)
    .replace('$id', String(id))
    .replace('$project', String(project))
    .replace('$group', String(group))
    .replace('$iid', String(1 + (turn % 40)));

/** The address of a list for a person. A path that ends with `$` has parameters already. */
export function addressOf(path: string, query: string, person: Person, turn: number): string {
  const address = path.endsWith('$') ? `${path.slice(0, -1)}${query}` : `${path}?${query}`;
  return encodeURI(filled(address, person, turn))
    .replaceAll('[', '%5B')
    .replaceAll(']', '%5D');
}

const callsOf = (path: string, query: string): MakeCalls =>
  asPeople((person, turn) => ({ path: addressOf(path, query, person, turn), contains: '[' }));

const isSearch = (query: string) => query.includes('search=');

export const planningAtScale: readonly Work[] = lists.flatMap(({ name, path, queries }) =>
  queries.map((query): Work => {
    const calls = callsOf(path, query);
    return {
      name: `planning at scale, ${name}${query && `, ${query.replace('order_by=', 'by ')}`}`,
      contenders: [side('causeway, a million issues', calls), side('causeway', calls)],
      targets: [total('causeway', isSearch(query) ? 3 : 1.2)],
      connections: 1,
      pace,
    };
  }),
);
