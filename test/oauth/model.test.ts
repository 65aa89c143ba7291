import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashPassword } from '../../src/auth/index.ts';
import { testGateway } from '../support/gateway.ts';
import { tryRefreshTokens } from './model/clients.ts';
import { anyCommand } from './model/commands.ts';
import { limits, Model } from './model/model.ts';
import { register, tryConsents } from './model/people.ts';
import { Server, type Account } from './model/server.ts';
import { account } from '../support/oauth/oauth.ts';
import { runs as factor } from '../support/run/runs.ts';

/** Of up to 160 commands each: some 1,500 steps in all, and 500,000 in the long run. */
const runs = factor > 1 ? 36 * factor : 12;
const timeout = 60_000 + runs * 2_000;

test(
  'after any actions of people and clients at two gateways, the answers and the live tokens are those of the model',
  async ({ annotate }) => {
    const lifetimes = {
      CAUSEWAY_CODE_LIFETIME: String(limits.code),
      CAUSEWAY_ACCESS_TOKEN_LIFETIME: String(limits.access),
      CAUSEWAY_REFRESH_TOKEN_LIFETIME: String(limits.refresh),
      CAUSEWAY_REFRESH_REUSE_WINDOW: String(limits.reuse),
    };
    const gateway = await testGateway(lifetimes);
    const gateways = [gateway, await testGateway(lifetimes, gateway)];
    const accounts: Account[] = [];
    for (const name of ['ann', 'ben']) {
      const { id, username, password } = await account(gateway, name);
      accounts.push({ name, id, username, password, passwordHash: await hashPassword(password) });
    }
    let [run, steps] = [0, 0];

    await fc.assert(
      fc.asyncProperty(fc.commands([anyCommand], { maxCommands: 160, size: 'max' }), async (commands) => {
        const server = new Server(gateways);
        run++;
        const model = new Model(await server.beginAnew(accounts));
        const scene = { model, server, say: (text: string) => void server.story.push(text) };
        try {
          await register(scene, { owner: 0, confidential: true, refreshes: true });
          await register(scene, { owner: 1, confidential: false, refreshes: true });
          await fc.asyncModelRun(() => ({ model, real: server }), commands);
          await server.compare(model, [...model.accessTokens.slice(-4), ...model.refreshTokens.slice(-4)]);
          await tryConsents(scene, model.codes.slice(-2));
          await tryRefreshTokens(
            scene,
            model.refreshTokens.filter(({ family }) => !family.application.confidential).slice(-2),
          );
        } catch (error) {
          throw new Error(`${(error as Error).message}\nafter:\n${server.story.join('\n')}`, { cause: error });
        }
        steps += server.steps;
      }),
      // In time for the report: the seed, and the fewest commands that were found to show the difference.
      { numRuns: runs, interruptAfterTimeLimit: timeout - 20_000 },
    );
    await annotate(`${steps} steps`);
    expect(run).toBe(runs);
    expect(steps).toBeGreaterThan(50 * runs);
  },
  timeout,
);
