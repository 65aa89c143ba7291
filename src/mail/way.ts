import { isLoopback } from '../values/address.ts';

/** Where messages go: to a mail server, into the inbox of a gateway on one's own machine, or nowhere. */
export type MailWay = 'smtp' | 'inbox' | 'none';

interface MailSettings {
  readonly smtp: { readonly url: string | undefined; readonly from: string | undefined };
  readonly inbox: boolean;
}

/** The way of the settings. People are notified only if there is one. @param address the URL of the gateway */
export function mailWay({ smtp, inbox }: MailSettings, address: string): MailWay {
  if (smtp.url && smtp.from) return 'smtp';
  return inbox && isLoopback(new URL(address).hostname) ? 'inbox' : 'none';
}
