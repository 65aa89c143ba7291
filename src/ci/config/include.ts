import { Matcher } from './patterns/matcher.ts';
import { Unreadable, unsupported, type Place } from './problems.ts';
import type { Report } from './report.ts';
import { firstRule } from './rules/evaluate.ts';
import type { PipelineFacts } from './rules/facts.ts';
import { knownFacts } from './rules/known.ts';
import { readRules } from './rules/read.ts';
import { layerOf, Scope } from './rules/scope.ts';
import { largest, tooBig } from './yaml/limits.ts';
import { loadYaml } from './yaml/load.ts';
import { merge, type Effort } from './yaml/merge.ts';
import { isList, isMapping, Mapping, type Value } from './yaml/values.ts';

/** Reads a file of the commit; null if it isn't there. The path has no slash at its start. */
type ReadFile = (path: string) => Promise<string | null>;

/** Where included files come from. */
export interface Sources {
  /** Null without a project: nothing can be included then. */
  readonly readFile: ReadFile | null;
  /** All paths of the commit: wildcards choose among them. */
  readonly paths?: (() => Promise<readonly string[]>) | undefined;
  /** Of the event, by which `include: rules` are decided. Without one, all files are included that are there. */
  readonly facts?: PipelineFacts | undefined;
}

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
  const unknown = [...entry.entries.keys()].filter((key) => key !== 'local' && key !== 'rules');
  const local = entry.get('local');
  if (unknown.length > 0)
    throw new Unreadable(`include config contains unknown keys: ${unknown.slice(0, 20).join(', ')}`, entry.place);
  if (typeof local !== 'string' || local === '')
    throw new Unreadable('include:local must be the path of a file of this repository', entry.place);
  return local;
}

function checkPath(path: string, place: Place): string {
  const plain = path.replace(/^\/+/, '');
  if (!/\.ya?ml$/.test(plain)) throw new Unreadable(`Included file \`${path}\` does not have YAML extension!`, place);
  if (plain.split('/').some((name) => name === '..' || name === '.' || name === ''))
    throw new Unreadable(`Local file \`${path}\` does not exist!`, place);
  return plain;
}

/** What looking at a path costs, compared with copying a key. */
const effortOfPath = 10;

/** The files of one configuration. */
class Includer {
  readonly included: Included[] = [];
  private readonly sources: Sources;
  private readonly effort: Effort;
  private readonly report: Report;
  /** One for all entries, so that their rules together are bounded. */
  private readonly matcher: Matcher;
  private decided = 0;
  private size: number;

  constructor(sources: Sources, effort: Effort, report: Report, size: number) {
    this.sources = sources;
    this.effort = effort;
    this.report = report;
    this.matcher = new Matcher(report.patterns);
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
      for (const one of await this.load(item, entry.place, chain)) below = merge(below, one, this.effort);
    return merge(below, own, this.effort);
  }

  /** The files of an entry: one, or those that its wildcards choose. */
  private async load(item: Value, place: Place, chain: readonly string[]): Promise<Mapping[]> {
    const at = isMapping(item) ? item.place : place;
    const given = pathOf(item, at);
    const path = checkPath(given, at);
    if (isMapping(item) && item.get('rules') != null && !(await this.wants(item, path))) return [];
    if (!path.includes('*')) return [await this.read(path, given, at, chain)];
    const chosen = await this.matching(path);
    if (chosen.length === 0) throw new Unreadable(`Local file \`${given}\` does not exist!`, at);
    const files: Mapping[] = [];
    // Wildcards of a file don’t mean that file.
    for (const one of chosen) if (!chain.includes(one)) files.push(await this.read(one, one, at, chain));
    return files;
  }

  /** Whether the rules of an entry let its files in. */
  private async wants(item: Mapping, path: string): Promise<boolean> {
    const { facts, readFile } = this.sources;
    const rules = readRules(item.get('rules'), 'include:rules', item.placeOf('rules'), this.report);
    this.decided += 1;
    if (this.decided > mostFiles)
      throw new Unreadable(`Maximum of ${mostFiles} nested includes are allowed!`, item.place);
    if (!facts) return path.includes('*') || (await readFile?.(path)) !== null;
    const known = await knownFacts({ rules: rules ?? [], matcher: this.matcher }, facts);
    const { given, predefined } = facts.variables;
    const rule = firstRule(rules ?? [], known, new Scope([layerOf(given), layerOf(predefined)]));
    return rule !== undefined && rule.when !== 'never';
  }

  /** The files that a path with wildcards chooses, in the order of their names. */
  private async matching(glob: string): Promise<readonly string[]> {
    const pattern = this.report.patterns.glob(glob);
    const beginning = glob.slice(0, glob.indexOf('*'));
    const all = (await this.sources.paths?.()) ?? [];
    const possible = all.filter((path) => path.startsWith(beginning) && /\.ya?ml$/.test(path));
    this.effort.spend(effortOfPath * possible.length);
    return possible.filter((path) => pattern?.matches(path)).toSorted();
  }

  private async read(path: string, given: string, at: Place, chain: readonly string[]): Promise<Mapping> {
    const { readFile } = this.sources;
    if (chain.includes(path))
      throw new Unreadable(`Include \`${given}\` includes itself: ${[...chain, path].join(' → ')}`, at);
    if (this.included.length >= mostFiles)
      throw new Unreadable(`Maximum of ${mostFiles} nested includes are allowed!`, at);
    if (!readFile) throw new Unreadable(`Local file \`${given}\` does not have project!`, at);
    this.included.push({ path });
    const text = await readFile(path);
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
  sources: Sources,
  effort: Effort,
  report: Report,
  size: number,
): Promise<{ readonly root: Mapping; readonly included: readonly Included[] }> {
  const includer = new Includer(sources, effort, report, size);
  return { root: await includer.expand(root, []), included: includer.included };
}
