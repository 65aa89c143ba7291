import type { Context } from '../../../context.ts';
import { diffOfCommit, type FileDiff } from '../../../git/diff/index.ts';
import { mailedPatches, patchOfCommit } from '../../../git/diff/raw.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, readApart, resolveArrayPage } from '../../engine/page.ts';
import { gitOwner } from '../repositories/git-owner.ts';
import { holdDiff } from '../repositories/hold.ts';
import { Commit, type CommitRecord } from './types.ts';

/** What commits changed, file by file. */

/** A mode as clients know it: `0` where there is no file. */
const modeOf = (mode: string) => (mode === '000000' ? '0' : mode);

/** The patch with the names of both sides before it. */
const unified = ({ patch, status, oldPath, newPath, binary }: FileDiff) =>
  patch === '' || binary
    ? patch
    : `--- ${status === 'added' ? '/dev/null' : `a/${oldPath}`}\n+++ ${status === 'deleted' ? '/dev/null' : `b/${newPath}`}\n${patch}`;

export const Diff = builder.objectRef<FileDiff>('Diff').implement({
  description: 'How a file differs.',
  fields: (t) => ({
    diff: t.string({
      description: 'The patch from its first `@@` on; empty for a rename alone, and for a patch that is too large.',
      args: { unified: t.arg.boolean({ defaultValue: false, description: 'With the names of both sides before it.' }) },
      resolve: (file, args) => (args.unified ? unified(file) : file.patch),
    }),
    newPath: t.exposeString('newPath'),
    oldPath: t.exposeString('oldPath'),
    aMode: t.string({
      description: 'Its mode before; `0` if it is new.',
      direct: true,
      resolve: (d) => modeOf(d.oldMode),
    }),
    bMode: t.string({
      description: 'Its mode now; `0` if it was deleted.',
      direct: true,
      resolve: (d) => modeOf(d.newMode),
    }),
    newFile: t.boolean({ direct: true, resolve: ({ status }) => status === 'added' }),
    renamedFile: t.boolean({ direct: true, resolve: ({ status }) => status === 'renamed' }),
    deletedFile: t.boolean({ direct: true, resolve: ({ status }) => status === 'deleted' }),
    tooLarge: t.exposeBoolean('tooLarge', { description: 'Whether the patch is left out because of its size.' }),
    additions: t.exposeInt('additions', { description: 'Lines added.' }),
    deletions: t.exposeInt('deletions', { description: 'Lines deleted.' }),
  }),
});

const filesOf = async ({ repository, id }: CommitRecord, context: Context) =>
  holdDiff(context, (await diffOfCommit(repository.git!, id)).files);

builder.objectField(Commit, 'diffs', (t) =>
  t.field({
    ...readApart,
    type: [Diff],
    nullable: true,
    description: 'What it changed, compared with its first parent.',
    resolve: async (commit, _args, context) => await filesOf(commit, context),
  }),
);

builder.objectField(Commit, 'paginatedDiffs', (t) =>
  t.connection(
    {
      type: Diff,
      nullable: true,
      description: 'The same as `diffs`, in pages.',
      args: { ...offsetArg },
      resolve: async (commit, args, context) =>
        resolveArrayPage(
          args,
          await filesOf(commit, context),
          ({ newPath, oldPath }) => `${oldPath}\0${newPath}`,
        ) as never,
    },
    connectionOf(Diff) as never,
  ),
);

builder.objectField(Commit, 'rawDiff', (t) =>
  t.field({
    type: 'Bytes',
    nullable: true,
    description: 'What it changed, as `git diff` prints it.',
    resolve: ({ repository, id }, _args, context) => ({
      name: `${id}.diff`,
      open: () => patchOfCommit(repository.git!, id, { owner: gitOwner(context) }),
    }),
  }),
);

builder.objectField(Commit, 'rawPatch', (t) =>
  t.field({
    type: 'Bytes',
    nullable: true,
    description: 'The commit as a mail, as `git format-patch` prints it; nothing for a merge.',
    resolve: ({ repository, id }, _args, context) => ({
      name: `${id}.patch`,
      open: () => mailedPatches(repository.git!, id, { owner: gitOwner(context) }),
    }),
  }),
);
