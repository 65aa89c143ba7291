import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { Fault } from '../fault.ts';
import { promised, rounded, type Promised } from '../promised.ts';
import type { Gateway } from '../gateways.ts';
import { redisProgram, redisServer, type RedisServer } from '../../test/support/databases/redis-server.ts';
import type { Person } from '../store.ts';
import { allAnswered } from '../verify.ts';

let redis: RedisServer | undefined;

/** How many requests of a person a gateway has counted, including this one. */
async function observed({ origin }: Gateway, { token }: Person): Promise<number> {
  const { headers, body } = await request(`${origin}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } });
  await body.dump();
  return Number(headers['ratelimit-observed']);
}

/** One gateway counts some requests; the other receives the count. */
async function countsTogether(promise: string, [one, other]: readonly Gateway[], person: Person): Promise<Promised> {
  const counted = 20;
  for (let i = 0; i < counted; i++) await observed(one!, person);
  const from = performance.now();
  for (const deadline = from + 8_000; performance.now() < deadline; await pause(250)) {
    const there = await observed(other!, person);
    if (there > counted)
      return promised(
        promise,
        `after ${rounded(performance.now() - from)} the other gateway had counted ${there}`,
        true,
      );
  }
  return promised(promise, 'not within 8 s', false);
}

export const redisGone: Fault = {
  name: 'redis-gone',
  what: 'Redis, through which the gateways share request counts, is killed, and started again empty three seconds later.',
  skipReason: () => Promise.resolve(redisProgram ? undefined : 'There is no redis-server on this machine.'),
  async settings() {
    redis = await redisServer();
    await redis.start();
    const settings = { REDIS_URL: redis.url, CAUSEWAY_LIMIT_AUTHENTICATED_API: '100000/600' };
    return [settings, settings];
  },
  async run({ gateways, load, watch, spare: [before, after] }) {
    const together = await countsTogether('The gateways share counts.', gateways, before!);
    const from = performance.now();
    await redis!.kill();
    await pause(3_000);
    await redis!.start();
    await pause(1_500);
    const to = performance.now();
    return [
      together,
      allAnswered('No request is refused or delayed while it is down.', load.between(from, to)),
      await countsTogether('They share counts again when it is back.', gateways, after!),
      watch.staysGreen(gateways, from),
    ];
  },
  clear: async () => await redis?.kill(),
};
