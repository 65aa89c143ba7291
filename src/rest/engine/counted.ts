import type { Context } from '../../context.ts';
import type { Exchange } from '../../http/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { Values } from './parameters.ts';
import type { AnyRoute } from './route.ts';

/** A request that was read: its viewer and parameters. */
interface Read {
  readonly context: Context;
  readonly asked: { readonly values: Values };
}

/**
 * Rate limiting: counts a request against the limits of the API, of password guessing, and of the route itself. Endpoints
 * for OAuth clients don't count as API: a client sends all of its users' requests from one address.
 * @throws RateLimited, and the errors of `reading`
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
  return route.countsAsGuess || route.limits || route.largeReads
    ? countedByRoute(limits, route, exchange, counting)
    : counting;
}

async function countedByRoute<R extends Read>(
  limits: Limits,
  route: AnyRoute,
  exchange: Exchange,
  reading: Promise<R>,
): Promise<R> {
  const read = await reading;
  if (route.countsAsGuess?.(read.asked.values)) await limits.guess(exchange);
  if (route.limits) {
    const { per, ...rates } = route.limits;
    const name = per ? `${rates.name} ${String(read.asked.values[per])}` : rates.name;
    await limits.endpoint(exchange, { ...rates, name }, read.context.viewer);
  }
  // HEAD sends no content.
  if (route.largeReads && exchange.request.method !== 'HEAD') {
    const { name, together } = route.largeReads;
    const { context } = read;
    const countLargeRead = (projectId: number) =>
      limits.endpoint(exchange, { name: `${name} ${projectId}`, together }, context.viewer);
    Object.assign(context, { countLargeRead });
  }
  return read;
}
