import { Forbidden, InvalidFields, NotFound, Unauthenticated } from '../../../errors.ts';
import { diffOfCommit } from '../../../git/diff/index.ts';
import { all, createNote, readCode, reads, writes } from '../../../policy/index.ts';
import { hunksOf } from '../../../values/text/hunks.ts';
import { longestNote, tooLong } from '../../../values/text/lengths.ts';
import { storable } from '../../../values/text/storable.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { htmlOf } from '../../planning/markdown/html.ts';
import { mentionsIn } from '../../planning/notes/text.ts';
import { QuickActionsStatus, requireEffect } from '../../planning/quick-actions/issue.ts';
import type { QuickActions } from '../../planning/quick-actions/plan.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { carryOutOn } from './commands.ts';
import { commentOrders, commentsOf, insertComment, type CommentRow } from './statements.ts';
import { Commit, commitRecord, titleOf, type CommitRecord } from './types.ts';

/** Comments on commits. */

/** Longest title of a commit that is kept, in characters: a mail shows less. */
const longestTitle = 1_000;

const DiffSide = builder.enumType('DiffSide', {
  description: 'A side of a diff: lines that were added, or lines that were deleted.',
  values: { NEW: { value: 'new' }, OLD: { value: 'old' } } as const,
});

type Side = typeof DiffSide.$inferType;

const CommitComment = builder.objectRef<CommentRow>('CommitComment').implement({
  description: 'A comment on a commit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    note: t.exposeString('note', { description: 'As Markdown.' }),
    noteHtml: t.string({
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: ({ note, projectId }, _args, context) => htmlOf(context, note, { projectId, namespaceId: null }),
    }),
    path: t.exposeString('path', { nullable: true, description: 'The file; null for a comment on the whole.' }),
    line: t.exposeInt('line', { nullable: true, description: 'The number of the line.' }),
    lineType: t.field({ type: DiffSide, nullable: true, resolve: ({ lineType }) => lineType as Side | null }),
    author: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ authorId }, _args, context) => userById(context, authorId),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
  }),
});

nestedList(Commit, 'comments', {
  type: CommitComment,
  description: 'Comments on it, the oldest first: those of this project, also if a fork has the same commit.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: commentOrders,
  by: 'created_asc',
  rows: (_context, _asked, _info, { repository, id }) => commentsOf(repository.id, id),
});

interface Place {
  readonly path: string;
  readonly line: number;
  readonly side: Side;
}

/** The place of a comment, if it names a line that the commit added or deleted (contract §3.2). */
async function placeIn({ repository, id }: CommitRecord, { path, line, side }: Place): Promise<Place | undefined> {
  const { files } = await diffOfCommit(repository.git!, id);
  const file = files.find(({ oldPath, newPath }) => (side === 'new' ? newPath : oldPath) === path);
  const lines = file ? hunksOf(file.patch).flatMap((hunk) => hunk.lines) : [];
  const isThere = lines.some(({ kind, oldLine, newLine }) =>
    side === 'new' ? kind === 'added' && newLine === line : kind === 'deleted' && oldLine === line,
  );
  return isThere ? { path, line, side } : undefined;
}

/** What came of a comment. */
interface Commented {
  readonly comment: CommentRow | null;
  readonly actions: QuickActions | null;
}

mutation('commitCommentCreate', {
  description: 'Comments on a commit. The command `/tag v1.0 The first release` tags it.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    sha: t.string({ required: true, description: 'The commit.' }),
    note: t.string({ required: true, description: 'As Markdown.' }),
    path: t.string({ description: 'A file that the commit changed.' }),
    line: t.int({ description: 'A line of that file that it changed; of any other, the comment is on the whole.' }),
    lineType: t.field({ type: DiffSide, defaultValue: 'new', description: 'Where the line is counted.' }),
  }),
  payload: (t: FieldsOf<Commented>) => ({
    comment: t.expose('comment', {
      type: CommitComment,
      nullable: true,
      description: 'Null if the text has nothing but commands.',
    }),
    quickActionsStatus: t.field({
      type: QuickActionsStatus,
      nullable: true,
      description: 'Null if the text has no commands.',
      resolve: ({ actions }) => actions,
    }),
  }),
  resolve: async (context, { projectPath, sha, note, path, line, lineType }) => {
    const { person } = context.viewer;
    const repository = await repositoryIn(context, projectPath, all(readCode, createNote));
    if (!person) throw new Unauthenticated();
    if (repository.archived) throw new Forbidden();
    const revision = await revisionIn(repository, sha);
    if (!revision) throw new NotFound('Commit');
    if (note.trim() === '') throw new InvalidFields({ note: ["can't be blank"] });
    if (note.length > longestNote) throw new InvalidFields({ note: [tooLong(longestNote)] });
    const commit = commitRecord(repository, revision.commit);
    const asked = path && line != null ? { path, line, side: lineType ?? 'new' } : undefined;
    const place = asked && (await placeIn(commit, asked));
    const { text, actions } = await carryOutOn(context, commit, note);
    if (actions?.only) {
      requireEffect({ status: actions });
      return { comment: null, actions };
    }
    const [comment] = await context.database.rows(insertComment, [
      repository.id,
      commit.id,
      person.id,
      text,
      place?.path ?? null,
      place?.line ?? null,
      place?.side ?? null,
      // Git takes any bytes.
      storable(titleOf(commit)).slice(0, longestTitle).toWellFormed(),
      mentionsIn(text).names,
      [commit.author, commit.committer].map(({ email }) => storable(email).toLowerCase()),
    ]);
    return { comment: comment!, actions };
  },
});
