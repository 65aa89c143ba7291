import type { Outgoing } from './outgoing.ts';

const timeout = 10_000;

function connectionTo(url: string) {
  const { hostname, username } = new URL(url);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  // Require TLS for a password, except to a server on this machine.
  return {
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    requireTLS: username !== '' && !here,
  };
}

/** Checks that the mail server answers and accepts the credentials. @throws the reason */
export async function reachMailServer(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(connectionTo(url));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** The connections of this process to the mail server: the only ones. @param from the `From` header of messages that have no other */
export async function openTransport(url: string, from: Sender) {
  // Loaded only where mail is configured.
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      ...connectionTo(url),
      pool: true,
      maxConnections: 5,
      maxMessages: 100,
      // A message whose connection ends is tried once more over another one; later attempts are the queue's.
      maxRequeues: 1,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}

const reason = 'NotificationReason';
const reasonNames = [`X-GitLab-${reason}`, `X-Causeway-${reason}`] as const;
/** A header of every message that has a reason. nodemailer spells its name as it is. */
const carrier = 'Auto-Submitted';

/** A message as nodemailer takes it. It folds and encodes headers; what would be a line of its own becomes a space. */
export function composed({ to, sender, from, ...message }: Outgoing & { readonly from: Sender }) {
  const { subject, text, html, messageId, inReplyTo, references, headers } = message;
  const { [reasonNames[0]]: given, [reasonNames[1]]: _same, ...others } = headers;
  const noReason = reasonNames.map((name) => `\r\n${name}: `).join('');
  const spelled = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
  return {
    from: { name: sender ?? from.name, address: from.address },
    replyTo: from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    ...(inReplyTo !== null && { inReplyTo, references: [...references] }),
    // nodemailer would write `X-Gitlab-Notificationreason`.
    normalizeHeaderKey: (key: string) => spelled.get(key.toLowerCase()) ?? key,
    headers: [
      // Clients filter on the reason, which is empty without one. nodemailer leaves out empty headers, but not several in one.
      ...Object.entries(others).map(([key, value]) =>
        given === '' && key === carrier
          ? { key, value: { prepared: true, value: `${value}${noReason}` } }
          : { key, value },
      ),
      ...(given ? reasonNames.map((key) => ({ key, value: given })) : []),
    ],
  };
}

/** The sender of the settings. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Reads `Name <address>` or `address`. @param host of the instance, which names a sender that has no name */
export function senderOf(from: string, host: string): Sender {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? [];
  return { name: name.replace(/^"(.*)"$/, '$1') || `Causeway (${host})`, address };
}
