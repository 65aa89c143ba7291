export type { Message } from './message.ts';
export * as messages from './messages.ts';
export { inboxMail } from './inbox.ts';
export { mailWay } from './way.ts';
export type { Delivery } from './outgoing.ts';
export { noMail, sendsNotifications, startMail, type Mail } from './sender.ts';
export { reachMailServer } from './transport.ts';
