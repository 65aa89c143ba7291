import { readCommit } from '../objects/index.ts';
import type { Repository } from '../repository.ts';

/** Commits of each side that are read at most. Reading one costs a hundredth of a process. */
const most = 16;

/** Where the histories of two commits part. */
export interface Fork {
  /** The newest commit that both have. */
  readonly base: string;
  /** The commits of each that the other lacks, newest first. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/**
 * Where two histories part, if that is near and no merge lies before it: so it is for most pushes and merge requests, and
 * the pooled reader knows it without a process of its own.
 * @returns undefined if git must look
 */
export async function nearFork(repository: Repository, left: string, right: string): Promise<Fork | undefined> {
  const sides = [new Side(left), new Side(right)] as const;
  for (let step = 0; step < most && sides.some(({ goesOn }) => goesOn); step++) {
    const met = sides[0].names.find((name) => sides[1].names.includes(name));
    if (met !== undefined) return { base: met, left: sides[0].before(met), right: sides[1].before(met) };
    await Promise.all(sides.map((side) => side.step(repository)));
  }
  return undefined;
}

/** A commit, and those that it follows one by one. */
class Side {
  readonly names: string[];
  goesOn = true;

  constructor(tip: string) {
    this.names = [tip];
  }

  before = (name: string): string[] => this.names.slice(0, this.names.indexOf(name));

  async step(repository: Repository): Promise<void> {
    if (!this.goesOn) return;
    // Git itself says what is wrong with a commit that can't be read.
    const commit = await readCommit(repository, this.names.at(-1)!).catch(() => undefined);
    const [parent, ...others] = commit?.parents ?? [];
    this.goesOn = parent !== undefined && others.length === 0;
    if (this.goesOn) this.names.push(parent!);
  }
}
