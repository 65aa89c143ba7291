import type { RE2JS } from 're2js';
import { Unreadable } from '../problems.ts';
import { isGlob } from './globs.ts';
import { writtenPattern, type Patterns } from './patterns.ts';

/** Steps that the rules of one pipeline may take: about two seconds. */
const mostSteps = 200_000_000;

/** A character of a text costs so many steps for each instruction of a regular expression. */
const stepsOfRegexp = 4;

const tooSlow = 'The rules of this configuration take too long to evaluate';

/** Matches texts and paths for the rules of one pipeline: jobs repeat them, so each is matched once. */
export class Matcher {
  private readonly patterns: Patterns;
  private readonly found = new Map<RE2JS, Map<string, boolean>>();
  private readonly globs = new Map<readonly string[], Map<string, boolean>>();
  private readonly sizes = new Map<readonly string[], number>();
  private steps = 0;

  constructor(patterns: Patterns) {
    this.patterns = patterns;
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > mostSteps) throw new Unreadable(tooSlow);
  }

  /**
   * Whether a pattern, written with its slashes, is found in a text.
   * @returns null for what isn't a pattern
   * @throws Unreadable if the rules of the pipeline take too long
   */
  find(written: string, text: string | null): boolean | null {
    const parts = writtenPattern(written);
    const pattern = parts && this.patterns.regexp(parts.pattern, parts.flags);
    if (!pattern) return null;
    if (text === null) return false;
    const known = this.found.get(pattern) ?? new Map<string, boolean>();
    this.found.set(pattern, known);
    let found = known.get(text);
    if (found === undefined) {
      this.spend(stepsOfRegexp * (text.length + 1) * pattern.programSize());
      found = pattern.matcher(text).find();
      known.set(text, found);
    }
    return found;
  }

  /** Whether one of the paths matches one of the globs. */
  anyPath(globs: readonly string[], paths: readonly string[]): boolean {
    const known = this.globs.get(paths) ?? new Map<string, boolean>();
    this.globs.set(paths, known);
    return globs.some((glob) => {
      let found = known.get(glob);
      if (found === undefined) {
        found = this.onePath(glob, paths);
        known.set(glob, found);
      }
      return found;
    });
  }

  private onePath(glob: string, paths: readonly string[]): boolean {
    this.spend(this.sizeOf(paths));
    if (!isGlob(glob)) return paths.includes(glob);
    const pattern = this.patterns.glob(glob);
    return pattern !== null && paths.some((path) => path === glob || pattern.matches(path));
  }

  private sizeOf(paths: readonly string[]): number {
    let size = this.sizes.get(paths);
    if (size === undefined) {
      size = paths.reduce((sum, path) => sum + path.length + 1, 0);
      this.sizes.set(paths, size);
    }
    return size;
  }
}
