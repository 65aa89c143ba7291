import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { BadRequest } from '../../../errors.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { orNull, withTimes } from '../../engine/times.ts';
import { DiffPosition } from '../../reviews/diff-notes/types.ts';
import { readableIssueById } from '../issues/read.ts';
import { htmlOf } from '../markdown/html.ts';
import { discussionGid, noteableGid, onOf } from './ids.ts';
import type { DiscussionRecord, NoteInside, NoteRecord } from './statements/reading.ts';

/** Threads of issues and of merge requests can be resolved. */
export const isResolvable = ({ type, system, snippetId }: Pick<NoteRecord, 'type' | 'system' | 'snippetId'>): boolean =>
  type !== null && !system && snippetId === null;

const pages = { Issue: 'issues', MergeRequest: 'merge_requests', Snippet: 'snippets' } as const;

function placeOf(note: NoteRecord): string {
  const { kind, id } = onOf(note);
  return `/${note.projectPath}/-/${pages[kind]}/${note.iid ?? id}`;
}

const globalTypes = { DISCUSSION: 'DiscussionNote', DIFF: 'DiffNote' } as const;

export const Note = builder.objectRef<NoteRecord>('Note').implement({
  description: 'A comment, or a note of the system about a change.',
  fields: (t) => ({
    body: t.exposeString('body', { description: 'As Markdown.' }),
    bodyHtml: t.string({
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: ({ body, projectId }, _args, context) => htmlOf(context, body, { projectId, namespaceId: null }),
    }),
    author: t.field({ type: UserCore, direct: true, resolve: ({ author }) => withTimes<UserRecord>(author) }),
    system: t.exposeBoolean('system', { description: 'Whether the system wrote it about a change.' }),
    systemNoteIconName: t.exposeString('action', {
      nullable: true,
      description: 'What a note of the system tells, for its icon.',
    }),
    internal: t.exposeBoolean('internal', { description: 'Whether only reporters and above see it.' }),
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
function shownIn(context: Context, { notes }: DiscussionRecord): NoteRecord[] | Promise<NoteRecord[]> {
  if (notes.every(({ referrerId }) => referrerId === null)) return notes.map(alone);
  const shown = notes.map(async (note) =>
    note.referrerId === null || (await readableIssueById(context, note.referrerId)) ? [alone(note)] : [],
  );
  return Promise.all(shown).then((all) => all.flat());
}

/** A thread with its first note and its latest ones. @throws BadRequest */
function withEnds(discussion: DiscussionRecord, most: number | null | undefined): DiscussionRecord {
  if (most == null) return discussion;
  if (most < 1) throw new BadRequest('A part of a thread has at least its first note.');
  const { notes } = discussion;
  if (notes.length <= most) return discussion;
  return { ...discussion, notes: [notes[0]!, ...notes.slice(notes.length - most + 1)] };
}

const resolvableOf = ({ notes }: DiscussionRecord) => notes.filter((note) => isResolvable(note));

/** Whether all of a thread is resolved. */
function isResolved(discussion: DiscussionRecord): boolean {
  const notes = resolvableOf(discussion);
  return notes.length > 0 && notes.every(({ resolvedAt }) => resolvedAt !== null);
}

/** The note that was resolved last, if all of the thread is resolved. */
const lastResolved = (discussion: DiscussionRecord) =>
  isResolved(discussion)
    ? resolvableOf(discussion).reduce((last, note) => (note.resolvedAt! > last.resolvedAt! ? note : last))
    : undefined;

const isIndividual = ({ notes }: DiscussionRecord) => notes[0]!.type === null;
const gidOf = (discussion: DiscussionRecord) => discussionGid(discussion.discussionId, isIndividual(discussion));

/** @param discussion with all of its notes */
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
      args: {
        most: t.arg.int({
          description: 'At most so many of them, at least 1: the first one, and then the latest. All by default.',
        }),
      },
      resolve: (discussion, { most }, context) => shownIn(context, withEnds(discussion, most)),
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
    resolvable: t.boolean({ direct: true, resolve: (discussion) => resolvableOf(discussion).length > 0 }),
    resolved: t.boolean({ direct: true, resolve: isResolved }),
    resolvedAt: t.field({
      type: 'Time',
      nullable: true,
      direct: true,
      resolve: (discussion) => moment(lastResolved(discussion)?.resolvedAt ?? null),
    }),
    resolvedBy: t.field({
      type: UserCore,
      nullable: true,
      direct: true,
      resolve: (discussion) => orNull<UserRecord>(lastResolved(discussion)?.resolvedBy ?? null),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
  }),
});

builder.objectField(Discussion, 'notes', (t) =>
  t.connection(
    {
      type: Note,
      description: 'The oldest first.',
      args: offsetArg,
      resolve: async (discussion, args, context) =>
        resolveArrayPage(args, await shownIn(context, discussion), ({ id }) => String(id)) as never,
    },
    connectionOf(Note) as never,
  ),
);
