import type { Context } from '../../../context.ts';
import { Forbidden, InvalidFields } from '../../../errors.ts';
import { readCommit } from '../../../git/objects/index.ts';
import type { Action } from '../../../git/write/index.ts';
import { writeCode, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { projectById } from '../../places/place/read.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { isForkOf } from '../repositories/relatives.ts';
import { authorOf } from '../writing/committer.ts';
import { commitOn } from '../writing/commit.ts';
import { Commit, commitRecord, type CommitRecord } from './types.ts';

const CommitActionMode = builder.enumType('CommitActionMode', {
  description: 'What a commit does with a file.',
  values: {
    CREATE: { value: 'create' },
    UPDATE: { value: 'update' },
    DELETE: { value: 'delete' },
    MOVE: { value: 'move' },
    CHMOD: { value: 'chmod' },
  } as const,
});

const CommitEncoding = builder.enumType('CommitEncoding', {
  description: 'How the content of a file is sent.',
  values: { TEXT: { value: 'utf8' }, BASE64: { value: 'base64' } } as const,
});

const CommitAction = builder.inputType('CommitAction', {
  description: 'A change of one file.',
  fields: (t) => ({
    action: t.field({ type: CommitActionMode, required: true }),
    filePath: t.string({ required: true }),
    previousPath: t.string({ description: 'Of a file that is moved.' }),
    content: t.string({ description: 'What it contains; needed to update.' }),
    encoding: t.field({ type: CommitEncoding, defaultValue: 'utf8' }),
    lastCommitId: t.string({ description: 'Refused, if another commit changed the file last.' }),
    executeFilemode: t.boolean({ description: 'Whether it is executable.' }),
  }),
});

type Given = typeof CommitAction.$inferInput;

/** @throws InvalidFields for what an action lacks */
function actionOf(given: Given, index: number): Action {
  const { action, content: text, lastCommitId, executeFilemode, previousPath } = given;
  // A leading slash is dropped.
  const path = given.filePath.replace(/^\//, '');
  const content = text == null ? undefined : Buffer.from(text, given.encoding ?? 'utf8');
  const expected = lastCommitId == null ? {} : { lastCommitId };
  const mode = executeFilemode == null ? {} : { executable: executeFilemode };
  const lacks = (field: string) => new InvalidFields({ [`actions[${index}][${field}]`]: ['is missing'] });
  switch (action) {
    case 'create':
      return { action, path, content: content ?? Buffer.alloc(0), ...mode };
    case 'update':
      if (!content) throw lacks('content');
      return { action, path, content, ...mode, ...expected };
    case 'delete':
      return { action, path, ...expected };
    case 'move':
      if (previousPath == null) throw lacks('previous_path');
      return {
        action,
        path,
        previousPath: previousPath.replace(/^\//, ''),
        ...(content && { content }),
        ...expected,
      };
    case 'chmod':
      if (executeFilemode == null) throw lacks('execute_filemode');
      return { action, path, executable: executeFilemode };
  }
}

/**
 * The repository that has the start of a commit.
 * @throws NotFound if the viewer doesn’t see it, Forbidden if it is no origin of the project or they may not read its code
 */
async function startingIn(context: Context, { id }: RepositoryRecord, given: string): Promise<RepositoryRecord> {
  const source = await repositoryIn(context, given);
  if (await isForkOf(context.database, id, source.id)) return source;
  const { namespaceFullName, name } = (await projectById(context, id))!;
  throw new Forbidden(`Project is not included in the fork network for ${namespaceFullName} / ${name}`);
}

mutation('commitCreate', {
  description: 'Changes files, one after another, all or none, and puts the result on a branch.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    branch: t.string({ required: true, description: 'The branch that gets the commit; made if it isn’t there.' }),
    startBranch: t.string({ description: 'The branch that a new one begins at.' }),
    startSha: t.string({ description: 'The full name of the commit that a new branch begins at.' }),
    startProject: t.id({
      description: 'The project that has the start: this one, if omitted, or one that it was forked from.',
    }),
    message: t.string({ required: true }),
    actions: t.field({ type: [CommitAction], required: true }),
    authorName: t.string({ description: 'You, if omitted.' }),
    authorEmail: t.string({ description: 'Yours, if omitted.' }),
    force: t.boolean({ description: 'Whether an existing branch is set to the start.' }),
  }),
  payload: (t: FieldsOf<{ commit: CommitRecord; branch: string; paths: string[] }>) => ({
    branch: t.exposeString('branch'),
    paths: t.exposeStringList('paths', { description: 'The files that the actions name.' }),
    commit: t.expose('commit', { type: Commit }),
    content: t.stringList({ description: 'The new commit’s name.', resolve: ({ commit }) => [commit.id] }),
  }),
  resolve: async (context, { projectPath, branch, message, actions, force, ...given }) => {
    const { startBranch, startSha, startProject, ...author } = given;
    const repository = await repositoryIn(context, projectPath, writeCode);
    const source = startProject ? await startingIn(context, repository, startProject) : undefined;
    const made = await commitOn(context, repository, {
      branch,
      startBranch,
      startSha,
      startIn: source?.id === repository.id ? undefined : source,
      message,
      author: (committer) => authorOf(committer, author),
      actions: actions.map(actionOf),
      force: force === true,
    });
    const commit = await readCommit(made.repository.git!, made.id);
    return { commit: commitRecord(made.repository, commit!), branch, paths: actions.map(({ filePath }) => filePath) };
  },
});
