import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { picturedFields } from '../../places/avatars/avatar.tsx';
import type { NoteRights } from '../../planning/notes/host.ts';
import {
  noteWriter,
  partDeclared,
  partFields,
  type NoteOperations,
  type PartOfThread,
} from '../../planning/notes/operations.ts';
import { positionFields, type Note, type NotePosition, type Thread } from '../../planning/notes/thread.ts';
import type { Visit } from '../../site/visit.ts';

/** Comments on commits, as the pages of comments show and write them. */

/** A comment on a commit, as the schema says it. */
interface Comment extends Pick<Note, 'id' | 'body' | 'bodyHtml' | 'createdAt' | 'author'> {
  readonly updatedAt: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly lineType: 'NEW' | 'OLD' | null;
  readonly position: NotePosition | null;
}

const commentFields = `id: databaseId body: note bodyHtml: noteHtml createdAt updatedAt author { ${picturedFields} username }
  path line lineType position ${positionFields}`;

/** A thread on a commit. */
export type CommentThread = Pick<Thread, 'key' | 'individualNote' | 'notes'> & {
  readonly allNotes: readonly Comment[];
};

export const commentThreadFields = `key individualNote notes(first: 1) { count } allNotes(most: $notes, whole: $whole) { ${commentFields} }`;

/** What the viewer may do with the comments of a commit. */
export type CommentRights = Pick<NoteRights, 'createNote' | 'adminNote'>;

export const commentRights = 'userPermissions { createNote adminNote }';
export const rightsOf = (rights: CommentRights): NoteRights => ({
  ...rights,
  readInternalNote: false,
  resolveNote: false,
});

/** Where a comment stands. One from before positions were kept has a file and a line alone, and no lines are shown of it. */
function positionOf({ position, path, line, lineType }: Comment): NotePosition | null {
  if (position || path === null) return position;
  const isOld = lineType === 'OLD';
  const diffRefs = { baseSha: 'HEAD', headSha: 'HEAD', startSha: 'HEAD' };
  return { oldPath: path, newPath: path, oldLine: isOld ? line : null, newLine: isOld ? null : line, diffRefs };
}

const noteOf = (comment: Comment): Note => ({
  ...comment,
  system: false,
  internal: false,
  lastEditedAt: comment.updatedAt === comment.createdAt ? null : comment.updatedAt,
  position: positionOf(comment),
});

const unresolved = { resolvable: false, resolved: false, resolvedBy: null } as const;

export const threadOf = (thread: CommentThread): Thread => ({
  ...thread,
  ...unresolved,
  allNotes: thread.allNotes.map((one) => noteOf(one)),
});

type PartOfComments = Pick<PartOfThread, 'key' | 'individualNote'> & {
  readonly opening: readonly Comment[];
  readonly notes: Omit<PartOfThread['notes'], 'edges'> & {
    readonly edges: readonly { readonly cursor: string; readonly node: Comment }[];
  };
};

/** Of the field of a commit that is asked for. */
interface OnCommit<Fields> {
  readonly repository: { readonly commit: Fields };
}

/** What the pages of comments do on commits. */
export function commentOperations(schema: GraphQLSchema): NoteOperations {
  const writing = (name: string, type: string) => noteWriter(schema, name, type, 'comment');
  const reading = <Fields>(declared: string, fields: string) =>
    compileOperation<OnCommit<Fields>>(
      schema,
      `query ($project: ID!, $ref: String!, ${declared}) { repository(project: $project) { commit(ref: $ref) { ${fields} } } }`,
    );
  const create = writing('commitCommentCreate', 'CommitCommentCreateInput');
  const update = writing('commitCommentUpdate', 'CommitCommentUpdateInput');
  const remove = writing('commitCommentDestroy', 'CommitCommentDestroyInput');
  const find = reading<{ comment: Comment }>('$id: ID!', `comment(id: $id) { ${commentFields} }`);
  const thread = reading<{ discussion: PartOfComments }>(
    `$thread: ID!, ${partDeclared}`,
    `discussion(id: $thread) { key individualNote ${partFields(commentFields)} }`,
  );
  const keyOf = reading<{ comment: { readonly discussionKey: string } }>(
    '$id: ID!',
    'comment(id: $id) { discussionKey }',
  );
  const before = reading<{ discussion: { readonly notes: { readonly count: number } } }>(
    '$thread: ID!, $id: ID!',
    'discussion(id: $thread) { notes(beforeNote: $id) { count } }',
  );

  const nameOf = ({ named }: Visit, { fullPath }: PlaceHead) => ({ projectPath: fullPath, sha: named.iid });
  const asked = ({ named }: Visit, { fullPath }: PlaceHead) => ({ project: fullPath, ref: named.iid });

  return {
    async write(visit, place, { body, startsThread }, discussionId) {
      const input = { ...nameOf(visit, place), note: body, startsThread, discussionId };
      return (await create.execute(visit.context, { input })).written.note;
    },
    update: async (visit, place, { id, body }) =>
      (await update.execute(visit.context, { input: { ...nameOf(visit, place), id, note: body } })).written.note,
    remove: (visit, place, id) => remove.execute(visit.context, { input: { ...nameOf(visit, place), id } }),
    find: async (visit, place, id) =>
      noteOf((await find.execute(visit.context, { ...asked(visit, place), id })).repository.commit.comment),
    async thread(visit, place, key, part) {
      const { discussion } = (await thread.execute(visit.context, { ...asked(visit, place), thread: key, ...part }))
        .repository.commit;
      const { opening, notes } = discussion;
      return {
        ...discussion,
        ...unresolved,
        opening: opening.map((one) => noteOf(one)),
        notes: { ...notes, edges: notes.edges.map(({ cursor, node }) => ({ cursor, node: noteOf(node) })) },
      };
    },
    async placeOf(visit, place, id) {
      const name = asked(visit, place);
      const { comment } = (await keyOf.execute(visit.context, { ...name, id })).repository.commit;
      const key = comment.discussionKey;
      const { discussion } = (await before.execute(visit.context, { ...name, thread: key, id })).repository.commit;
      return { key, index: discussion.notes.count };
    },
  };
}
