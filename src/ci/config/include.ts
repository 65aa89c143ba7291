import { Unreadable, unsupported, type Place } from './problems.ts';
import { largest, tooBig } from './yaml/limits.ts';
import { loadYaml } from './yaml/load.ts';
import { merge, type Effort } from './yaml/merge.ts';
import { isList, isMapping, Mapping, type Value } from './yaml/values.ts';

/** Reads a file of the commit; null if it isn't there. The path has no slash at its start. */
export type ReadFile = (path: string) => Promise<string | null>;

/** A file that a configuration includes. */
export interface Included {
  readonly path: string;
}

const mostFiles = 100;

const refused: ReadonlyMap<string, string> = new Map([
  ['remote', 'files of other servers aren’t included'],
  ['project', 'files of other projects aren’t included'],
  ['template', 'templates aren’t included; copy the template into the repository'],
  ['component', 'components aren’t included; copy the component into the repository'],
  ['artifact', 'files that jobs make aren’t included'],
  ['inputs', 'included files have no inputs'],
  ['rules', 'files are included always, or not at all'],
]);

/** The path that an entry of `include` names. */
function pathOf(entry: Value, place: Place): string {
  if (typeof entry === 'string') {
    if (/^https?:\/\//i.test(entry))
      throw new Unreadable(unsupported('include:remote', place, refused.get('remote')!), place);
    return entry;
  }
  if (!isMapping(entry)) throw new Unreadable('include config should be an array of strings or hashes', place);
  for (const [key, why] of refused)
    if (entry.entries.has(key))
      throw new Unreadable(unsupported(`include:${key}`, entry.placeOf(key), why), entry.placeOf(key));
  const unknown = [...entry.entries.keys()].filter((key) => key !== 'local');
  const local = entry.get('local');
  if (unknown.length > 0)
    throw new Unreadable(`include config contains unknown keys: ${unknown.slice(0, 20).join(', ')}`, entry.place);
  if (typeof local !== 'string' || local === '')
    throw new Unreadable('include:local must be the path of a file of this repository', entry.place);
  return local;
}

function checkPath(path: string, place: Place): string {
  const plain = path.replace(/^\/+/, '');
  if (plain.includes('*')) throw new Unreadable(unsupported('include:local with wildcards', place, path), place);
  if (!/\.ya?ml$/.test(plain)) throw new Unreadable(`Included file \`${path}\` does not have YAML extension!`, place);
  if (plain.split('/').some((name) => name === '..' || name === '.' || name === ''))
    throw new Unreadable(`Local file \`${path}\` does not exist!`, place);
  return plain;
}

/** The files of one configuration. */
class Includer {
  readonly included: Included[] = [];
  private readonly readFile: ReadFile | null;
  private readonly effort: Effort;
  private size: number;

  constructor(readFile: ReadFile | null, effort: Effort, size: number) {
    this.readFile = readFile;
    this.effort = effort;
    this.size = size;
  }

  /** A file with everything that it includes below it. */
  async expand(file: Mapping, chain: readonly string[]): Promise<Mapping> {
    const entry = file.entries.get('include');
    if (!entry) return file;
    const own = new Mapping(file.place, file.entries);
    own.entries.delete('include');
    if (entry.value === null) return own;
    let below = new Mapping(file.place);
    for (const item of isList(entry.value) ? entry.value.flat(10) : [entry.value])
      below = merge(below, await this.load(item, entry.place, chain), this.effort);
    return merge(below, own, this.effort);
  }

  private async load(item: Value, place: Place, chain: readonly string[]): Promise<Mapping> {
    const at = isMapping(item) ? item.place : place;
    const given = pathOf(item, at);
    const path = checkPath(given, at);
    if (chain.includes(path))
      throw new Unreadable(`Include \`${given}\` includes itself: ${[...chain, path].join(' → ')}`, at);
    if (this.included.length >= mostFiles)
      throw new Unreadable(`Maximum of ${mostFiles} nested includes are allowed!`, at);
    if (!this.readFile) throw new Unreadable(`Local file \`${given}\` does not have project!`, at);
    this.included.push({ path });
    const text = await this.readFile(path);
    if (text === null) throw new Unreadable(`Local file \`${given}\` does not exist!`, at);
    if (text.trim() === '') throw new Unreadable(`Local file \`${given}\` is empty!`, at);
    this.size += text.length;
    if (this.size > largest) throw new Unreadable(tooBig, at);
    const value = loadYaml(text, path);
    if (!isMapping(value)) throw new Unreadable(`Included file \`${given}\` does not have valid YAML syntax!`, at);
    return this.expand(value, [...chain, path]);
  }
}

/**
 * Merges the files that a configuration includes below it, in order: the including file wins.
 * @param size bytes of the configuration, which count with those of the files
 * @throws Unreadable for a file that isn't there or that isn't supported
 */
export async function expandIncludes(
  root: Mapping,
  readFile: ReadFile | null,
  effort: Effort,
  size: number,
): Promise<{ readonly root: Mapping; readonly included: readonly Included[] }> {
  const includer = new Includer(readFile, effort, size);
  return { root: await includer.expand(root, []), included: includer.included };
}
