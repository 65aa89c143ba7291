export { type Change } from './change.ts';
export { ChangeFeed, maxSubscriptions } from './feed.ts';
