import type { Config } from './config/index.ts';
import type { Application } from './context.ts';
import { hostKey } from './auth/index.ts';
import { noMail } from './mail/index.ts';
import { OperatorError } from './errors.ts';
import { schema } from './schema/index.ts';
import { lasting } from './server.ts';
import { startLimits } from './limits/index.ts';
import { addressOf, redisOf } from './services.ts';
import { listenSsh, type SshOptions } from './ssh/index.ts';
import { openStore } from './store.ts';

/** Git over SSH can't be served. */
class SshError extends OperatorError {
  override readonly name = 'SshError';
}

/** Git over SSH that runs in this process. */
export interface SshGateway {
  readonly port: number;
  /** Graceful shutdown: finishes clones and pushes in progress. */
  stop(): Promise<void>;
}

/**
 * Composition of the process for git over SSH: config → database → schema → listen → drain. It is a gateway without HTTP,
 * jobs and mail.
 * @throws errors with a `remedy` if the operator can do something about them
 */
export async function startSsh(config: Config, bounds: SshOptions['bounds'] = {}): Promise<SshGateway> {
  if (!config.ssh) throw new SshError('Git over SSH has no port.', 'Set CAUSEWAY_SSH_PORT.');
  const { port } = config.ssh;
  const store = await openStore(config, { runs: true });
  const { database, keys, log } = store;
  let closeLimits = () => Promise.resolve();
  const close = async () => {
    await closeLimits();
    await store.close();
  };
  try {
    const running = await startLimits({ limits: config.limits, redis: redisOf(config, keys) }, database, log);
    closeLimits = () => running.close();
    const baseUrl = config.baseUrl ?? addressOf(config.host, config.port);
    const application: Application = { ...lasting(config, store), changes: store.changes, mail: noMail, baseUrl };
    const server = await listenSsh({
      application,
      schema,
      limits: running.limits,
      log,
      accessLog: config.accessLog,
      hostKey: await hostKey(database, keys),
      host: config.host,
      port,
      bounds,
    }).catch((error: NodeJS.ErrnoException) => {
      throw new SshError(
        `Git over SSH can’t listen on port ${port}: ${error.message}.`,
        'Set another CAUSEWAY_SSH_PORT.',
        {
          cause: error,
        },
      );
    });
    return {
      port: server.port,
      async stop() {
        await server.stop(config.drainTimeout);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
