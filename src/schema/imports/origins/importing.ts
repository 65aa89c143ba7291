import { createHash, createHmac } from 'node:crypto';
import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { isRefusedData, isUniqueViolation, type Sql } from '../../../database/index.ts';
import { DomainError, InvalidFields, NotFound } from '../../../errors.ts';
import type { ImportedKind } from '../../../values/kinds/imported-kinds.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import {
  findImported,
  lockOrigin,
  raiseSequence,
  storeImported,
  type ImportedRow,
  type KeptIds,
} from './statements.ts';
import { recordNumber } from '../../../values/integers.ts';

/**
 * Declares the import of a kind of records in one call: a mutation of the operator that writes a batch of them, each at
 * once with the note that it was imported, so that an import that is repeated or was interrupted writes nothing twice.
 */

/** Why a record isn't imported. Thrown before anything of it is written. */
export class NotTaken extends Error {}

/** A batch that is written. */
export interface Batch {
  readonly context: Context;
  readonly sql: Sql;
  readonly originId: number;
  /** Whether nothing is written: the import only reports what it would do. */
  readonly dryRun: boolean;
  /** The id here of a record that the batch refers to; undefined if it isn't imported. */
  localOf(kind: RecordKind, key: string | null | undefined): number | undefined;
  /** The id that a record had, if it can be kept: ids here are smaller than some elsewhere. */
  keptId(key: string | null | undefined): number | null;
  /** The same for another table than that of the kind: no new record gets the id meanwhile. */
  keep(table: KeptIds, key: string | null | undefined): Promise<number | null>;
  /** The same for several. */
  keepAll(table: KeptIds, keys: readonly (string | null | undefined)[]): Promise<readonly (number | null)[]>;
  /** Notes what a part of the record became, such as a comment: `localOf` finds it from then on. */
  remember(kind: RecordKind, key: string, localId: number): void;
  /** Reports how the record that is written differs from its original. */
  remark(text: string): void;
}

/** The kinds of records, and of parts of records that have ids of their own. */
type RecordKind = ImportedKind | 'notes' | 'changes';

/** What a batch refers to. */
export type Reference = readonly [kind: RecordKind, key: string | null | undefined];

type KeyedRecord<Input extends InputFieldMap> = InputShapeFromFields<Input> & { readonly key: string };

interface Importing<Input extends InputFieldMap, Prepared> {
  readonly description: string;
  /** The fields of a record besides `key`. */
  readonly record: (t: InputsOf) => Input;
  /** The records that one refers to. They are looked up for the whole batch. */
  readonly refersTo?: (record: KeyedRecord<Input>) => readonly Reference[];
  /** What the original has as long as it isn't changed. See `importUnchanged`. */
  readonly stamp?: (record: KeyedRecord<Input>) => string;
  /** Whether it has secrets: then it is compared by a digest that says nothing without the instance key. */
  readonly isSecret?: boolean;
  /** The table whose ids are kept. */
  readonly keeps?: KeptIds;
  /**
   * Says what would be different, and writes nothing.
   * @param known the id here, if it was imported before
   * @throws NotTaken, a domain error
   */
  readonly examine: (batch: Batch, record: KeyedRecord<Input>, known: number | undefined) => Promise<Prepared>;
  /** Writes the record. @returns its id here, or null if it has none */
  readonly store: (
    batch: Batch,
    record: KeyedRecord<Input>,
    prepared: Prepared,
    known: number | undefined,
  ) => Promise<number | null>;
}

/** What became of a record. */
export interface Result {
  readonly key: string;
  readonly localId: number | null;
  readonly outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'REFUSED';
  readonly remarks: readonly string[];
}

const ImportOutcome = builder.enumType('ImportOutcome', {
  description: 'What became of an imported record.',
  values: ['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED'] as const,
});

const ImportResult = builder.objectRef<Result>('ImportResult').implement({
  description: 'What became of an imported record.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What identifies it at its origin.' }),
    localId: t.exposeInt('localId', { nullable: true, description: 'Its id here.' }),
    outcome: t.expose('outcome', { type: ImportOutcome }),
    remarks: t.exposeStringList('remarks', { description: 'How it differs from its original, or why it was refused.' }),
  }),
});

/** The digest of a part: it is compared with its record. */
const part = Buffer.alloc(0);

/** What an import of records answers. */
export const resultsOf = (t: FieldsOf<{ results: readonly Result[] }>) => ({
  results: t.field({ type: [ImportResult], resolve: ({ results }) => results }),
});

/** The most records of a batch. */
const mostRecords = 500;

/** The largest id that is kept: half of what there is, so that new records have room. */
const largestKept = 1_000_000_000;

const keptId = (key: string | null | undefined): number | null => {
  const id = recordNumber(key ?? '');
  return id > 0 && id <= largestKept ? id : null;
};

const otherId = (key: string, localId: number): string =>
  `The id ${key} is ${keptId(key) === null ? 'too large' : 'taken'}: imported as ${localId}.`;

/** Remarks, each once. */
const counted = (remarks: ReadonlyMap<string, number>): readonly string[] =>
  [...remarks].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));

/** Declares the mutation that imports records of a kind. */
export function importing<Input extends InputFieldMap, Prepared>(
  kind: ImportedKind,
  definition: Importing<Input, Prepared>,
): void {
  const name = `import${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const Given = builder.inputType(`${name[0]!.toUpperCase()}${name.slice(1)}Record`, {
    fields: (t) => ({
      key: t.string({ required: true, description: 'What identifies it at its origin: mostly its id.' }),
      ...definition.record(t),
    }),
  });
  mutation(name, {
    description: definition.description,
    admission: { class: 'operator' },
    input: (t) => ({
      originId: t.int({ required: true, description: 'From `importBegin`.' }),
      records: t.field({ type: [Given] as never, required: true, description: `At most ${mostRecords}.` }),
      dryRun: t.boolean({ defaultValue: false, description: 'Whether nothing is written.' }),
    }),
    payload: resultsOf,
    resolve: async (context, input) => {
      const records = input.records as unknown as readonly KeyedRecord<Input>[];
      if (records.length > mostRecords) throw new InvalidFields({ records: [`are more than ${mostRecords}`] });
      const { originId } = input as { originId: number };
      return {
        results: await importAll(context, kind, definition, { originId, records, dryRun: input.dryRun === true }),
      };
    },
  });
}

interface Wanted<Input extends InputFieldMap> {
  readonly originId: number;
  readonly records: readonly KeyedRecord<Input>[];
  readonly dryRun: boolean;
}

/** Imports a batch in one transaction; if a record of it is refused by the database, each in a transaction of its own. */
async function importAll<Input extends InputFieldMap, Prepared>(
  context: Context,
  kind: ImportedKind,
  definition: Importing<Input, Prepared>,
  wanted: Wanted<Input>,
): Promise<readonly Result[]> {
  const run = (records: readonly KeyedRecord<Input>[]) =>
    context.database.transaction((sql) => importIn(sql, context, kind, definition, { ...wanted, records }));
  try {
    return await run(wanted.records);
  } catch (error) {
    if (wanted.records.length === 1) return [refusedBy(wanted.records[0]!.key, error)];
  }
  const results: Result[] = [];
  for (const record of wanted.records)
    results.push(...(await run([record]).catch((error: unknown) => [refusedBy(record.key, error)])));
  return results;
}

/** Imports records in a transaction. */
async function importIn<Input extends InputFieldMap, Prepared>(
  sql: Sql,
  context: Context,
  kind: ImportedKind,
  { refersTo, stamp, keeps, isSecret = false, examine, store }: Importing<Input, Prepared>,
  { originId, records, dryRun }: Wanted<Input>,
): Promise<readonly Result[]> {
  if ((await sql.rows(lockOrigin, [originId])).length === 0) throw new NotFound('Origin');
  const references = [
    ...records.map(({ key }): Reference => [kind, key]),
    ...records.flatMap((record) => refersTo?.(record) ?? []),
  ];
  const { find, add } = await lookUp(sql, originId, references);
  const kept = Math.max(0, ...records.map(({ key }) => keptId(key) ?? 0));
  if (keeps && kept > 0 && !dryRun) await sql.rows(raiseSequence[keeps], [kept]);

  const keepAll: Batch['keepAll'] = async (table, keys) => {
    const ids = keys.map(keptId);
    const largest = Math.max(0, ...ids.map((id) => id ?? 0));
    if (largest > 0) await sql.rows(raiseSequence[table], [largest]);
    return ids;
  };

  const results: Result[] = [];
  const done: Done[] = [];
  const parts: (Done & { readonly kind: RecordKind })[] = [];
  for (const record of records) {
    const { key } = record;
    const before = find(kind, key);
    const digest = isSecret ? secretDigestOf(context, record) : digestOf(record);
    if (before && (before.digest === null || before.digest.equals(digest))) {
      results.push({ key, localId: before.localId, outcome: 'UNCHANGED', remarks: [] });
      continue;
    }
    const remarks = new Map<string, number>();
    const batch: Batch = {
      context,
      sql,
      originId,
      dryRun,
      localOf: (other, of) => (of == null ? undefined : (find(other, of)?.localId ?? undefined)),
      keptId,
      keep: async (table, of) => (await keepAll(table, [of]))[0]!,
      keepAll,
      remember: (other, of, localId) => {
        const one = { kind: other, key: of, localId, digest: part };
        parts.push({ ...one, stamp: null });
        add(one);
      },
      remark: (text) => void remarks.set(text, (remarks.get(text) ?? 0) + 1),
    };
    const known = before?.localId ?? undefined;
    try {
      const prepared = await examine(batch, record, known);
      const localId = dryRun ? (known ?? null) : await store(batch, record, prepared, known);
      if (keeps && !before && localId !== null && !dryRun && localId !== keptId(key))
        batch.remark(otherId(key, localId));
      results.push({ key, localId, outcome: before ? 'UPDATED' : 'CREATED', remarks: counted(remarks) });
      done.push({ key, localId, digest, stamp: stamp?.(record) ?? null });
      if (!dryRun) add({ kind, key, localId, digest });
    } catch (error) {
      // Nothing of it was written, so that the others may be.
      if (!(error instanceof NotTaken)) throw error;
      results.push({ key, localId: known ?? null, outcome: 'REFUSED', remarks: [error.message] });
    }
  }
  for (const other of new Set(parts.map((one) => one.kind)))
    await noteImported(
      sql,
      originId,
      other,
      parts.filter((one) => one.kind === other),
    );
  if (!dryRun && done.length > 0) await noteImported(sql, originId, kind, done);
  return results;
}

/** A record, or a part of one, that was imported. */
interface Done {
  readonly key: string;
  readonly localId: number | null;
  readonly digest: Buffer;
  readonly stamp: string | null;
}

/** Notes what was imported, so that the next import finds it. */
const noteImported = (sql: Sql, originId: number, kind: RecordKind, all: readonly Done[]): Promise<unknown> =>
  sql.rows(storeImported, [
    originId,
    kind,
    all.map(({ key }) => key),
    all.map(({ localId }) => localId),
    all.map(({ digest }) => digest),
    all.map(({ stamp }) => stamp),
  ]);

/** Looks up what was imported before. */
async function lookUp(sql: Sql, originId: number, references: readonly Reference[]) {
  const wanted = new Map(references.flatMap(([kind, key]) => (key == null ? [] : [[`${kind} ${key}`, [kind, key]]])));
  const pairs = [...wanted.values()];
  const rows = await sql.rows(findImported, [originId, pairs.map(([kind]) => kind), pairs.map(([, key]) => key)]);
  const byName = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row]));
  return {
    find: (kind: RecordKind, key: string): ImportedRow | undefined => byName.get(`${kind} ${key}`),
    /** Notes a record of this batch, for those after it. */
    add: (row: ImportedRow) => void byName.set(`${row.kind} ${row.key}`, row),
  };
}

/** What a record is compared by with the one that was imported before. Its members are always in the same order. */
const digestOf = (record: object): Buffer => createHash('sha256').update(JSON.stringify(record)).digest();

/** The same of a record with secrets. Under a new instance key, the record counts as changed. */
const secretDigestOf = ({ keys }: Context, record: object): Buffer =>
  createHmac('sha256', keys.derive('imported secrets')[0]!).update(JSON.stringify(record)).digest();

/** @throws what isn't a refusal */
function refusedBy(key: string, error: unknown): Result {
  const refused = (text: string): Result => ({ key, localId: null, outcome: 'REFUSED', remarks: [text] });
  if (error instanceof InvalidFields)
    return refused(
      Object.entries(error.fields)
        .map(([field, problems]) => `${field} ${problems.join(', ')}`)
        .join('; '),
    );
  if (isUniqueViolation(error)) return refused('Another one here has its name.');
  if (isRefusedData(error)) return refused('The database can’t store it.');
  if (error instanceof DomainError && error.code !== 'UNAVAILABLE') return refused(error.message);
  throw error;
}
