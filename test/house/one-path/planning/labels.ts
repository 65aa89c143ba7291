import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of labels, milestones and epics. `demo/storefront` and `hidden/project` have the labels `bug` and
 * `other` and a milestone, and so has the group `demo`; it has an epic, and root and the maintainer are on the higher tier.
 */

interface Places {
  readonly kind: 'projects' | 'groups';
  readonly ids: readonly string[];
  /** A label that the administrator is subscribed to, and one that they aren't. */
  readonly label: string;
  readonly unsubscribed: string;
  /** Milestones of such a place, and of another one. */
  readonly milestones: readonly string[];
}

const projects: Places = {
  kind: 'projects',
  ids: ['demo/storefront', 'hidden/project'],
  label: 'bug',
  unsubscribed: 'other',
  milestones: ['101', '102'],
};
const groups: Places = {
  kind: 'groups',
  ids: ['demo', 'hidden'],
  label: 'wide',
  unsubscribed: 'second',
  milestones: ['103', '101'],
};

const of = ({ ids }: Places, path: Input['path'], ...all: Input['values'][]): Input[] =>
  ids.flatMap((id) => all.map((values) => ({ id, values, ...(path && { path }) })));

function ofLabels(places: Places): Inputs {
  const path = `/api/v4/${places.kind}/:id/labels`;
  const { label: name, unsubscribed } = places;
  const one = (...all: Input['values'][]) => ['none', name].flatMap((label) => of(places, { name: label }, ...all));
  return {
    [`GET ${path}`]: {
      readable: of(places, undefined, {}, { with_counts: 'true', include_ancestor_groups: 'false', search: 'b' }),
    },
    [`GET ${path}/:name`]: { readable: one({}) },
    [`POST ${path}`]: {
      readable: of(
        places,
        undefined,
        { name: 'new', color: 'red', description: 'New' },
        { name: 'wide', color: '#fff' },
        { name: 'a,b', color: 'none' },
      ),
    },
    [`PUT ${path}`]: { readable: of(places, undefined, { name, color: '#abc' }) },
    [`PUT ${path}/:name`]: { readable: one({ new_name: 'Other', description: '' }, { color: 'x' }) },
    [`DELETE ${path}`]: { readable: of(places, undefined, { name }) },
    [`DELETE ${path}/:name`]: { readable: one({}) },
    [`POST ${path}/:name/subscribe`]: { readable: [...one({}), ...of(places, { name: unsubscribed }, {})] },
    [`POST ${path}/:name/unsubscribe`]: { readable: one({}) },
  };
}

function ofMilestones(places: Places): Inputs {
  const path = `/api/v4/${places.kind}/:id/milestones`;
  const one = (values: Input['values']) =>
    places.milestones.flatMap((milestone_id) => of(places, { milestone_id }, values));
  return {
    [`GET ${path}`]: { readable: of(places, undefined, {}, { state: 'closed', include_ancestors: 'true' }) },
    [`GET ${path}/:milestone_id`]: { readable: one({}) },
    [`GET ${path}/:milestone_id/issues`]: { readable: one({}) },
    [`GET ${path}/:milestone_id/merge_requests`]: { readable: one({}) },
    [`POST ${path}`]: {
      readable: of(places, undefined, { title: 'New', due_date: '2999-01-01' }, { title: 'Spring' }, { title: ' ' }),
    },
    [`PUT ${path}/:milestone_id`]: { readable: one({ title: 'Other', state_event: 'close' }) },
    [`DELETE ${path}/:milestone_id`]: { readable: one({}) },
  };
}

const epics = '/api/v4/groups/:id/epics';
const ofEpics: Inputs = {
  [`GET ${epics}`]: { readable: of(groups, undefined, {}, { search: 'harb', order_by: 'title', sort: 'asc' }) },
  [`GET ${epics}/:epic_iid`]: { readable: ['1', '9'].flatMap((epic_iid) => of(groups, { epic_iid }, {})) },
  [`POST ${epics}`]: { readable: of(groups, undefined, { title: 'New', description: '@root' }, { title: ' ' }) },
};

export const inputsOfLabels = (): Inputs => ({
  ...ofLabels(projects),
  ...ofLabels(groups),
  ...ofMilestones(projects),
  ...ofMilestones(groups),
  ...ofEpics,
  'PUT /api/v4/projects/:id/labels/promote': { readable: of(projects, undefined, { name: 'bug' }) },
  'PUT /api/v4/projects/:id/labels/:name/promote': {
    readable: ['bug', 'none'].flatMap((name) => of(projects, { name }, {})),
  },
  'POST /api/v4/projects/:id/milestones/:milestone_id/promote': { readable: of(projects, { milestone_id: '101' }, {}) },
});

/** The tables that these routes change, besides those of issues, each after those that it refers to. */
export const tablesOfLabels = ['epics', 'label_priorities', 'subscriptions', 'group_counters'] as const;

/** Makes labels and milestones, beside those that there are. */
export const labelsToBegin = `do $$ begin
  insert into labels (project_id, title, color)
    select p.id, title, '#ff0000' from projects p, unnest(array['bug', 'other']) title
     where full_path in ('demo/storefront', 'hidden/project') on conflict do nothing;
  insert into labels (group_id, title, color)
    select n.id, title, '#ffffff' from namespaces n, unnest(array['wide', 'second']) title where full_path = 'demo';
  insert into subscriptions (user_id, label_id, subscribed)
    select u.id, l.id, true from users u, labels l where u.username in ('maintainer', 'root') and l.title in ('bug', 'wide');
  update users set tier = 'PREMIUM' where username in ('maintainer', 'root');
  insert into epics (id, group_id, iid, title, author_id)
    select 101, n.id, 1, 'Harbour', u.id from namespaces n, users u where n.full_path = 'demo' and u.username = 'root';
  insert into group_counters (group_id, kind, last) select group_id, 'EPIC', 1 from epics;
  insert into milestones (id, project_id, iid, title)
    select case when full_path = 'demo/storefront' then 101 else 102 end, id, 1, 'Spring' from projects
     where full_path in ('demo/storefront', 'hidden/project');
  insert into milestones (id, group_id, iid, title) select 103, id, 1, 'Wide' from namespaces where full_path = 'demo';
  insert into project_counters (project_id, kind, last) select project_id, 'MILESTONE', 1 from milestones where project_id is not null;
  insert into group_counters (group_id, kind, last) select group_id, 'MILESTONE', 1 from milestones where group_id is not null;
  update issues set milestone_id = 101 where project_id = (select project_id from milestones where id = 101);
end $$`;
