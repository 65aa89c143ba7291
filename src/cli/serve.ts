import type { Config } from '../config/index.ts';
import type { Gateway } from '../server.ts';
import { openStore } from '../store.ts';

/**
 * Starts the gateway in this process. Loading the schema takes most of a start: a database that can't be opened is
 * reported before that.
 * @throws as `startGateway`
 */
export async function serve(config: Config): Promise<Gateway> {
  const store = await openStore(config);
  const { startGateway } = await import('../server.ts');
  return await startGateway(config, store);
}
