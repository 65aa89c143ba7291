import { BadRequest, NotFound } from '../../../errors.ts';
import { archive, archiveFormats, type ArchiveFormat } from '../../../git/archive/index.ts';
import { asGitError } from '../../../git/errors.ts';
import { builder } from '../../engine/builder.ts';
import { gitOwner } from '../repositories/git-owner.ts';
import { revisionIn } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';
import { withoutSlashes } from '../../../values/text/file-path.ts';

/** All files of a commit, as one file. */

/** A name as a folder and a file can have it. */
const plain = (name: string) => name.replaceAll(/[^A-Za-z0-9._+~-]+/g, '-').replace(/^[.-]+/, '');

const mostWithout = 100;

builder.objectField(Repository, 'archive', (t) =>
  t.field({
    type: 'Bytes',
    nullable: true,
    description: 'All files of a commit, or of one folder of it.',
    args: {
      ref: t.arg.string({ description: 'A branch, a tag or a commit; the default branch if omitted.' }),
      path: t.arg.string({ description: 'Only what is in this folder.' }),
      without: t.arg.stringList({ description: `But not what is at these paths, at most ${mostWithout}.` }),
      appendSha: t.arg.boolean({ defaultValue: true, description: 'Whether its name ends in that of the commit.' }),
      format: t.arg.string({ defaultValue: 'tar.gz', description: `One of ${archiveFormats.join(', ')}.` }),
    },
    resolve: async (repository, { ref, path: given, without, format, appendSha }, context) => {
      if (without && without.length > mostWithout) throw new BadRequest(`Leave no more than ${mostWithout} paths out.`);
      const revision = await revisionIn(repository, ref);
      if (!revision || !(archiveFormats as readonly (string | null | undefined)[]).includes(format))
        throw new NotFound('File');
      const { git, commit } = revision;
      const path = withoutSlashes(given ?? '');
      const project = repository.fullPath.slice(repository.fullPath.lastIndexOf('/') + 1);
      const parts = [project, ref || repository.defaultBranch!];
      if (appendSha !== false) parts.push(commit.id);
      if (path !== '') parts.push(path);
      const prefix = parts.map(plain).join('-');
      return {
        name: `${prefix}.${format}`,
        open: async () => {
          try {
            return await archive(git, {
              commit: commit.id,
              format: format as ArchiveFormat,
              prefix,
              path,
              without: (without ?? []).map(withoutSlashes),
              owner: gitOwner(context),
            });
          } catch (error) {
            throw asGitError(error)?.code === 'NOT_FOUND' ? new NotFound('File') : error;
          }
        },
      };
    },
  }),
);
