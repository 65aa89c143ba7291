import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { BadRequest } from '../../../errors.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { reads } from '../../../policy/index.ts';
import { escapedHtml } from '../../../values/text/html.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { argumentsAt } from '../../engine/selection.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { orNull, withTimes } from '../../engine/times.ts';
import { DiffPosition } from '../../reviews/diff-notes/types.ts';
import { readableIssueById } from '../issues/read.ts';
import { htmlOf } from '../markdown/html.ts';
import { discussionGid, noteableGid, onOf } from './ids.ts';
import type { DiscussionRecord, Ends, NoteInside, NoteRecord, ThreadState } from './statements/reading.ts';

/** Threads of issues and of merge requests can be resolved. */
export const isResolvable = ({ type, system, snippetId }: Pick<NoteRecord, 'type' | 'system' | 'snippetId'>): boolean =>
  type !== null && !system && snippetId === null;

const pages = { Issue: 'issues', MergeRequest: 'merge_requests', Snippet: 'snippets' } as const;

function placeOf(note: NoteRecord): string {
  const { kind, id } = onOf(note);
  return `/${note.projectPath}/-/${pages[kind]}/${note.iid ?? id}`;
}

/** The text as HTML. Only in a note of the system, a commit is a link: who sees such a note, reads the project of the commit. */
async function bodyHtmlOf(context: Context, note: NoteRecord): Promise<string> {
  const { body, projectId, referrerProjectId: from, referrerSha: sha } = note;
  const project = from === null || sha === null ? undefined : await projectById(context, from);
  if (!project) return await htmlOf(context, body, { projectId, namespaceId: null });
  const { fullPath } = project;
  const text = `${from === projectId ? '' : `${fullPath}@`}${sha!.slice(0, 8)}`;
  const href = escapedHtml(`${context.baseUrl}/${fullPath}/-/commit/${sha}`);
  return `<p>mentioned in commit <a href="${href}">${escapedHtml(text)}</a></p>\n`;
}

const globalTypes = { DISCUSSION: 'DiscussionNote', DIFF: 'DiffNote' } as const;

export const Note = builder.objectRef<NoteRecord>('Note').implement({
  description: 'A comment, or a note of the system about a change.',
  fields: (t) => ({
    body: t.exposeString('body', { description: 'As Markdown.' }),
    bodyHtml: t.string({
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: (note, _args, context) => bodyHtmlOf(context, note),
    }),
    author: t.field({ type: UserCore, direct: true, resolve: ({ author }) => withTimes<UserRecord>(author) }),
    system: t.exposeBoolean('system', { description: 'Whether the system wrote it about a change.' }),
    systemNoteIconName: t.exposeString('action', {
      nullable: true,
      description: 'What a note of the system tells, for its icon.',
    }),
    internal: t.exposeBoolean('internal', { description: 'Whether only planners and above see it.' }),
    confidential: t.boolean({
      description: 'The same as `internal`.',
      direct: true,
      resolve: ({ internal }) => internal,
    }),
    isInThread: t.boolean({
      description: 'Whether it is a part of a thread, instead of a single comment.',
      direct: true,
      resolve: ({ type }) => type !== null,
    }),
    position: t.field({
      type: DiffPosition,
      nullable: true,
      description: 'Where it stands in the diff of a merge request; null for any other comment.',
      direct: true,
      resolve: ({ diffPosition }) => diffPosition,
    }),
    originalPosition: t.field({
      type: DiffPosition,
      nullable: true,
      description: 'Where its author put it. Its line may be elsewhere now.',
      direct: true,
      resolve: ({ originalPosition }) => originalPosition,
    }),
    outdated: t.exposeBoolean('outdated', { description: 'Whether its line in a diff was changed since.' }),
    discussionKey: t.exposeString('discussionId', { description: 'The id of its thread in the REST API.' }),
    noteableType: t.string({
      description: 'What it is about: `Issue`, `MergeRequest` or `Snippet`.',
      direct: true,
      resolve: (note) => onOf(note).kind,
    }),
    noteableDatabaseId: t.int({
      description: 'The number in the global id of what it is about.',
      direct: true,
      resolve: (note) => onOf(note).id,
    }),
    noteableIid: t.int({
      nullable: true,
      description: 'The number of its issue or merge request in the project.',
      direct: true,
      resolve: ({ iid }) => iid,
    }),
    projectId: t.exposeInt('projectId', { description: 'The number of its project.' }),
    project: t.field({
      type: Project,
      nullable: true,
      // A token that reads only people sees no projects, also not through their activity.
      admission: { class: 'token', scopes: reads },
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    resolvable: t.boolean({
      description: 'Whether its thread can be resolved.',
      direct: true,
      resolve: (note) => isResolvable(note),
    }),
    resolved: t.boolean({ direct: true, resolve: ({ resolvedAt }) => resolvedAt !== null }),
    resolvedAt: t.expose('resolvedAt', { type: 'Time', nullable: true }),
    resolvedBy: t.field({
      type: UserCore,
      nullable: true,
      direct: true,
      resolve: ({ resolvedBy }) => orNull<UserRecord>(resolvedBy),
    }),
    lastEditedAt: t.expose('editedAt', { type: 'Time', nullable: true }),
    lastEditedBy: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ editedById }, _args, context) => userById(context, editedById),
    }),
    url: t.string({
      description: 'Its place on the page.',
      resolve: (note, _args, { baseUrl }) => `${baseUrl}${placeOf(note)}#note_${note.id}`,
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(Note, ({ type }) => (type === null ? 'Note' : globalTypes[type]));

const moment = (time: string | null) => (time === null ? null : new Date(time));

/** A note inside a thread, as it is alone. */
const alone = (note: NoteInside): NoteRecord => ({
  ...note,
  createdAt: new Date(note.createdAt),
  updatedAt: new Date(note.updatedAt),
  resolvedAt: moment(note.resolvedAt),
  editedAt: moment(note.editedAt),
});

/** The notes of a thread that the viewer reads: not those that name an issue out of their sight. */
function shownIn(context: Context, { notes }: Pick<DiscussionRecord, 'notes'>): NoteRecord[] | Promise<NoteRecord[]> {
  if (notes.every(({ referrerId }) => referrerId === null)) return notes.map(alone);
  const shown = notes.map(async (note) =>
    note.referrerId === null || (await readableIssueById(context, note.referrerId)) ? [alone(note)] : [],
  );
  return Promise.all(shown).then((all) => all.flat());
}

/** Values of these: they say which notes of a thread are shown. */
type Shown = { readonly [Name in keyof Ends]?: number | null | undefined };

/** The arguments of `allNotes`. */
export const endsArguments = builder.args((t) => ({
  most: t.int({
    description: 'At most so many of them, at least 1: the first one, and then the latest. All by default.',
  }),
  whole: t.int({ description: 'With `most`: all of them, if there are no more than so many.' }),
}));

/** Which notes of a thread arguments ask for; null for all. @throws BadRequest */
function endsFor({ most, whole }: Shown): Ends | null {
  if (most == null) return null;
  if (most < 1) throw new BadRequest('A part of a thread has at least its first note.');
  return { most, whole: Math.max(whole ?? 0, 0) };
}

/**
 * Which notes to read of threads, by what is selected of them: null for all. Pages of `notes` are read apart.
 * @param paths where the selections of `allNotes` are
 * @throws BadRequest
 */
export function endsIn(info: GraphQLResolveInfo, ...paths: readonly (readonly string[])[]): Ends | null {
  let ends: Ends = { most: 1, whole: 0 };
  for (const path of paths) {
    for (const given of argumentsAt(info, ...path, 'allNotes')) {
      const asked = endsFor(given as Shown);
      if (!asked) return null;
      ends = { most: Math.max(ends.most, asked.most), whole: Math.max(ends.whole, asked.whole) };
    }
  }
  return ends;
}

/** The notes of a thread that arguments ask for. @param count of all that it has @throws BadRequest */
export function endsOf<One>(notes: readonly One[], asked: Shown, count: number): readonly One[] {
  const ends = endsFor(asked);
  if (!ends || count <= Math.max(ends.most, ends.whole)) return notes;
  return [notes[0]!, ...notes.slice(notes.length - ends.most + 1)];
}

/** What all notes of a thread say together. Where only some were read, the statement computes the same. */
export function stateOf({ notes, state }: DiscussionRecord): ThreadState {
  if (state) return state;
  const resolvable = notes.filter((note) => isResolvable(note));
  const isResolved = resolvable.length > 0 && resolvable.every(({ resolvedAt }) => resolvedAt !== null);
  // The note that was resolved last.
  const { resolvedAt = null, resolvedBy = null } = isResolved
    ? resolvable.reduce((last, note) => (note.resolvedAt! > last.resolvedAt! ? note : last))
    : {};
  const continued = notes.length > 1 && notes.some(({ referrerId }) => referrerId !== null);
  return { count: notes.length, resolvable: resolvable.length > 0, resolvedAt, resolvedBy, continued };
}

const isIndividual = ({ notes }: DiscussionRecord) => notes[0]!.type === null;
const gidOf = (discussion: DiscussionRecord) => discussionGid(discussion.discussionId, isIndividual(discussion));

export const Discussion = builder.objectRef<DiscussionRecord>('Discussion').implement({
  description: 'A thread: a comment with its replies. A single comment is a thread of its own.',
  fields: (t) => ({
    id: t.id({ description: 'The global id.', direct: true, resolve: gidOf }),
    replyId: t.id({ description: 'The id to reply to.', direct: true, resolve: gidOf }),
    key: t.exposeString('discussionId', { description: 'Its id in the REST API.' }),
    individualNote: t.boolean({
      description: 'Whether it is a single comment, without replies.',
      direct: true,
      resolve: isIndividual,
    }),
    allNotes: t.field({
      type: [Note],
      description: 'All of its notes, the oldest first.',
      args: endsArguments,
      resolve: (discussion, asked, context) =>
        shownIn(context, { notes: endsOf(discussion.notes, asked, stateOf(discussion).count) }),
    }),
    noteableType: t.string({
      description: 'What it is about: `Issue`, `MergeRequest` or `Snippet`.',
      direct: true,
      resolve: ({ notes: [note] }) => onOf(note!).kind,
    }),
    noteableId: t.id({
      description: 'The global id of what it is about.',
      direct: true,
      resolve: ({ notes: [note] }) => noteableGid(note!),
    }),
    resolvable: t.boolean({ direct: true, resolve: (discussion) => stateOf(discussion).resolvable }),
    resolved: t.boolean({ direct: true, resolve: (discussion) => stateOf(discussion).resolvedAt !== null }),
    resolvedAt: t.field({
      type: 'Time',
      nullable: true,
      direct: true,
      resolve: (discussion) => moment(stateOf(discussion).resolvedAt),
    }),
    resolvedBy: t.field({
      type: UserCore,
      nullable: true,
      direct: true,
      resolve: (discussion) => orNull<UserRecord>(stateOf(discussion).resolvedBy),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
  }),
});
