import type { Answer, Exchange } from '../../../http/index.ts';
import { fileAnswer, type FileBytes } from './file-answer.ts';

/** What a commit or a merge request changes, as a text for git and other programs. */
export interface PatchFile {
  readonly file?: Named;
  readonly mails?: Named;
}
type Named = FileBytes & { readonly name: string };

/** Selects the text of a commit or a merge request; needs the variable `$diff: Boolean!`. */
export const patchFields = 'file: rawDiff @include(if: $diff) mails: rawPatch @skip(if: $diff)';

/**
 * Answers an address that may end in `.diff` or `.patch`: `7.patch` is what `7` changes, as a text.
 * @param named the end of the address
 * @param page what it answers without such an ending
 * @param read reads the text of what is named, as `git diff` prints it or as mails; null means 404
 */
export async function pageOrPatch(
  exchange: Exchange,
  named: string,
  page: () => Promise<Answer | null>,
  read: (name: string, diff: boolean) => Promise<PatchFile | null>,
): Promise<Answer | null> {
  const { name, form } = /^(?<name>.+)\.(?<form>diff|patch)$/.exec(named)?.groups ?? {};
  if (name === undefined) return await page();
  const patch = await read(name, form === 'diff');
  const sent = patch?.file ?? patch?.mails;
  return sent ? await fileAnswer(exchange, sent.name, sent, 'text/plain; charset=utf-8', 'inline') : null;
}
