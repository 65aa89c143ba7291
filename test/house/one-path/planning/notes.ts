import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of comments, threads and resource events: of the issues of `demo/storefront` and the snippet 1.
 * The note 1 begins a thread of the first issue, the note 2 one of the snippet.
 */

const project = 'demo/storefront';
const threads = { issues: 'a1'.repeat(20), snippets: 'b2'.repeat(20) } as const;

const places = [
  { of: 'issues', segment: ':issue_iid', ids: ['1', '3', '9'], note: '1' },
  { of: 'snippets', segment: ':snippet_id', ids: ['1', '9'], note: '2' },
] as const;

const inputsOf = ({ of, segment, ids, note }: (typeof places)[number]): Inputs => {
  const at = `/api/v4/projects/:id/${of}/${segment}`;
  const key = segment.slice(1);
  const about = (values: Input['values'], more: Record<string, string> = {}): Input[] => [
    ...ids.map((id) => ({ id: project, path: { [key]: id, ...more }, values })),
    { id: 'hidden/project', path: { [key]: '4', ...more }, values },
  ];
  const first = (values: Input['values'], more: Record<string, string> = {}) => about(values, more).slice(0, 1);
  const thread = { discussion_id: threads[of] };
  const inThread = { ...thread, note_id: note };
  return {
    [`GET ${at}/notes`]: { readable: about({ sort: 'asc', activity_filter: 'only_comments' }) },
    [`GET ${at}/notes/:note_id`]: { readable: ['1', '2', '9'].flatMap((note_id) => about({}, { note_id })) },
    [`POST ${at}/notes`]: {
      readable: [
        ...about({ body: 'See #2, @developer' }),
        ...first({ body: 'Hidden', internal: true }),
        ...first({ body: ' ' }),
        ...first({ body: 'Done.\n/close' }),
        ...first({ body: '/spend 1h' }),
      ],
    },
    [`PUT ${at}/notes/:note_id`]: {
      readable: ['1', '2'].flatMap((note_id) => about({ body: 'Changed' }, { note_id })),
    },
    [`DELETE ${at}/notes/:note_id`]: { readable: ['1', '2'].flatMap((note_id) => about({}, { note_id })) },
    [`GET ${at}/discussions`]: { readable: about({}) },
    [`GET ${at}/discussions/:discussion_id`]: {
      readable: [...about({}, thread), ...first({}, { discussion_id: 'x' })],
    },
    [`POST ${at}/discussions`]: { readable: about({ body: 'Does it leak?' }) },
    ...(of === 'issues' && {
      [`PUT ${at}/discussions/:discussion_id`]: { readable: about({ resolved: true }, thread) },
    }),
    [`GET ${at}/discussions/:discussion_id/notes`]: { readable: about({}, thread) },
    [`POST ${at}/discussions/:discussion_id/notes`]: { readable: about({ body: 'It does.' }, thread) },
    [`GET ${at}/discussions/:discussion_id/notes/:note_id`]: { readable: about({}, inThread) },
    [`PUT ${at}/discussions/:discussion_id/notes/:note_id`]: {
      readable: [
        ...about({ body: 'Changed' }, inThread),
        ...(of === 'issues' ? first({ resolved: true }, inThread) : []),
      ],
    },
    [`DELETE ${at}/discussions/:discussion_id/notes/:note_id`]: { readable: about({}, inThread) },
  };
};

const kinds = ['label', 'milestone', 'state'];
const issue = '/api/v4/projects/:id/issues/:issue_iid';

export const inputsOfNotes = (): Inputs => ({
  ...Object.assign({}, ...places.map(inputsOf)),
  ...Object.fromEntries(
    kinds.flatMap((kind) => {
      const about = (more: Record<string, string> = {}) =>
        ['1', '3', '9'].map((issue_iid) => ({ id: project, path: { issue_iid, ...more }, values: {} }));
      return [
        [`GET ${issue}/resource_${kind}_events`, { readable: about() }],
        [`GET ${issue}/resource_${kind}_events/:event_id`, { readable: about({ event_id: '1' }) }],
      ];
    }),
  ),
});

/** Tables whose rows are restored between two requests, those that others refer to first. */
export const tablesOfNotes = ['notes', 'resource_events'] as const;

/** Makes the notes, the snippet and an event. */
export const notesToBegin = `do $$ declare place int; writer int; one int; begin
  select id into place from projects where full_path = '${project}';
  select id into writer from users where username = 'maintainer';
  select id into one from issues where project_id = place and iid = 1;
  insert into snippets (project_id, author_id, title, visibility) values (place, writer, 'Pipes', 'PUBLIC');
  insert into notes (issue_id, project_id, discussion_id, type, author_id, body) values (one, place, decode('${threads.issues}', 'hex'), 'DISCUSSION', writer, 'A remark.');
  insert into notes (snippet_id, project_id, discussion_id, type, author_id, body) select id, place, decode('${threads.snippets}', 'hex'), 'DISCUSSION', writer, 'A remark.' from snippets;
  insert into resource_events (issue_id, user_id, kind, action, label_id) select one, writer, 'LABEL', 'ADD', id from labels where title = 'bug';
end $$`;
