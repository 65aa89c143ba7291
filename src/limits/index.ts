/**
 * Rate limiting of requests, with the limits that clients of API version 4 expect. It is a room of its own because
 * every door uses it, and because it needs both the exchange, which the domain doesn't know, and the database, which
 * doors don't know.
 */
export { startLimits, type RunningLimits } from './start.ts';
export { noLimits, type EndpointLimits, type Limits } from './limits.ts';
