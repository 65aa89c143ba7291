import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Migration } from './history.ts';

/** No table or enum is managed by another program. */
const filters = { externalTables: [], externalEnums: [] };

export interface Engine {
  /** Applies and records the missing migrations. Throws the database's own error. */
  apply(migrations: readonly Migration[]): Promise<void>;
  /** The SQL that turns the connected database into a `schema.prisma`; empty when they agree. */
  diff(schema: string): Promise<string>;
}

/**
 * Prisma's schema engine on one session: everything it does goes through `client`, so the client's advisory lock and
 * open transaction cover it.
 */
export async function openEngine(client: pg.Client): Promise<Engine> {
  const [utils, { SchemaEngine }, schema] = await Promise.all([
    import('@prisma/driver-adapter-utils'),
    loadEngine(),
    client.query<{ name: string | null }>('SELECT current_schema() AS name'),
  ]);
  /** The first error of the database; the engine hides it behind its own. */
  let firstFailure: unknown;
  const unhidden = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw firstFailure ?? error;
    });

  async function run(text: string, values: unknown[] = []) {
    try {
      return await client.query<unknown[]>({ text, values, rowMode: 'array' });
    } catch (error) {
      firstFailure ??= error;
      throw error;
    }
  }

  // Not @prisma/adapter-pg: it works on a pool, cuts scripts at every semicolon
  // (in function bodies too), and doesn't know the type "char" of the catalog.
  const adapter: SqlDriverAdapter = {
    provider: 'postgres',
    adapterName: 'one session',
    async queryRaw({ sql, args }) {
      const { fields, rows } = await run(sql, args);
      return {
        columnNames: fields.map((field) => field.name),
        columnTypes: fields.map(({ dataTypeID }) => utils.ColumnTypeEnum[columnTypes[dataTypeID] ?? 'Text']),
        rows: rows.map((row) => row.map((value) => (value instanceof Date ? value.toISOString() : value))),
      };
    },
    executeRaw: async ({ sql, args }) => (await run(sql, args)).rowCount ?? 0,
    executeScript: async (script) => void (await run(script)),
    startTransaction: () => Promise.reject(new Error('The transaction is the caller’s.')),
    getConnectionInfo: () => ({ schemaName: schema.rows[0]?.name ?? undefined, supportsRelationJoins: true }),
    dispose: () => Promise.resolve(),
  };
  const factory = utils.bindMigrationAwareSqlAdapterFactory({
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: () => Promise.resolve(adapter),
    connectToShadowDb: () => Promise.reject(new Error('There is no shadow database.')),
  });
  const engine = await unhidden(SchemaEngine.new({ datamodels: undefined }, () => {}, factory));

  return {
    async apply(migrations) {
      const migrationDirectories = migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
      }));
      const lockfile = { path: 'migration_lock.toml', content: null };
      const migrationsList = { baseDir: '', lockfile, shadowDbInitScript: '', migrationDirectories };
      await unhidden(engine.applyMigrations({ migrationsList, filters }));
    },
    async diff(schemaText) {
      const files = [{ path: 'schema.prisma', content: schemaText }];
      const { exitCode, stdout } = await unhidden(
        engine.diff({
          from: { tag: 'schemaDatasource', files, configDir: '' },
          to: { tag: 'schemaDatamodel', files },
          script: true,
          exitCode: true,
          filters,
        }),
      );
      return exitCode === 0 ? '' : (stdout ?? '');
    },
  };
}

/** How the engine reads PostgreSQL's types, by OID; all others as text. */
const columnTypes: Record<number, keyof typeof import('@prisma/driver-adapter-utils').ColumnTypeEnum> = {
  16: 'Boolean',
  18: 'Character',
  20: 'Int64',
  21: 'Int32',
  23: 'Int32',
  26: 'Int64',
  1009: 'TextArray',
  1184: 'DateTime',
};

type Bindings = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');
let loaded: Promise<Bindings> | undefined;

const loadEngine = (): Promise<Bindings> => (loaded ??= instantiateEngine());

/** Instantiated by hand: the package's own entry imports its `.wasm` as a module, which Node 20 can't. */
async function instantiateEngine(): Promise<Bindings> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const [bindings, bytes] = await Promise.all([
    import('@prisma/schema-engine-wasm/schema_engine_bg'),
    readFile(script.replace(/\.js$/, '.wasm')),
  ]);
  // The engine starts a timer of 10 s when it takes its lock and never clears it; unref it, so that the process can
  // end.
  const timers = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const setTimer = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  const imports = { ...bindings, ...Object.fromEntries(timers.map((name) => [name, setTimer])) };
  // The engine calls this when it panics; @prisma/client sets its own.
  (globalThis as { PRISMA_WASM_PANIC_REGISTRY?: object }).PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message: string) {
      throw new Error(`Prisma's schema engine crashed: ${message}`);
    },
  };
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}
