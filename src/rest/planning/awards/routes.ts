import { listRoute } from '../../engine/list-route.ts';
import type { Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { declared, passed } from '../notes/place.ts';
import { AwardEmoji, awardFields, type AwardData } from './record.ts';

/** The same four routes for issues, merge requests and snippets, and for the notes of all three. */

const tag = 'Award emoji';
const project = '/api/v4/projects/:id';

const places = [
  { path: `${project}/issues/:issue_iid`, of: 'an issue' },
  { path: `${project}/issues/:issue_iid/notes/:note_id`, of: 'a note of an issue' },
  { path: `${project}/merge_requests/:merge_request_iid`, of: 'a merge request' },
  { path: `${project}/merge_requests/:merge_request_iid/notes/:note_id`, of: 'a note of a merge request' },
  { path: `${project}/snippets/:snippet_id`, of: 'a snippet' },
  { path: `${project}/snippets/:snippet_id/notes/:note_id`, of: 'a note of a snippet' },
] as const;

const named = ({ issue_iid: iid, merge_request_iid: mergeRequest, snippet_id: snippet, note_id: note }: Values) => ({
  iid,
  mergeRequest,
  snippet,
  note,
});
const inputOf = (values: Values) => ({ projectPath: values.id, ...named(values) });

const target = '404 Award Emoji Not Found';
const missing = { Issue: target, MergeRequest: target, Snippet: target, Note: target, AwardEmoji: '404 Not found' };
const args = { project: 'ID!', iid: 'String', mergeRequest: 'String', snippet: 'ID', note: 'ID' };

const routesOf = ({ path, of }: (typeof places)[number]): readonly AnyRoute[] => [
  listRoute<AwardData>({
    path: `${path}/award_emoji`,
    summary: `List the award emoji of ${of}`,
    tag,
    of: 'AwardEmoji',
    parameters: [],
    field: 'awardEmojis',
    args,
    selection: awardFields,
    variables: (values) => ({ project: values.id, ...named(values) }),
    missing,
    record: AwardEmoji,
  }),
  route<{ awardEmoji: AwardData }>({
    method: 'GET',
    path: `${path}/award_emoji/:award_id`,
    summary: `Get an award emoji of ${of}`,
    tag,
    parameters: [],
    operation: `query (${declared({ ...args, id: 'ID!' })}) {
      awardEmoji(${passed({ ...args, id: 'ID!' })}) { ${awardFields} }
    }`,
    variables: (values) => ({ project: values.id, ...named(values), id: values.award_id }),
    missing,
    record: recordOf(AwardEmoji, ({ awardEmoji }) => awardEmoji),
    dialect: 'version 4',
  }),
  route<{ awardEmojiAdd: { awardEmoji: AwardData } }>({
    method: 'POST',
    path: `${path}/award_emoji`,
    summary: `Give an emoji to ${of}`,
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'Name of the emoji, without colons: `thumbsup`.' },
    ],
    example: { name: 'thumbsup' },
    operation: `mutation ($input: AwardEmojiAddInput!) { awardEmojiAdd(input: $input) { awardEmoji { ${awardFields} } } }`,
    variables: (values) => ({ input: { ...inputOf(values), name: values.name ?? '' } }),
    status: 201,
    refusals: [404],
    missing,
    record: recordOf(AwardEmoji, ({ awardEmojiAdd }) => awardEmojiAdd.awardEmoji),
    dialect: 'awarding an emoji',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/award_emoji/:award_id`,
    summary: `Take back an award emoji of ${of}`,
    tag,
    parameters: [],
    operation: `mutation ($input: AwardEmojiDeleteInput!) { awardEmojiDelete(input: $input) { awardEmoji { id } } }`,
    variables: (values, { unmodifiedSince }) => ({
      input: { ...inputOf(values), id: values.award_id, unmodifiedSince },
    }),
    conditional: true,
    status: 204,
    missing,
    record: NoContent,
    dialect: 'version 4',
  }),
];

export const awardRoutes: readonly AnyRoute[] = places.flatMap(routesOf);
