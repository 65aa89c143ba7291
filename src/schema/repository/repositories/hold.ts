import type { Context } from '../../../context.ts';
import { TooLarge } from '../../../errors.ts';

/**
 * Counts the contents of files and diffs that a request reads into memory, where its answer holds all of them. Together they may
 * be as large as one file may be: an answer with a hundred of these would end the process.
 * @param bytes of the content, before it is read if that is known
 * @throws TooLarge
 */
export function hold({ held, git }: Context, bytes: number): void {
  held.bytes += bytes;
  const most = git.engine.limits.blob;
  if (held.bytes > most)
    throw new TooLarge(
      `The files and diffs of one request may have ${Math.floor(most / 2 ** 20)} MiB together. Ask for fewer at a time.`,
    );
}

/** The same for a diff. @returns its files */
export function holdDiff<File extends { readonly patch: string }>(
  context: Context,
  files: readonly File[],
): readonly File[] {
  hold(
    context,
    files.reduce((sum, { patch }) => sum + patch.length, 0),
  );
  return files;
}
