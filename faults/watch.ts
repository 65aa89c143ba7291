import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { promised, rounded, type Promised } from './promised.ts';
import type { Gateway } from './gateways.ts';

/** One response of `/-/readiness`; times by `performance.now()`. */
interface Look {
  readonly askedAt: number;
  readonly at: number;
  /** Undefined: no response. */
  readonly status: number | undefined;
}

/** Polls the readiness of every gateway at short intervals, like an impatient load balancer. */
export interface Watch {
  /** Green → red. @param since the start of the fault */
  turnsRed(gateways: readonly Gateway[], since: number): Promised;
  /** Red → green. @param since the time when the database accepted connections again */
  turnsGreen(gateways: readonly Gateway[], since: number): Promised;
  staysGreen(gateways: readonly Gateway[], since: number): Promised;
  /** Resolves when all are green. */
  green(): Promise<void>;
  /** The longest response time, in milliseconds. */
  longest(): number;
  close(): Promise<void>;
}

const interval = 50;
/** Milliseconds. */
const within = 1_000;

export function watchReadiness(gateways: readonly Gateway[]): Watch {
  const looks = new Map<Gateway, Look[]>(gateways.map((gateway) => [gateway, []]));
  let closed = false;

  async function follow(gateway: Gateway): Promise<void> {
    while (!closed) {
      const client = new Client(gateway.origin, { headersTimeout: 3_000, bodyTimeout: 3_000 });
      try {
        for (let status = 200; !closed && status > 0; await pause(interval)) {
          const askedAt = performance.now();
          const found = await client.request({ method: 'GET', path: '/-/readiness' }).then(
            async ({ statusCode, body }) => (await body.dump(), statusCode),
            () => undefined,
          );
          looks.get(gateway)!.push({ askedAt, at: performance.now(), status: found });
          status = found ?? 0;
        }
      } finally {
        await client.destroy().catch(() => {});
      }
    }
  }
  const following = gateways.map(follow);

  /** The time until every gateway answered so; undefined if one never did. */
  function until(
    who: readonly Gateway[],
    since: number,
    fits: (status: number | undefined) => boolean,
  ): number | undefined {
    const took = who.map((gateway) => looks.get(gateway)!.find(({ at, status }) => at >= since && fits(status)));
    return took.every((look) => look !== undefined) ? Math.max(...took.map((look) => look!.at - since)) : undefined;
  }
  const described = (took: number | undefined) => (took === undefined ? 'never' : `after ${rounded(took)}`);

  return {
    turnsRed(who, since) {
      const took = until(who, since, (status) => status !== 200);
      return promised(
        'Readiness is red within a second of the fault.',
        described(took),
        took !== undefined && took <= within,
      );
    },
    turnsGreen(who, since) {
      const took = until(who, since, (status) => status === 200);
      return promised(
        'Readiness is green within a second of the database accepting connections again.',
        described(took),
        took !== undefined && took <= within,
      );
    },
    staysGreen(who, since) {
      const all = who.flatMap((gateway) => looks.get(gateway)!.filter(({ askedAt }) => askedAt >= since));
      const red = all.filter(({ status }) => status !== 200).length;
      return promised(
        'Readiness stays green, because the database answers.',
        `${red} of ${all.length} looks were red`,
        red === 0,
      );
    },
    async green() {
      for (const deadline = performance.now() + 15_000; performance.now() < deadline; await pause(interval)) {
        if ([...looks.values()].every((list) => list.at(-1)?.status === 200)) return;
      }
    },
    longest: () => Math.max(0, ...[...looks.values()].flat().map(({ at, askedAt }) => at - askedAt)),
    async close() {
      closed = true;
      await Promise.all(following);
    },
  };
}
