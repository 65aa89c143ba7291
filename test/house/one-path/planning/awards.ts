import type { Input, Inputs } from '../inputs.ts';

/** The inputs for the routes of awards: of the issues 1 to 3 of `demo/storefront`, of the note 1 and the snippet 1. */

const places = [
  ['issues/:issue_iid', { issue_iid: '1' }, { issue_iid: '3' }, { issue_iid: '9' }],
  ['issues/:issue_iid/notes/:note_id', { issue_iid: '1', note_id: '1' }, { issue_iid: '2', note_id: '1' }],
  ['snippets/:snippet_id', { snippet_id: '1' }, { snippet_id: '9' }],
  ['snippets/:snippet_id/notes/:note_id', { snippet_id: '1', note_id: '2' }],
] as const;

const project = 'demo/storefront';

export const inputsOfAwards = (): Inputs =>
  Object.fromEntries(
    places.flatMap(([place, ...paths]) => {
      const at = `/api/v4/projects/:id/${place}/award_emoji`;
      const about = (values: Input['values'], more: Record<string, string> = {}): Input[] => [
        ...paths.map((path) => ({ id: project, path: { ...path, ...more }, values })),
        { id: 'hidden/project', path: { ...paths[0], ...more }, values },
      ];
      const one = ['1', '2', '3', '4', '9'].flatMap((award_id) => about({}, { award_id }));
      return [
        [`GET ${at}`, { readable: about({}) }],
        [`GET ${at}/:award_id`, { readable: one }],
        [`POST ${at}`, { readable: ['+1', 'rocket', 'nothing'].flatMap((name) => about({ name })) }],
        [`DELETE ${at}/:award_id`, { readable: one }],
      ];
    }),
  );

/** The inputs for the routes of to-dos. The to-do 1 is the guest's or the maintainer's, 2 is of the other one. */
export const inputsOfTodos = (): Inputs => ({
  'GET /api/v4/todos': {
    readable: [
      {},
      { state: 'done' },
      { action: 'assigned', type: 'Issue', per_page: '1' },
      { author_id: 4, project_id: 1, group_id: 5 },
      { type: 'Commit' },
    ].map((values) => ({ values })),
  },
  'POST /api/v4/todos/:todo_id/mark_as_done': {
    readable: ['1', '2', '9', 'x'].map((todo_id) => ({ path: { todo_id }, values: {} })),
  },
  'POST /api/v4/todos/mark_as_done': { readable: [{ values: {} }] },
  'POST /api/v4/projects/:id/issues/:issue_iid/todo': {
    readable: ['1', '3', '9'].map((issue_iid) => ({ id: project, path: { issue_iid }, values: {} })),
  },
});

const asked = [
  {},
  { action: 'closed', sort: 'asc' },
  { target_type: 'issue', before: '2999-01-01', after: '2001-01-01' },
];

/** The inputs for the routes of events. */
export const inputsOfActivity = (): Inputs => ({
  'GET /api/v4/events': { readable: [...asked, { scope: 'all' }].map((values) => ({ values })) },
  'GET /api/v4/users/:id/events': {
    readable: ['maintainer', '4', 'nobody'].flatMap((id) => asked.map((values) => ({ id, values }))),
  },
  'GET /api/v4/projects/:id/events': {
    readable: [project, 'hidden/project'].flatMap((id) => asked.map((values) => ({ id, values }))),
  },
});

/** Tables whose rows are restored between two requests, those that others refer to first. */
export const tablesOfAwards = ['awards', 'todos'] as const;

/** Makes the awards, a snippet, a note of an issue and one of the snippet; and to-dos of the maintainer. */
export const awardsToBegin = `do $$ declare place int; writer int; one int; begin
  select id into place from projects where full_path = '${project}';
  select id into writer from users where username = 'maintainer';
  select id into one from issues where project_id = place and iid = 1;
  insert into awards (issue_id, user_id, name) values (one, writer, 'rocket');
  insert into awards (snippet_id, user_id, name) select id, writer, 'rocket' from snippets;
  insert into awards (note_id, user_id, name) select id, writer, 'rocket' from notes order by id;
  insert into todos (user_id, author_id, project_id, issue_id, action) select id, writer, place, one, 'ASSIGNED' from users where username in ('maintainer', 'guest', 'root');
end $$`;
