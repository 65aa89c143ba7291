import { RE2JS } from 're2js';
import { Unreadable } from '../problems.ts';
import { patternOfGlob } from './globs.ts';

/** Longest pattern, and how much work it may be to compile: its length by its repetitions. */
const longest = 1_000;
const mostWork = 20_000;

/** How much work all different patterns of one configuration may be. */
const mostWorkOfAll = 250_000;

/** An upper bound of the size of a compiled pattern; what repetitions inside repetitions add, RE2 bounds itself. */
function workOf(pattern: string): number {
  let repetitions = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g))
    repetitions += Math.max(Number(least), Number(most ?? 0));
  return pattern.length * repetitions;
}

/** What `/pattern/flags` says, without compiling it; null for other texts. */
export function writtenPattern(text: string): { readonly pattern: string; readonly flags: string } | null {
  const found = /^\/(.+)\/([ismU]*)$/su.exec(text);
  return found ? { pattern: found[1]!.replaceAll('\\/', '/'), flags: found[2]! } : null;
}

/** The patterns of one configuration, each compiled once, in RE2's syntax: no pattern can backtrack. */
export class Patterns {
  private readonly compiled = new Map<string, RE2JS | null>();
  private work = 0;

  /**
   * @param flags of `i`, `s`, `m`, `U`
   * @returns null for a text that isn't a pattern, or that is too large
   * @throws Unreadable if the patterns of the configuration are too much together
   */
  regexp(pattern: string, flags: string): RE2JS | null {
    return this.compile(flags === '' ? pattern : `(?${flags})${pattern}`);
  }

  /** A glob; null for one that is too large, or isn't one. */
  glob(text: string): RE2JS | null {
    return text.length > longest ? null : this.compile(`(?s)${patternOfGlob(text)}`);
  }

  private compile(source: string): RE2JS | null {
    const known = this.compiled.get(source);
    if (known !== undefined) return known;
    const work = workOf(source);
    let compiled: RE2JS | null = null;
    if (source.length <= longest * 2 && work <= mostWork) {
      this.work += work;
      if (this.work > mostWorkOfAll) throw new Unreadable('The configuration has too many patterns');
      try {
        compiled = RE2JS.compile(source);
      } catch {
        compiled = null;
      }
    }
    this.compiled.set(source, compiled);
    return compiled;
  }
}
