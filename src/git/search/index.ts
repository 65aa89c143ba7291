import { Broken, Invalid } from '../errors.ts';
import { checkedObject } from '../names/refs.ts';
import { contentOf, findFile } from '../objects/index.ts';
import type { Repository } from '../repository.ts';

/** Text in the files of a commit. */

/** Longest text that is searched for, in characters. */
const longest = 4_096;

/**
 * The paths of the files that contain a text in one of their lines, without regard to case. Binary files are left out.
 * @param commit a full name
 * @throws Invalid for a text of several lines, TooLarge, TimedOut
 */
export async function filesWith(
  repository: Repository,
  commit: string,
  text: string,
  signal?: AbortSignal,
): Promise<string[]> {
  if (text === '' || text.length > longest || /[\0\n]/.test(text)) throw new Invalid('The text is invalid.');
  const name = checkedObject(commit);
  const options = ['-z', '--files-with-matches', '-I', '--ignore-case', '--fixed-strings', '--no-textconv'];
  const { code, output, stderr } = await repository.run(['grep', ...options, '-e', text, name, '--'], { signal });
  // 1: nothing was found.
  if (code > 1) throw new Broken('git grep failed.', stderr);
  return output
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((one) => one.slice(name.length + 1));
}

/** Where a text is in a file. */
export interface Excerpt {
  /** The number of the first line, from 1. */
  readonly startLine: number;
  /** The line with the text, and two before and after it. Long lines are cut. */
  readonly lines: readonly string[];
}

/** Bytes of a file that is read for its excerpt; of larger ones there is none. */
const largest = 2 ** 20;
const around = 2;
const longestLine = 1_000;

/** The first place of a text in a file: its first lines where git's idea of case finds it and ours doesn't. */
export async function excerptOf(repository: Repository, commit: string, path: string, text: string): Promise<Excerpt> {
  const file = await findFile(repository, commit, path);
  if (!file || file.size > largest) return { startLine: 1, lines: [] };
  const lines = (await contentOf(repository, file)).toString().split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const wanted = text.toLowerCase();
  const at = Math.max(
    lines.findIndex((line) => line.toLowerCase().includes(wanted)),
    0,
  );
  const start = Math.max(at - around, 0);
  return { startLine: start + 1, lines: lines.slice(start, at + around + 1).map((line) => line.slice(0, longestLine)) };
}
