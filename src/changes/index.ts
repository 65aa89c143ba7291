export { changeOfPipeline, type Change, type ItemPart } from './change.ts';
export { ChangeFeed, maxSubscriptions } from './feed.ts';
export type { Subscription } from './subscription.ts';
