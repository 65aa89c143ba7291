import type { ClientConfig } from 'pg';
import type { Cluster } from './cluster.ts';
import type { Gateway } from './gateways.ts';
import type { Load } from './load.ts';
import type { Promised } from './promised.ts';
import type { Person } from './store.ts';
import type { Watch } from './watch.ts';

/** What a fault finds: gateways under load on one database. */
export interface Scene {
  readonly gateways: readonly Gateway[];
  readonly load: Load;
  readonly watch: Watch;
  /** Of whom the load knows nothing. */
  readonly spare: readonly Person[];
  readonly databaseUrl: string;
  readonly connection: ClientConfig;
  readonly cluster: Cluster;
}

/** One thing that breaks. */
export interface Fault {
  /** For `--only`. */
  readonly name: string;
  /** What is done, as a sentence. */
  readonly what: string;
  /** Settings of each gateway beyond the common ones, made when the fault is about to begin. */
  readonly settings?: (where: {
    readonly cluster: Cluster;
    readonly database: string;
  }) => Promise<readonly Record<string, string>[]>;
  /** Whether it brings a database of the gateway's own, and where it lies. */
  readonly dataDir?: () => Promise<string>;
  /** Why it can't be done on this machine, if it can't. */
  readonly impossible?: () => Promise<string | undefined>;
  /** Breaks and mends it. What always holds is checked by others. */
  run(scene: Scene): Promise<Promised[]>;
  /** Removes what `settings` or `dataDir` have made. */
  clear?(where: { readonly cluster: Cluster }): Promise<void>;
}
