import { largestInteger } from '../../../values/integers.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { CommandsDone, type WrittenData } from '../../planning/notes/record.ts';
import { ofCommit } from './around.ts';

/** Comments on a commit. */

const tag = 'Commits';
const path = '/api/v4/projects/:id/repository/commits/:sha/comments';

interface CommentData {
  readonly note: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly lineType: 'NEW' | 'OLD' | null;
  readonly author: UserBasicData;
  readonly createdAt: string;
}

const fields = `note path line lineType createdAt author { ${userBasicFields} }`;

interface CreatedData {
  readonly commitCommentCreate: Pick<WrittenData, 'quickActionsStatus'> & {
    /** Null if the text has nothing but commands. */
    readonly comment: CommentData | null;
  };
}

const CommitNote: Record<CommentData> = {
  name: 'CommitNote',
  schema: objectSchema({
    note: { type: 'string' },
    path: { type: ['string', 'null'] },
    line: { type: ['integer', 'null'] },
    line_type: { type: ['string', 'null'], enum: ['new', 'old', null] },
    author: UserBasic.schema,
    created_at: { type: 'string', format: 'date-time' },
  }),
  present: ({ note, path: file, line, lineType, author, createdAt }) => ({
    note,
    path: file,
    line,
    line_type: lineType === null ? null : lineType.toLowerCase(),
    author: UserBasic.present(author),
    created_at: createdAt,
  }),
};

export const commitCommentRoutes: readonly AnyRoute[] = [
  listRoute<CommentData>({
    path,
    summary: 'List the comments on a commit',
    tag,
    of: 'CommitNote',
    parameters: [],
    ...ofCommit,
    field: 'comments',
    withoutRepository: 404,
    selection: fields,
    variables: ({ id, sha }) => ({ project: id, ref: sha }),
    record: CommitNote,
  }),
  route<CreatedData>({
    method: 'POST',
    path,
    summary: 'Comment on a commit',
    tag,
    parameters: [
      { name: 'note', type: 'string', required: true, description: 'What it says, as Markdown.' },
      { name: 'path', type: 'string', description: 'A file that the commit changed.' },
      {
        name: 'line',
        type: 'integer',
        largest: largestInteger,
        description: 'A line of that file; required with a path.',
      },
      {
        name: 'line_type',
        type: 'string',
        allowed: ['new', 'old'],
        default: 'new',
        description: 'Whether the line was added or deleted.',
      },
    ],
    example: { note: 'Well done' },
    operation: `mutation ($input: CommitCommentCreateInput!) { commitCommentCreate(input: $input) { comment { ${fields} } quickActionsStatus { messages changes } } }`,
    variables: ({ id, sha, note, path: file, line, line_type: side }) => {
      if (file && line == null) throw new ParameterProblems(['line is missing']);
      return {
        input: {
          projectPath: id,
          sha,
          note: note ?? '',
          path: file,
          line,
          lineType: side === 'old' ? 'OLD' : 'NEW',
        },
      };
    },
    status: 201,
    record: recordOf(CommitNote, ({ commitCommentCreate }) => commitCommentCreate.comment!),
    instead: {
      when: ({ commitCommentCreate }) => commitCommentCreate.comment === null,
      record: recordOf(CommandsDone, ({ commitCommentCreate }) => ({ ...commitCommentCreate, note: null })),
    },
    withoutRepository: 404,
    refusals: [404],
    dialect: 'version 4',
  }),
];
