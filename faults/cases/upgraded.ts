import { setTimeout as pause } from 'node:timers/promises';
import type { Door } from '../doors/work.ts';
import type { Fault } from '../fault.ts';
import { command, type Gateway } from '../gateways.ts';
import { buildVersion, commitBefore } from '../older.ts';
import { promised, rounded } from '../promised.ts';
import { allAnswered, share } from '../verify.ts';

/** A migration locks the tables that it changes: a request that waits longer than these short timeouts is refused. */
const minShare = 0.98;
/** Milliseconds after the migration for what waited for it. */
const settling = 500;
/** Milliseconds for which two versions run side by side. */
const beside = 5_000;
/** Milliseconds for which the older version serves again. */
const back = 2_000;

/**
 * An upgrade without a pause, as docs/operations.md has it, and the way back.
 * @param before the migration before which the older version is
 */
const upgrade = (name: string, version: string, before: string, without: readonly Door[] = []): Fault => {
  let built: Awaited<ReturnType<typeof buildVersion>> | undefined;
  return {
    name,
    what: `Two gateways of ${version} are replaced one after the other, on a database with data: it is migrated while they serve, both versions run side by side, and the older one serves again in between.`,
    without,
    skipReason: async (root) =>
      (await commitBefore(root, before)) === undefined ? 'The history has no version before it.' : undefined,
    async older(root) {
      built = await buildVersion(root, (await commitBefore(root, before))!);
      return built.folder;
    },
    async run({ gateways: [first, second], load, watch, databaseUrl, dataDir, root }) {
      const replace = async (gateway: Gateway, program: string) => {
        await gateway.end('SIGTERM');
        await gateway.start(program);
        await watch.green();
      };
      const during = async (milliseconds: number) => {
        const from = performance.now();
        await pause(milliseconds);
        return load.between(from, performance.now());
      };
      const from = performance.now();
      const said = await command(root, ['migrate'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
      const took = performance.now() - from;
      const migrating = load.between(from, performance.now());
      await pause(settling);
      const migrated = await during(back);
      await replace(first!, root);
      const both = await during(beside);
      await replace(first!, built!.folder);
      const again = await during(back);
      await replace(first!, root);
      await replace(second!, root);
      return [
        promised('The database is migrated.', `within ${rounded(took)}: ${said.trim().split('\n').at(-1)}`, true),
        share(
          `At least ${minShare * 100} % of requests to the older version are answered during the migration; the others are asked to retry.`,
          migrating,
          minShare,
        ),
        allAnswered('The older version answers everything on the migrated database.', migrated),
        allAnswered('Both versions answer everything side by side.', both),
        allAnswered('The older version serves again on the migrated database.', again),
      ];
    },
    clear: async () => await built?.remove(),
  };
};

/** The last version before issues, repositories, merge requests and pipelines: it has no such doors. */
export const upgraded = upgrade(
  'upgraded',
  'the last version before attributes of people, issues and repositories came',
  '20261122204516_user_attributes',
  ['git', 'runner', 'mail'],
);

/** A neighbour, with every door. */
export const twoVersions = upgrade(
  'two-versions',
  'the version before passkeys and comments on commits',
  '20261125233500_merge_requests_by_merge',
);
