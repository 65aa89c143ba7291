import { randomBytes } from 'node:crypto';
import type { Runner } from '../runner/index.ts';
import { Worker, type Question } from './worker.ts';

/** Takes the bytes of an answer. */
export interface Taker {
  /** @returns false when it has enough: the rest isn't read */
  take(bytes: Buffer): boolean;
}

interface DiffQuestion extends Question {
  /** The line that ends the answer: git repeats a line that is no object's name. */
  readonly end: Buffer;
  readonly taker: () => Taker;
  resolve(): void;
}

/** What the two kinds of processes write. */
const forms = {
  /** Modes, names and states of all files, then the patch. */
  patches: ['--raw', '-p', '--full-index'],
  /** Lines added and deleted. */
  numbers: ['--numstat'],
} as const;

/** Compares commits: `git diff-tree --stdin`. */
export class DiffReader extends Worker<DiffQuestion> {
  #rest: Buffer = Buffer.alloc(0);
  #taker: Taker | undefined;

  constructor(
    runner: Runner,
    args: readonly string[],
    form: keyof typeof forms,
    environment?: Readonly<Record<string, string>>,
  ) {
    const options = [
      '--stdin',
      '-z',
      '-r',
      '-M',
      '--root',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      ...forms[form],
    ];
    super(
      runner,
      {
        kind: 'reader',
        args: [...args, 'diff-tree', ...options],
        input: true,
        ...(environment ? { environment } : {}),
      },
      // It keeps every commit that it has seen.
      { lifetime: 1_000 },
    );
  }

  /**
   * Compares a commit with another, or with its own parents.
   * @param line one or two object names
   * @param taker makes what takes the answer; again if the process died in between
   */
  compare(line: string, taker: () => Taker): Promise<void> {
    const mark = randomBytes(16).toString('hex');
    return new Promise((resolve, fail) => {
      const end = Buffer.from(`mark ${mark}\n`);
      this.ask({ text: `${line}\nmark ${mark}\n`, end, taker, deaths: 0, resolve, fail });
    });
  }

  protected override reset(): void {
    this.#rest = Buffer.alloc(0);
    this.#taker = undefined;
  }

  protected override receive(bytes: Buffer): void {
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (this.queue.length > 0) {
      const question = this.queue[0]!;
      this.#taker ??= question.taker();
      const at = rest.indexOf(question.end);
      // What may be the beginning of the mark stays for the next bytes.
      const safe = at >= 0 ? at : Math.max(0, rest.length - question.end.length);
      const goesOn = safe === 0 || this.#taker.take(rest.subarray(0, safe));
      rest = rest.subarray(safe);
      if (!goesOn) {
        question.resolve();
        // The caller that stopped it has an answer already: this failure goes nowhere.
        return this.giveUp(new Error('enough'));
      }
      if (at < 0) break;
      rest = rest.subarray(question.end.length);
      this.#taker = undefined;
      this.answered();
      question.resolve();
    }
    this.#rest = rest;
  }
}
