import { emojiNamed, unicodeVersionOf } from '../../../values/text/emoji.ts';
import { parent } from '../../../database/list.ts';
import { reads } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify, idOf } from '../../engine/global-id.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { usually } from '../../engine/page.ts';
import { NotFound } from '../../../errors.ts';
import { Issue } from '../issues/types.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Note } from '../notes/types.ts';
import { Snippet } from '../snippets/types.ts';
import { lookUpAwardable, prefetchAwardable } from './look-up.ts';
import { awardList, findAward, type AwardRecord } from './statements.ts';

/** Emoji that people give to issues, merge requests, notes and snippets. */

const AwardableType = builder.enumType('AwardableType', {
  values: { ISSUE: {}, MERGE_REQUEST: {}, NOTE: {}, SNIPPET: {} } as const,
});

function typeOf({ issueId, mergeRequestId, noteId }: AwardRecord) {
  if (issueId !== null) return 'ISSUE';
  if (mergeRequestId !== null) return 'MERGE_REQUEST';
  return noteId === null ? 'SNIPPET' : 'NOTE';
}
const awardedId = ({ issueId, mergeRequestId, noteId, snippetId }: AwardRecord): number =>
  (issueId ?? mergeRequestId ?? noteId ?? snippetId)!;
const globalTypes = { ISSUE: 'Issue', MERGE_REQUEST: 'MergeRequest', NOTE: 'Note', SNIPPET: 'Snippet' } as const;

export const AwardEmoji = builder.objectRef<AwardRecord>('AwardEmoji').implement({
  description: 'An emoji that a person gave to an issue, a merge request, a note or a snippet.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Without colons: `thumbsup`.' }),
    description: t.string({ resolve: ({ name }) => name.replaceAll('_', ' ') }),
    unicode: t.string({
      description: 'The character.',
      resolve: async ({ name }) => (await emojiNamed(name))?.character ?? '',
    }),
    emoji: t.string({
      description: 'The same.',
      resolve: async ({ name }) => (await emojiNamed(name))?.character ?? '',
    }),
    unicodeVersion: t.string({
      description: 'The version of Unicode that it came with: `6.0`.',
      resolve: async ({ name }) => {
        const found = await emojiNamed(name);
        return found ? await unicodeVersionOf(found) : '';
      },
    }),
    user: t.field({
      type: UserCore,
      description: 'Who gave it.',
      resolve: async ({ userId }, _args, context) => (await userById(context, userId))!,
    }),
    awardableType: t.field({ type: AwardableType, direct: true, resolve: typeOf }),
    awardableId: t.id({
      description: 'The global id of what it was given to.',
      direct: true,
      resolve: (award) => globalId(globalTypes[typeOf(award)], awardedId(award)),
    }),
    awardableDatabaseId: t.int({ description: 'The number in it.', direct: true, resolve: awardedId }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});
identify(AwardEmoji, 'AwardEmoji');

const named = builder.args((t) => ({
  project: t.id({ required: true, description: 'Id or full path of the project.' }),
  iid: t.string({ description: 'The issue.' }),
  mergeRequest: t.string({ description: 'Instead of an issue: the number of a merge request.' }),
  snippet: t.id({ description: 'Instead of an issue: the id of a snippet.' }),
  note: t.id({ description: 'The id of a note of it, if that is meant.' }),
}));

const listed = { type: AwardEmoji, orders: { id: { column: 'a.id', type: 'int' } }, by: 'id_asc' } as const;

rootList('awardEmojis', {
  ...listed,
  description: 'The awards of an issue, a merge request or a snippet, or of a note of it; the oldest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchAwardable,
  args: () => named,
  rows: async (context, name) => {
    const { column, id } = await lookUpAwardable(context, name);
    return awardList(column, id);
  },
});

builder.queryField('awardEmoji', (t) =>
  t.field({
    type: AwardEmoji,
    nullable: true,
    description: 'An award of an issue, a merge request or a snippet, or of a note of it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchAwardable,
    args: { ...named, id: t.arg.id({ required: true }) },
    resolve: async (_root, { id: given, ...name }, context) => {
      const { column, id } = await lookUpAwardable(context, name);
      const [award] = await context.database.rows(findAward[column], [idOf(given, 'AwardEmoji'), id]);
      if (!award) throw new NotFound('AwardEmoji');
      return award;
    },
  }),
);

const ofEachIssue = listOfEach((_context, _asked: object) => awardList('issue_id', parent));
const ofEachMergeRequest = listOfEach((_context, _asked: object) => awardList('merge_request_id', parent));
const ofEachNote = listOfEach((_context, _asked: object) => awardList('note_id', parent));
const ofEachSnippet = listOfEach((_context, _asked: object) => awardList('snippet_id', parent));

const described = { ...listed, ...usually(20), description: 'Its awards, the oldest first.' } as const;

nestedList(Issue, 'awardEmoji', {
  ...described,
  rows: (context, _asked, _info, { id }) => ofEachIssue(context, id, {}),
});

nestedList(MergeRequest, 'awardEmoji', {
  ...described,
  rows: (context, _asked, _info, { id }) => ofEachMergeRequest(context, id, {}),
});

nestedList(Note, 'awardEmoji', {
  ...described,
  rows: (context, _asked, _info, { id }) => ofEachNote(context, id, {}),
});

nestedList(Snippet, 'awardEmoji', {
  ...described,
  rows: (context, _asked, _info, { id }) => ofEachSnippet(context, id, {}),
});
