import type { ClientConfig } from 'pg';
import type { Cluster } from './cluster.ts';
import type { Door, Work } from './doors/work.ts';
import type { Gateway } from './gateways.ts';
import type { Load } from './load.ts';
import type { Promised } from './promised.ts';
import type { Person } from './store.ts';
import type { Watch } from './watch.ts';

/** What a fault works with: gateways under load on one database. */
export interface Scene {
  readonly gateways: readonly Gateway[];
  readonly load: Load;
  readonly watch: Watch;
  /** People that the load doesn't use. */
  readonly spare: readonly Person[];
  readonly databaseUrl: string;
  readonly connection: ClientConfig;
  readonly cluster: Cluster;
  /** The folder of this version. */
  readonly root: string;
  /** The folder with the files of the gateways. */
  readonly dataDir: string;
  /** What goes on at the doors that the load doesn't use. */
  readonly doors: Work;
  /** How often a fault that kills at random does so. */
  readonly kills: number;
}

/** Something that breaks (fault injection). */
export interface Fault {
  /** For `--only`. */
  readonly name: string;
  /** What is broken, as a sentence. */
  readonly what: string;
  /** Settings of each gateway beyond the common ones, made before the fault starts. */
  readonly settings?: (where: {
    readonly cluster: Cluster;
    readonly database: string;
  }) => Promise<readonly Record<string, string>[]>;
  /** Doors at which nothing goes on: the fault works there itself, or they can't serve under it. */
  readonly without?: readonly Door[];
  /** Another version, which makes the database and runs first. @returns its folder */
  readonly older?: (root: string) => Promise<string>;
  /** The data folder, if the gateway uses its embedded database. */
  readonly dataDir?: () => Promise<string>;
  /** Why it can't run on this machine, if it can't. */
  readonly skipReason?: (root: string) => Promise<string | undefined>;
  /** Causes the fault and ends it. What must always hold is checked elsewhere. */
  run(scene: Scene): Promise<Promised[]>;
  /** Removes what `settings` or `dataDir` made. */
  clear?(where: { readonly cluster: Cluster }): Promise<void>;
}
