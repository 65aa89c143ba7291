import type { Readable } from 'node:stream';
import { Invalid, NotFound } from '../errors.ts';
import { isReadable } from '../names/paths.ts';
import { checkedObject } from '../names/refs.ts';
import { infoAt } from '../objects/index.ts';
import type { Repository } from '../repository.ts';
import { outputOf } from '../runner/output.ts';

/** The formats of archives. */
export const archiveFormats = ['tar', 'tar.gz', 'tar.bz2', 'zip'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/**
 * The files of a commit as one archive.
 * @param prefix the folder that all of it lies in; a single plain name
 * @param path only what is in this folder, or this file
 * @param without but not what is at these paths
 * @returns a stream that fails if git fails; destroying it ends git
 * @throws NotFound for an unknown path, Invalid for a bad prefix, Busy
 */
export async function archive(
  repository: Repository,
  how: {
    readonly commit: string;
    readonly format: ArchiveFormat;
    readonly prefix: string;
    readonly path?: string;
    readonly without?: readonly string[];
    readonly owner?: string;
    readonly signal?: AbortSignal;
  },
): Promise<Readable> {
  const { commit, format, prefix, path, without = [], owner, signal } = how;
  const name = checkedObject(commit);
  if (!isReadable(prefix) || prefix.includes('/')) throw new Invalid('The name of the archive is invalid.');
  if (!archiveFormats.includes(format)) throw new Invalid('The format of the archive is unknown.');
  const within = path !== undefined && path !== '';
  const found = within && !isReadable(path) ? undefined : await infoAt(repository, commit, path ?? '');
  if (!found || found.type === 'commit') throw new NotFound('The path does not exist.');
  const left = without.filter(isReadable);
  const literal = (one: string, magic = '') => (left.length > 0 ? `:(${magic}literal)${one}` : one);
  const paths = [...(within ? [literal(path)] : []), ...left.map((one) => literal(one, 'exclude,'))];
  const job = await repository.start(
    ['archive', `--format=${format}`, `--prefix=${prefix}/`, '--end-of-options', name, ...paths],
    {
      kind: 'heavy',
      ...(left.length > 0 && { environment: { GIT_LITERAL_PATHSPECS: '0' } }),
      // Git's own gzip, and the one other program that it may run here.
      configuration: { 'tar.tar.gz.command': 'git archive gzip', 'tar.tar.bz2.command': 'bzip2 -c' },
      ...(owner === undefined ? {} : { owner }),
      signal,
    },
  );
  return outputOf(job, signal);
}
