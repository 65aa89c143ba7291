import type { ImportedKind } from '../values/kinds/imported-kinds.ts';
import { NotGiven, type Given, type OriginClient, type Query } from './client.ts';
import { idIn, textIn } from './fields.ts';
import type { Outcome, Report } from './report.ts';

/** What the steps of an import share: where they read, where they write, and what they found. */

/** Runs a GraphQL operation as the operator. */
export type Run = <Data>(source: string, variables: Record<string, unknown>) => Promise<Data>;

/** A record for the mutation of its kind. */
type Imported = { readonly key: string } & Readonly<Record<string, unknown>>;

/** A group or project there. */
export interface Place {
  readonly key: string;
  readonly path: string;
  /** What later steps need of its record. */
  readonly record: Given;
}

interface Found {
  readonly key: string;
  /** What people call it. */
  readonly name: string;
  readonly record: Imported;
}

export interface ImporterOptions {
  readonly client: OriginClient;
  /** Of an administrator there, for git. */
  readonly token: string;
  readonly run: Run;
  readonly originId: number;
  readonly report: Report;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The parts that an interrupted import finished. */
  readonly finished: ReadonlySet<string>;
  readonly progress: (label: string, done: number, all: number) => void;
  /** People there who are people here: name there, name here. */
  readonly same: ReadonlyMap<string, string>;
  /** The path of the only group that is imported, with what is in it. */
  readonly group: string | undefined;
  /** Only what changed since then, as ISO 8601. */
  readonly since: string | undefined;
}

/** Records that are written at once. */
const batchSize = 100;
/** Requests that are under way at once. */
const atOnce = 4;

interface Result {
  readonly key: string;
  readonly outcome: string;
  readonly remarks: readonly string[];
}

/** Whether a value isn't one of the type that the schema wants: then nothing of the batch was written. */
const isInvalid = (error: unknown): boolean => (error as Error).name === 'GraphQLError';

const refusedBy =
  ({ key }: Found) =>
  (error: unknown): { readonly done: { readonly results: readonly Result[] } } => {
    if (!isInvalid(error)) throw error;
    return { done: { results: [{ key, outcome: 'REFUSED', remarks: ['A value of it isn’t valid.'] }] } };
  };

export class Importer {
  readonly options: ImporterOptions;
  /** What is imported, as the steps before found it. */
  readonly people = new Map<string, string>();
  readonly groups: Place[] = [];
  readonly projects: Place[] = [];
  /** The parts that an interrupted import had finished. */
  readonly skipped: string[] = [];

  constructor(options: ImporterOptions) {
    this.options = options;
  }

  /** Writes records of a kind, in batches. @param input what the mutation needs besides */
  async write(kind: ImportedKind, found: readonly Found[], input: object = {}): Promise<void> {
    for (let from = 0; from < found.length; from += batchSize)
      await this.#writeBatch(kind, found.slice(from, from + batchSize), input);
  }

  async #writeBatch(kind: ImportedKind, found: readonly Found[], input: object): Promise<void> {
    const { originId, dryRun, report, run, signal } = this.options;
    signal.throwIfAborted();
    const type = `${kind[0]!.toUpperCase()}${kind.slice(1)}`;
    const write = (some: readonly Found[]) =>
      run<{ done: { results: readonly Result[] } }>(
        `mutation ($input: Import${type}Input!) { done: import${type}(input: $input) { results { key outcome remarks } } }`,
        { input: { ...input, originId, dryRun, records: some.map(({ record }) => record) } },
      );
    const results: Result[] = [];
    try {
      results.push(...(await write(found)).done.results);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      for (const one of found) results.push(...(await write([one]).catch(refusedBy(one))).done.results);
    }
    const names = new Map(found.map(({ key, name }) => [key, name]));
    for (const { key, outcome, remarks } of results) {
      report.count(kind, outcome.toLowerCase() as Outcome);
      for (const text of remarks) report.differs({ kind, key, name: names.get(key) ?? key, text });
    }
  }

  /**
   * Reads something of each, a few at once, and writes what was found, while more is read: one batch waits at most.
   * @param label for the progress
   */
  async gather<One>(
    kind: ImportedKind,
    all: readonly One[],
    read: (one: One) => Promise<readonly Found[]>,
    label: string,
  ): Promise<void> {
    await this.whileReading(kind, async (add) => {
      for (let from = 0; from < all.length; from += batchSize) {
        const found = await this.each(all.slice(from, from + batchSize), read);
        await add(found.flat());
        this.options.progress(label, Math.min(all.length, from + batchSize), all.length);
      }
    });
  }

  /** Writes records of a kind in the order in which they are added, while more is read: one addition waits at most. */
  async whileReading(
    kind: ImportedKind,
    read: (add: (found: readonly Found[]) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    let written: Promise<void> = Promise.resolve();
    try {
      await read(async (found) => {
        await written;
        written = this.write(kind, found);
        // The next addition throws the error, or the end.
        written.catch(() => undefined);
      });
    } finally {
      await written.catch(() => undefined);
    }
    await written;
  }

  /** Reads a list and writes its records page by page. @param what for the report, without ids */
  async copy(
    kind: ImportedKind,
    what: string,
    [path, query]: readonly [path: string, query?: Query],
    toFound: (record: Given) => Found | undefined | Promise<Found | undefined>,
  ): Promise<void> {
    await this.orMissing(what, undefined, async () => {
      for await (const page of this.options.client.list(path, query)) {
        const found = await this.each(page, toFound);
        await this.write(
          kind,
          found.filter((one) => one !== undefined),
        );
      }
    });
  }

  /** Reports a record that lacks what identifies it. @returns no records */
  unreadable(what: string): [] {
    this.options.report.missing(`${what} without an id, a number or a name`, 'unreadable');
    return [];
  }

  /** Reads something that the other side may not give: then the report says so. */
  async orMissing<T>(what: string, otherwise: T, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof NotGiven)) throw error;
      this.options.report.missing(what, error.status);
      return otherwise;
    }
  }

  /** Does something for each, a few at once. @returns the results in the order of what was given */
  async each<One, Result>(
    all: readonly One[],
    work: (one: One) => Result | Promise<Result>,
    label?: string,
  ): Promise<Result[]> {
    const results: Result[] = [];
    let next = 0;
    let done = 0;
    const worker = async () => {
      for (let index = next++; index < all.length; index = next++) {
        this.options.signal.throwIfAborted();
        results[index] = await work(all[index]!);
        if (label !== undefined) this.options.progress(label, ++done, all.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
    return results;
  }

  /** Does a part, unless an interrupted import of the same has finished it. */
  async part(name: string, work: () => Promise<void>): Promise<void> {
    const { originId, dryRun, finished, group, run, since } = this.options;
    const part = [
      name,
      ...(group === undefined ? [] : [`of ${group}`]),
      ...(since === undefined ? [] : [`since ${since}`]),
    ].join(' ');
    if (finished.has(part)) return void this.skipped.push(part);
    await work();
    if (!dryRun)
      await run('mutation ($input: ImportFinishPartInput!) { importFinishPart(input: $input) { part } }', {
        input: { originId, part },
      });
  }

  /** Those of some records that changed since they were imported, or weren't yet. */
  async changed<One extends { readonly key: string; readonly stamp: string }>(
    kind: ImportedKind,
    all: readonly One[],
  ): Promise<readonly One[]> {
    const { originId, report, run } = this.options;
    const { same } = await run<{ same: readonly string[] }>(
      'query ($originId: Int!, $kind: String!, $keys: [String!]!, $stamps: [String!]!) { same: importUnchanged(originId: $originId, kind: $kind, keys: $keys, stamps: $stamps) }',
      { originId, kind, keys: all.map(({ key }) => key), stamps: all.map(({ stamp }) => stamp) },
    );
    const unchanged = new Set(same);
    for (const _ of unchanged) report.count(kind, 'unchanged');
    return all.filter(({ key }) => !unchanged.has(key));
  }

  /** Reports how a record differs. */
  differs(kind: ImportedKind, record: Given, text: string): void {
    const key = idIn(record) ?? '';
    const name =
      textIn(record, 'full_path') ?? textIn(record, 'path_with_namespace') ?? textIn(record, 'username') ?? key;
    this.options.report.differs({ kind, key, name, text });
  }
}
