export { type Change } from './change.ts';
export { ChangeFeed, mostFollowings } from './feed.ts';
