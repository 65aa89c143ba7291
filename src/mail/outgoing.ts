import type { Message } from './message.ts';

/** A message about what happened, for one person. */
export interface Outgoing extends Message {
  readonly to: string;
  /** The name in `From`, beside the address of the instance; null for the instance's own. */
  readonly sender: string | null;
  /** With angle brackets, as those below. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  /** Further headers, by their names. A value may be empty. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What became of a message that was handed over once. `refused`: the mail server doesn't take it for this address, and never
 * will. `deferred`: not now. `unreachable`: it takes no message at all now, for reasons that aren't the address's.
 */
export interface Delivery {
  readonly outcome: 'sent' | 'refused' | 'deferred' | 'unreachable';
  /** Codes without the server's text, which may repeat the message. Empty if it was sent. */
  readonly error: string;
}

export const delivered: Delivery = { outcome: 'sent', error: '' };

/** The commands whose answers are about this message: RFC 5321 §3.3. Answers to others are about the instance. */
const ofMessage = ['RCPT TO', 'DATA'];
/** The message is larger than the server takes; the service ends. RFC 5321 §4.2.3 */
const tooLarge = 552;
const closing = 421;

/** What a failure of nodemailer means. RFC 5321 §4.2.1: a 5yz reply is permanent, a 4yz reply isn't. */
export function deliveryOf(failure: unknown): Delivery {
  const {
    code = 'unknown',
    responseCode = 0,
    command = '',
  } = failure as {
    code?: string;
    responseCode?: number;
    command?: string;
  };
  const error = [code, command, responseCode || ''].filter(Boolean).join(' ');
  // An address that no server may be asked for, or a message over the size that the server announced.
  const refusedHere = (code === 'EENVELOPE' && command === 'API') || (code === 'EMESSAGE' && responseCode === 0);
  if (refusedHere || responseCode === tooLarge) return { outcome: 'refused', error };
  if (!ofMessage.includes(command) || responseCode < 400 || responseCode === closing)
    return { outcome: 'unreachable', error };
  return { outcome: responseCode >= 500 ? 'refused' : 'deferred', error };
}
