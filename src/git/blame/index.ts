import { Broken, Invalid, NotFound } from '../errors.ts';
import { isReadable } from '../names/paths.ts';
import { checkedObject } from '../names/refs.ts';
import { findFile } from '../objects/index.ts';
import type { Repository } from '../repository.ts';

/** Neighbouring lines that the same commit wrote. */
export interface BlamedLines {
  /** The full name of the commit. */
  readonly commit: string;
  /** The number of the first line, from 1. */
  readonly start: number;
  /** Without line ends. */
  readonly lines: readonly string[];
}

/**
 * Who wrote which lines of a file.
 * @param commit a full name
 * @param range first and last line, from 1; beyond the end of the file there is nothing
 * @throws NotFound if there is no such file, Invalid for a bad range, TooLarge, TimedOut
 */
export async function blame(
  repository: Repository,
  {
    commit,
    path,
    range,
    signal,
  }: { commit: string; path: string; range?: readonly [number, number]; signal?: AbortSignal },
): Promise<BlamedLines[]> {
  if (!isReadable(path) || !(await findFile(repository, commit, path))) throw new NotFound('The file does not exist.');
  if (range && !(range.every(Number.isSafeInteger) && range[0] >= 1 && range[1] >= range[0]))
    throw new Invalid('The range of lines is invalid.');
  // Git's blame knows no `--end-of-options` before 2.43; an object's name is no option.
  const lines = range ? [`-L${range[0]},${range[1]}`] : [];
  const args = ['blame', '--porcelain', '--no-textconv', ...lines, checkedObject(commit), '--', path];
  const { code, output, stderr } = await repository.run(args, { signal });
  if (code !== 0) {
    if (/has only \d+ lines?/.test(stderr)) return [];
    throw new Broken('git blame failed.', stderr);
  }
  return parse(output);
}

const head = /^(?<commit>[0-9a-f]{40}) \d+ (?<line>\d+)/;

/** The porcelain format: a header, once for each commit its details, and the line behind a tab. */
function parse(output: Buffer): BlamedLines[] {
  const found: { commit: string; start: number; lines: string[] }[] = [];
  let commit = '';
  let number = 0;
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at) < 0 ? output.length : output.indexOf(10, at);
    const line = output.toString('utf8', at, end);
    at = end + 1;
    const last = found.at(-1);
    if (line.startsWith('\t')) {
      if (last?.commit === commit) last.lines.push(line.slice(1));
      else found.push({ commit, start: number, lines: [line.slice(1)] });
      continue;
    }
    const groups = head.exec(line)?.groups;
    if (!groups) continue;
    commit = groups.commit!;
    number = Number(groups.line);
  }
  return found;
}
