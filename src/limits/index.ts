/**
 * Rate limiting of requests, with the limits that clients know from
 * version 4. A room of its own, since every door uses it, and since it needs both
 * the exchange, which the domain doesn't know, and the database, which doors don't know.
 */
export { startLimits, type RunningLimits } from './start.ts';
export { noLimits, type EndpointLimits, type Limits } from './limits.ts';
