import type { Context } from '../../context.ts';
import type { Exchange } from '../../http/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { Values } from './parameters.ts';
import type { AnyRoute } from './route.ts';

/** What a request asks, and in whose name. */
interface Read {
  readonly context: Context;
  readonly asked: { readonly values: Values };
}

/**
 * Counts a request of a route by whatever limits it: those of the API, those of
 * guessing, and its own. Endpoints of OAuth clients aren't counted as API: a client
 * speaks there for all of its people from one address.
 * @throws RateLimited, and whatever the reading throws
 */
export function counted<R extends Read>(
  limits: Limits,
  route: AnyRoute,
  exchange: Exchange,
  reading: Promise<R>,
): Promise<R> {
  const counting = route.path.startsWith('/api/')
    ? limits.counting(exchange, reading, ({ context }) => context.viewer)
    : reading;
  return route.countsAsGuess || route.limits ? countedBeside(limits, route, exchange, counting) : counting;
}

async function countedBeside<R extends Read>(
  limits: Limits,
  route: AnyRoute,
  exchange: Exchange,
  reading: Promise<R>,
): Promise<R> {
  const read = await reading;
  if (route.countsAsGuess?.(read.asked.values)) await limits.guess(exchange);
  if (route.limits) await limits.endpoint(exchange, route.limits, read.context.viewer);
  return read;
}
