import type { Sql } from '../../../database/index.ts';
import { problemsOfExternalUrl } from '../../../values/ci/environments.ts';
import { deployedTo } from './statements/change.ts';

/** What a deployment says of the environment that it came to. */
interface Deployed {
  /** Where people see it now; undefined, null, or one that no environment can have, keeps what is known. */
  readonly url?: string | null | undefined;
  /** Seconds until it stops by itself; undefined or null: never. */
  readonly autoStopIn?: number | null | undefined;
}

/** After a successful deployment: the environment is available, also where it was stopped. */
export async function becomeDeployed(sql: Sql, environmentId: number, { url, autoStopIn }: Deployed): Promise<void> {
  const address = url && problemsOfExternalUrl(url).length === 0 ? url : null;
  await sql.rows(deployedTo, [environmentId, address, autoStopIn ?? null]);
}
