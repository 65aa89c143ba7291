export type { Message } from './message.ts';
export * as messages from './messages.ts';
export { inboxMail } from './inbox.ts';
export { mailWay } from './way.ts';
export { noMail, reachMailServer, startMail, type Mail } from './sender.ts';
