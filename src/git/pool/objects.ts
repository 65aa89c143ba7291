import { TooLarge } from '../errors.ts';
import type { Runner } from '../runner/index.ts';
import { Worker, type Question } from './worker.ts';

type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** An object's name, type and size in bytes. */
export interface ObjectInfo {
  readonly id: string;
  readonly type: ObjectType;
  readonly size: number;
}

/** An object with its bytes. */
export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

interface ObjectQuestion extends Question {
  readonly contents: boolean;
  /** Bytes that are read into memory at most. */
  readonly bound: number;
  resolve(answer: ObjectInfo | StoredObject | undefined): void;
}

const header = /^(?<id>[0-9a-f]{40}) (?<type>blob|tree|commit|tag) (?<size>\d+)$/;

/**
 * Reads objects by their names: `git cat-file --batch-command -z`. Names contain no NUL and no line feed. Git keeps answers
 * until `flush`, so that those to one moment's questions arrive together.
 */
export class ObjectReader extends Worker<ObjectQuestion> {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The header of the object whose bytes are arriving. */
  #object: ObjectInfo | undefined;

  /** @param args the options of git before the command */
  constructor(runner: Runner, args: readonly string[], environment?: Readonly<Record<string, string>>) {
    const command = {
      kind: 'reader',
      args: [...args, 'cat-file', '--batch-command', '--buffer', '-z'],
      input: true,
      ...(environment ? { environment } : {}),
    } as const;
    super(runner, command, { close: 'flush\0' });
  }

  /** @returns what the name stands for, or undefined. The name is trusted: a checked name or path in it */
  info(name: string): Promise<ObjectInfo | undefined> {
    return this.#ask(`info ${name}\0`, false, Infinity);
  }

  /** @param bound bytes @returns the object, or undefined @throws TooLarge */
  contents(name: string, bound: number): Promise<StoredObject | undefined> {
    return this.#ask(`contents ${name}\0`, true, bound) as Promise<StoredObject | undefined>;
  }

  #ask(text: string, contents: boolean, bound: number): Promise<ObjectInfo | StoredObject | undefined> {
    return new Promise((resolve, fail) => this.ask({ text, contents, bound, deaths: 0, resolve, fail }));
  }

  protected override reset(): void {
    this.#chunks = [];
    this.#length = 0;
    this.#object = undefined;
  }

  protected override receive(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    while (this.queue.length > 0 && this.#step()) {
      // One answer after the other.
    }
  }

  /** @returns whether there may be more to take */
  #step(): boolean {
    const question = this.queue[0]!;
    if (this.#object) {
      const { size } = this.#object;
      if (this.#length <= size) return false;
      const all = this.#all();
      this.#keep(all.subarray(size + 1));
      const answer = { ...this.#object, content: all.subarray(0, size) };
      this.#object = undefined;
      this.answered();
      question.resolve(answer);
      return this.#length > 0;
    }
    const all = this.#all();
    const end = all.indexOf(10);
    if (end < 0) return false;
    const found = header.exec(all.toString('latin1', 0, end))?.groups;
    this.#keep(all.subarray(end + 1));
    if (!found) {
      this.answered();
      question.resolve(undefined);
      return this.#length > 0;
    }
    const info = { id: found.id!, type: found.type as ObjectType, size: Number(found.size) };
    if (!question.contents) {
      this.answered();
      question.resolve(info);
    } else if (info.size > question.bound) {
      this.giveUp(new TooLarge(`The ${info.type}`, question.bound));
      return false;
    } else {
      this.#object = info;
    }
    return this.#length > 0;
  }

  #all(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0]!;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
  }
}
