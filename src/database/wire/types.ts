import type { PrismaClient } from '../client/client.ts';
import type { PrismaClient as WholeClient } from '../client/whole/client.ts';
import type { PrimaryWatch } from './primary.ts';
import type { Replica } from './replica.ts';
import type { ClientDisconnect, Sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** The database as other rooms use it: hand-written statements, and Prisma for the rest, over one connection pool. */
export interface Database extends Sql {
  /** Prisma, for the models that operations query: see `scripts/prisma-model.mjs`. */
  readonly prisma: PrismaClient;
  /** Prisma for all models, loaded when it is first used. */
  wholePrisma(): Promise<WholeClient>;
  /** Runs the work in one transaction: all of it or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs the work exclusively: no other process runs work of the same key at the same time. */
  exclusively<T>(key: number, work: () => Promise<T>): Promise<T>;
}

/** The database of the process, shared by all requests. */
export interface OpenDatabase extends Database {
  /** @param disconnect of the waiting client: the statement is cancelled when it disconnects */
  rows<Row>(statement: Statement<Row>, values: readonly unknown[], disconnect?: ClientDisconnect): Promise<Row[]>;
  /** The size of the connection pool, its idle connections, and the number of requests waiting for one. */
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number };
  readonly replica: Replica | undefined;
  /** Watches for a failover, where one is possible. */
  readonly primary: PrimaryWatch | undefined;
  /** Calls the listener after each commit that may have put jobs into the queue. @returns stops it */
  onEnqueued(listener: () => void): () => void;
  /** Calls the listener after each commit that may have jobs of pipelines wait for a runner. @returns stops it */
  onCiJobsQueued(listener: () => void): () => void;
  /** Calls the listener after each commit that changed a pipeline, with its id. @returns stops it */
  onPipelineChanged(listener: (id: number) => void): () => void;
  close(): Promise<void>;
}
