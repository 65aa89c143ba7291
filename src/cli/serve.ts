import type { Config } from '../config/index.ts';
import type { Gateway } from '../server.ts';
import { openStore } from '../store.ts';
import { once } from '../values/once.ts';

/**
 * Starts the gateway in this process. Loading the schema takes most of a start: a database that can't be opened is
 * reported before that. The gateway's own PostgreSQL gets ready meanwhile.
 * @throws as `startGateway`
 */
export async function serve(config: Config): Promise<Gateway> {
  const load = once(() => import('../server.ts'));
  const store = await openStore(config, { onStarting: load });
  const { startGateway } = await load();
  return await startGateway(config, store);
}
