import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of what belongs to merge requests: comments, threads, emoji, to-dos, time and events of the merge
 * request 50 of `demo/storefront`. The administrator takes part in 51.
 */

const project = 'demo/storefront';
const thread = 'c3'.repeat(20);
/** The ids of the note, the awards of both, and the event, past those that other subjects make. */
const [note, award, noteAward, event] = ['60', '61', '62', '63'] as const;

const about = (values: Input['values'], more: Record<string, string> = {}): Input[] => [
  ...['50', '9'].map((merge_request_iid) => ({ id: project, path: { merge_request_iid, ...more }, values })),
  { id: 'hidden/project', path: { merge_request_iid: '50', ...more }, values },
];
const first = (values: Input['values'], more: Record<string, string> = {}) => about(values, more).slice(0, 1);

const one = '/api/v4/projects/:id/merge_requests/:merge_request_iid';
const inThread = { discussion_id: thread, note_id: note };
const sha = 'd'.repeat(40);
const position = {
  base_sha: sha,
  start_sha: sha,
  head_sha: sha,
  position_type: 'text',
  new_path: 'a.txt',
  new_line: 1,
  line_range: { start: { new_line: 1 }, end: { new_line: 2 } },
};

const readable = (all: readonly Input[]) => ({ readable: all });

const notes = {
  [`GET ${one}/notes`]: readable(about({ sort: 'asc', activity_filter: 'only_comments' })),
  [`GET ${one}/notes/:note_id`]: readable([note, '1', '9'].flatMap((note_id) => about({}, { note_id }))),
  [`POST ${one}/notes`]: readable([
    ...about({ body: 'See #2 and !50, @developer' }),
    ...first({ body: 'Hidden', internal: true }),
    ...first({ body: ' ' }),
    ...first({ body: '/spend 1h' }),
  ]),
  [`PUT ${one}/notes/:note_id`]: readable([note, '1'].flatMap((note_id) => about({ body: 'Changed' }, { note_id }))),
  [`DELETE ${one}/notes/:note_id`]: readable([note, '1'].flatMap((note_id) => about({}, { note_id }))),
  [`GET ${one}/discussions`]: readable(about({})),
  [`GET ${one}/discussions/:discussion_id`]: readable([
    ...about({}, { discussion_id: thread }),
    ...first({}, { discussion_id: 'x' }),
  ]),
  [`POST ${one}/discussions`]: readable([...about({ body: 'Does it leak?' }), ...first({ body: 'Why?', position })]),
  [`PUT ${one}/discussions/:discussion_id`]: readable(about({ resolved: true }, { discussion_id: thread })),
  [`GET ${one}/discussions/:discussion_id/notes`]: readable(about({}, { discussion_id: thread })),
  [`POST ${one}/discussions/:discussion_id/notes`]: readable(about({ body: 'It does.' }, { discussion_id: thread })),
  [`GET ${one}/discussions/:discussion_id/notes/:note_id`]: readable(about({}, inThread)),
  [`PUT ${one}/discussions/:discussion_id/notes/:note_id`]: readable([
    ...about({ body: 'Changed' }, inThread),
    ...first({ resolved: true }, inThread),
  ]),
  [`DELETE ${one}/discussions/:discussion_id/notes/:note_id`]: readable(about({}, inThread)),
};

/** Drafts of the administrator and of the maintainer. */
const drafts = {
  [`GET ${one}/draft_notes`]: readable(about({})),
  [`GET ${one}/draft_notes/:draft_note_id`]: readable(
    ['1', '2', '9'].flatMap((draft_note_id) => about({}, { draft_note_id })),
  ),
  [`POST ${one}/draft_notes`]: readable([
    ...about({ note: 'Does it leak?', in_reply_to_discussion_id: thread, resolve_discussion: true }),
    ...first({ note: ' ' }),
    ...first({ note: 'Why?', position }),
  ]),
  [`PUT ${one}/draft_notes/:draft_note_id`]: readable(
    ['1', '2', '9'].flatMap((draft_note_id) => about({ note: 'Changed' }, { draft_note_id })),
  ),
  [`DELETE ${one}/draft_notes/:draft_note_id`]: readable(
    ['1', '2', '9'].flatMap((draft_note_id) => about({}, { draft_note_id })),
  ),
  [`PUT ${one}/draft_notes/:draft_note_id/publish`]: readable(
    ['1', '2', '9'].flatMap((draft_note_id) => about({}, { draft_note_id })),
  ),
  [`POST ${one}/draft_notes/bulk_publish`]: readable([...about({}), ...first({ note: 'All in all', internal: true })]),
};

const awards = [one, `${one}/notes/:note_id`].flatMap((path) => {
  const at = `${path}/award_emoji`;
  const more: Record<string, string> = path === one ? {} : { note_id: note };
  const all = [path === one ? award : noteAward, '1', '9'].flatMap((award_id) => about({}, { ...more, award_id }));
  return [
    [`GET ${at}`, readable(about({}, more))],
    [`GET ${at}/:award_id`, readable(all)],
    [`POST ${at}`, readable(['+1', 'rocket', 'nothing'].flatMap((name) => about({ name }, more)))],
    [`DELETE ${at}/:award_id`, readable(all)],
  ] as const;
});

const events = ['label', 'milestone', 'state'].flatMap(
  (kind) =>
    [
      [`GET ${one}/resource_${kind}_events`, readable(about({}))],
      [`GET ${one}/resource_${kind}_events/:event_id`, readable(about({}, { event_id: event }))],
    ] as const,
);

export const inputsOfReviewParts = (): Inputs => ({
  ...notes,
  ...drafts,
  ...Object.fromEntries([...awards, ...events]),
  [`POST ${one}/todo`]: readable(about({})),
  [`POST ${one}/subscribe`]: readable(about({})),
  [`POST ${one}/unsubscribe`]: readable([...about({}), { id: project, path: { merge_request_iid: '51' }, values: {} }]),
  [`GET ${one}/participants`]: readable(about({})),
  [`GET ${one}/time_stats`]: readable(about({})),
  [`POST ${one}/time_estimate`]: readable([...about({ duration: '3h30m' }), ...first({ duration: 'x' })]),
  [`POST ${one}/reset_time_estimate`]: readable(about({})),
  [`POST ${one}/add_spent_time`]: readable([
    ...about({ duration: '1h', summary: 'Read' }),
    ...first({ duration: '-9h' }),
  ]),
  [`POST ${one}/reset_spent_time`]: readable(about({})),
});

/** Makes the merge requests, and a note, an award and an event of it. */
export const reviewPartsToBegin = `do $$ declare place int; writer int; one int; begin
  select id into place from projects where full_path = '${project}';
  select id into writer from users where username = 'maintainer';
  insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, author_id, time_estimate, time_spent)
    values (place, 50, place, 'parts', 'main', 'Parts', writer, 3600, 1800) returning id into one;
  insert into participants (merge_request_id, user_id) values (one, writer);
  with other as (
    insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, author_id)
      values (place, 51, place, 'others', 'main', 'Others', writer) returning id
  )
  insert into participants (merge_request_id, user_id) select other.id, u.id from other, users u where u.username = 'root';
  insert into notes (id, merge_request_id, project_id, discussion_id, type, author_id, body)
    values (${note}, one, place, decode('${thread}', 'hex'), 'DISCUSSION', writer, 'A remark.');
  insert into draft_notes (merge_request_id, author_id, body)
    select one, u.id, 'A draft.' from users u where u.username in ('root', 'maintainer') order by u.id;
  insert into awards (id, merge_request_id, user_id, name) values (${award}, one, writer, 'rocket');
  insert into awards (id, note_id, user_id, name) values (${noteAward}, ${note}, writer, 'rocket');
  insert into resource_events (id, merge_request_id, user_id, kind, action) values (${event}, one, writer, 'STATE', 'CLOSED');
end $$`;
