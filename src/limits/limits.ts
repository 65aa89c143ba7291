import { addressKey } from '../auth/index.ts';
import type { Config, Rate } from '../config.ts';
import { EndpointRateLimited, InvalidToken, RateLimited, Unauthenticated } from '../errors.ts';
import type { Exchange } from '../http/index.ts';
import type { Viewer } from '../policy/index.ts';
import { counters } from '../counters.ts';
import type { Counts, RateUsage } from './counts.ts';

/** Limits that a route has of its own. */
export interface EndpointLimits {
  /** Of all of them; routes of one name are counted together. */
  readonly name: string;
  /** For one address, without a credential. */
  readonly stranger?: Rate;
  /** For one person, or one application that speaks for itself. */
  readonly viewer?: Rate;
}

/** What the doors ask. Whatever isn't limited passes as it came. */
export interface Limits {
  /**
   * Counts a request at the API, for its viewer as soon as that is known. A
   * credential that is no good counts as none, so that who tries many is
   * slowed down, and whoever has a good one is not, at the same address.
   * @throws RateLimited, and whatever the reading throws
   */
  counting<Read>(exchange: Exchange, reading: Promise<Read>, viewerOf: (read: Read) => Viewer): Promise<Read>;
  /**
   * Counts a request that was let in as so many more, for what it will cost beyond the usual. A
   * single one never counts as more than the whole limit: otherwise it could never be asked.
   * @returns undefined where nothing is to be waited for
   * @throws RateLimited
   */
  more(exchange: Exchange, viewer: Viewer, points: number): Promise<void> | undefined;
  /** Counts a try of what people guess at. @throws RateLimited */
  guess(exchange: Exchange): Promise<void>;
  /** Counts what has a limit of its own. @throws EndpointRateLimited */
  endpoint(exchange: Exchange, limits: EndpointLimits, viewer: Viewer): Promise<void>;
}

/** Where nothing is limited. */
export const noLimits: Limits = {
  counting: (_exchange, reading) => reading,
  more: () => undefined,
  guess: () => Promise.resolve(),
  endpoint: () => Promise.resolve(),
};

/** Of the instance, each with the name by which clients know it. */
const classes = {
  unauthenticatedApi: 'throttle_unauthenticated_api',
  authenticatedApi: 'throttle_authenticated_api',
  protectedPaths: 'throttle_unauthenticated_protected_paths',
} as const;
type ClassName = keyof typeof classes;

export function limitsOver(counts: Counts, config: Config['limits']): Limits {
  async function count(exchange: Exchange, name: ClassName, who: string, points = 1): Promise<RateUsage | null> {
    const rate = config[name];
    if (!rate) return null;
    const usage = await counts.count(`${classes[name]} ${who}`, rate, points);
    setLimitHeaders(exchange, classes[name], rate, usage);
    return usage;
  }

  /** Counts, and refuses what is too much. */
  async function admit(exchange: Exchange, name: ClassName, who: string, points = 1): Promise<void> {
    const usage = await count(exchange, name, who, points);
    if (!usage || usage.observed <= config[name]!.most) return;
    exchange.headers['RateLimit-ResetTime'] = new Date(endOf(usage) * 1000).toUTCString();
    counters.limited.count(classes[name]);
    throw new RateLimited(secondsLeft(usage));
  }

  const stranger = (exchange: Exchange) => admit(exchange, 'unauthenticatedApi', addressOf(exchange));

  return {
    async counting(exchange, reading, viewerOf) {
      let read;
      try {
        read = await reading;
      } catch (thrown) {
        if (thrown instanceof Unauthenticated || thrown instanceof InvalidToken) await stranger(exchange);
        throw thrown;
      }
      const who = nameOf(viewerOf(read));
      await (who ? admit(exchange, 'authenticatedApi', who) : stranger(exchange));
      return read;
    },
    more(exchange, viewer, points) {
      if (points === 0) return undefined;
      const who = nameOf(viewer);
      const name: ClassName = who ? 'authenticatedApi' : 'unauthenticatedApi';
      const counted = Math.min(points, (config[name]?.most ?? 1) - 1);
      return counted > 0 ? admit(exchange, name, who ?? addressOf(exchange), counted) : undefined;
    },
    guess: (exchange) => admit(exchange, 'protectedPaths', addressOf(exchange)),
    async endpoint(exchange, limits, viewer) {
      if (!config.endpoints) return;
      const who = nameOf(viewer);
      const rate = who ? limits.viewer : limits.stranger;
      if (!rate) return;
      const usage = await counts.count(`${limits.name} ${who ?? addressOf(exchange)}`, rate);
      if (usage.observed <= rate.most) return;
      counters.limited.count(limits.name);
      throw new EndpointRateLimited(secondsLeft(usage));
    },
  };
}

/** What a proxy hands over as an address may be no address at all, and as long as a header. */
const addressOf = ({ address }: Exchange) => addressKey(address).slice(0, 64);

/** Whose requests count together: an administrator's, whomever they act as. Null for strangers. */
function nameOf({ person, actor, credential }: Viewer): string | null {
  const counted = actor ?? person;
  if (counted) return `user ${counted.id}`;
  return credential?.kind === 'oauth' && credential.application ? `application ${credential.application.id}` : null;
}

const secondsLeft = ({ milliseconds }: RateUsage) => Math.max(Math.ceil(milliseconds / 1000), 1);
/** Seconds since 1970. */
const endOf = ({ milliseconds }: RateUsage) => Math.ceil((Date.now() + milliseconds) / 1000);

/** Writes on the answer how a counter stands. Clients take the limit for that of a minute, whatever its time. */
function setLimitHeaders({ headers }: Exchange, name: string, { most, seconds }: Rate, usage: RateUsage): void {
  headers['RateLimit-Limit'] = String(Math.ceil((most * 60) / seconds));
  headers['RateLimit-Name'] = name;
  headers['RateLimit-Observed'] = String(usage.observed);
  headers['RateLimit-Remaining'] = String(Math.max(most - usage.observed, 0));
  headers['RateLimit-Reset'] = String(endOf(usage));
}
