import { addressKey } from '../auth/index.ts';
import type { Config, Rate } from '../config/index.ts';
import { EndpointRateLimited, InvalidToken, RateLimited, Unauthenticated } from '../errors.ts';
import type { Exchange } from '../http/index.ts';
import type { Viewer } from '../policy/index.ts';
import { counters } from '../counters.ts';
import type { Counts, RateUsage } from './counts.ts';

/** Rate limits of a single route. */
export interface EndpointLimits {
  /** Routes with the same name are counted together. */
  readonly name: string;
  /** For one address, without a credential. */
  readonly anonymous?: Rate;
  /** For one person, or one application that speaks for itself. */
  readonly viewer?: Rate;
  /** For all of them together, in place of both. */
  readonly together?: Rate;
}

/** What counting needs of a request: also a command over SSH has it. */
type Counted = Pick<Exchange, 'address' | 'headers'>;

/** Rate limiting, as the doors use it. */
export interface Limits {
  /**
   * Counts a request to the API, for its viewer once that is known. An invalid credential counts for the address:
   * guessing is limited there, and valid credentials from the same address aren't affected.
   * @throws RateLimited, and what `reading` throws
   */
  counting<Read>(exchange: Counted, reading: Promise<Read>, viewerOf: (read: Read) => Viewer): Promise<Read>;
  /**
   * Counts additional points for an admitted request that costs more than usual. They never exceed the whole limit:
   * otherwise the request could never pass.
   * @returns undefined if there is nothing to wait for
   * @throws RateLimited
   */
  more(exchange: Exchange, viewer: Viewer, points: number): Promise<void> | undefined;
  /** Counts a request that could be a guess: a password or a code. @throws RateLimited */
  guess(exchange: Exchange): Promise<void>;
  /** Counts a request to a route with its own limits. @throws EndpointRateLimited */
  endpoint(exchange: Exchange, limits: EndpointLimits, viewer: Viewer): Promise<void>;
}

/** For an instance without limits. */
export const noLimits: Limits = {
  counting: (_exchange, reading) => reading,
  more: () => undefined,
  guess: () => Promise.resolve(),
  endpoint: () => Promise.resolve(),
};

/** The limits of the instance, with their names in headers. */
const classes = {
  unauthenticatedApi: 'throttle_unauthenticated_api',
  authenticatedApi: 'throttle_authenticated_api',
  runnerApi: 'throttle_runner_api',
  protectedPaths: 'throttle_unauthenticated_protected_paths',
} as const;
type ClassName = keyof typeof classes;

export function limitsOver(counts: Counts, config: Config['limits']): Limits {
  async function count(exchange: Counted, name: ClassName, who: string, points = 1): Promise<RateUsage | null> {
    const rate = config[name];
    if (!rate) return null;
    const usage = await counts.count(`${classes[name]} ${who}`, rate, points);
    setLimitHeaders(exchange, classes[name], rate, usage);
    return usage;
  }

  /** Counts, and refuses requests above the limit. */
  async function admit(exchange: Counted, name: ClassName, who: string, points = 1): Promise<void> {
    const usage = await count(exchange, name, who, points);
    if (!usage || usage.observed <= config[name]!.most) return;
    exchange.headers['RateLimit-ResetTime'] = new Date(endOf(usage) * 1000).toUTCString();
    counters.limited.count(classes[name]);
    throw new RateLimited(secondsLeft(usage));
  }

  const admitAnonymous = (exchange: Counted) => admit(exchange, 'unauthenticatedApi', addressOf(exchange));

  return {
    async counting(exchange, reading, viewerOf) {
      let read;
      try {
        read = await reading;
      } catch (thrown) {
        if (thrown instanceof Unauthenticated || thrown instanceof InvalidToken) await admitAnonymous(exchange);
        throw thrown;
      }
      const who = nameOf(viewerOf(read));
      await (who ? admit(exchange, classOf(who), who) : admitAnonymous(exchange));
      return read;
    },
    more(exchange, viewer, points) {
      if (points === 0) return undefined;
      const who = nameOf(viewer);
      const name: ClassName = who ? classOf(who) : 'unauthenticatedApi';
      const counted = Math.min(points, (config[name]?.most ?? 1) - 1);
      return counted > 0 ? admit(exchange, name, who ?? addressOf(exchange), counted) : undefined;
    },
    guess: (exchange) => admit(exchange, 'protectedPaths', addressOf(exchange)),
    async endpoint(exchange, limits, viewer) {
      if (!config.endpoints) return;
      const who = limits.together ? 'together' : nameOf(viewer);
      const rate = limits.together ?? (who ? limits.viewer : limits.anonymous);
      if (!rate) return;
      const usage = await counts.count(`${limits.name} ${who ?? addressOf(exchange)}`, rate);
      if (usage.observed <= rate.most) return;
      counters.limited.count(limits.name);
      throw new EndpointRateLimited(secondsLeft(usage));
    },
  };
}

/** The address as a key. Shortened: a proxy may forward text that is no address and as long as a header. */
const addressOf = ({ address }: Counted) => addressKey(address).slice(0, 64);

/** The name that a request counts for; under sudo, the administrator's. Null for anonymous requests. */
function nameOf({ person, actor, credential }: Viewer): string | null {
  // What runners do counts for no one else, although a job acts for a person.
  if (credential?.kind === 'job') return `job ${credential.jobId}`;
  if (credential?.kind === 'runner') return `runner ${credential.runnerId}`;
  if (credential?.kind === 'deploy_key') return `deploy key ${credential.keyId}`;
  const counted = actor ?? person;
  if (counted) return `user ${counted.id}`;
  return credential?.kind === 'oauth' && credential.application ? `application ${credential.application.id}` : null;
}

const classOf = (who: string): ClassName => (/^(?:job|runner) /.test(who) ? 'runnerApi' : 'authenticatedApi');

const secondsLeft = ({ milliseconds }: RateUsage) => Math.max(Math.ceil(milliseconds / 1000), 1);
/** When the counter starts again, in seconds since 1970. */
const endOf = ({ milliseconds }: RateUsage) => Math.ceil((Date.now() + milliseconds) / 1000);

/**
 * Sets the rate limit headers. Clients expect a limit per minute, so the limit is converted from its own time window.
 */
function setLimitHeaders({ headers }: Counted, name: string, { most, seconds }: Rate, usage: RateUsage): void {
  headers['RateLimit-Limit'] = String(Math.ceil((most * 60) / seconds));
  headers['RateLimit-Name'] = name;
  headers['RateLimit-Observed'] = String(usage.observed);
  headers['RateLimit-Remaining'] = String(Math.max(most - usage.observed, 0));
  headers['RateLimit-Reset'] = String(endOf(usage));
}
