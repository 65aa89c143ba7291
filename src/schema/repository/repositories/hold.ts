import type { Context } from '../../../context.ts';
import { RequestDatabase } from '../../../database/index.ts';

/**
 * Counts the content of a file that a request reads into memory, where its answer holds all of them.
 * @param bytes of the content, before it is read if that is known
 * @throws TooLarge if the request reads too much
 */
export function hold({ database }: Context, bytes: number): void {
  if (database instanceof RequestDatabase) database.hold(bytes);
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
