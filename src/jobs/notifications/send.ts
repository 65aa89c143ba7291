import { unsubscribeKey, type InstanceKeys } from '../../auth/index.ts';
import type { Database } from '../../database/index.ts';
import type { Mail, Delivery } from '../../mail/index.ts';
import type { Content } from '../../notify/content.ts';
import type { write } from '../../notify/letters/write.ts';
import { quietUntil } from '../../notify/quiet-hours.ts';
import { sendingKey } from '../../schema/notifications/recipients/statements/recipients.ts';
import { claimMessages, type ClaimedMessage } from '../../schema/notifications/delivery/statements/claim.ts';
import {
  giveMessagesBack,
  messageNotSent,
  messageSent,
  nextMessage,
} from '../../schema/notifications/delivery/statements/settle.ts';
import { enqueue } from '../enqueue.ts';
import { pauseBeforeRetry, Rest } from './retries.ts';

/** Messages that are claimed at once. */
const batch = 100;
/** Messages that are handed over at once: one connection fewer than there are, which is for other mail. */
const parallel = 4;
/** Milliseconds after which a claimed message is checked again before it is sent. */
const freshness = 10_000;
/** Milliseconds for which one run sends: another one goes on. A stopping gateway waits for the end of a run. */
const longestRun = 10_000;

/** What sending needs besides the database. */
export interface Sending {
  readonly mail: Mail;
  readonly keys: InstanceKeys;
  /** The URL of the gateway; empty until it listens. */
  readonly baseUrl: () => string;
  /** The time zone of people who chose none. */
  readonly timeZone: string;
  /** Loads what writes messages, with the first one: a start does without. */
  readonly loadWriter: () => Promise<Write>;
}

type Write = typeof write;

/** Sends messages that are due, as long as there are any, and says when to look again. */
export class Sender {
  readonly #sending: Sending;
  readonly #rest = new Rest();

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** One run. It ends soon once the signal is aborted; what it has claimed by then is given back, or sent by another run. */
  async run(database: Database, signal: AbortSignal): Promise<void> {
    const writer = await this.#sending.loadWriter();
    const end = performance.now() + longestRun;
    const isOver = () => signal.aborted || performance.now() > end || this.#rest.left() > 0;
    let claimed = -1;
    while (claimed !== 0 && !isOver() && this.#sending.baseUrl() !== '')
      claimed = await this.#sendBatch(database, writer, isOver);
    const [next] = await database.rows(nextMessage, []);
    if (next?.seconds == null) return;
    const wait = Math.max(next.seconds * 1_000, this.#rest.left(), this.#sending.baseUrl() === '' ? 1_000 : 0);
    await enqueue(database, 'send_notifications', {}, { key: sendingKey, runAt: new Date(Date.now() + wait) });
  }

  /** @returns how many messages were due */
  async #sendBatch(database: Database, writer: Write, isOver: () => boolean): Promise<number> {
    const claimedAt = performance.now();
    const claimed = await database.rows(claimMessages, [this.#rest.isProbing ? 1 : batch]);
    const contents = new Map<string, Omit<Content, 'target'>>();
    for (const { occurrence, content } of claimed) if (content) contents.set(occurrence, content);
    const waiting = await this.#withoutQuiet(
      database,
      claimed.filter(({ outcome }) => outcome === null),
    );
    const isStale = () => isOver() || performance.now() - claimedAt > freshness;
    const sendOneByOne = async () => {
      while (!isStale()) {
        const message = waiting.shift();
        if (!message) return;
        const content = { ...contents.get(message.occurrence)!, target: message.target };
        await this.#settle(database, message, await this.#deliver(message, content, writer));
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: parallel }, sendOneByOne));
    if (waiting.length > 0) await giveBack(database, waiting, () => new Date(), null);
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return claimed.length;
  }

  /** Holds the messages whose people have quiet hours now. @returns the others */
  async #withoutQuiet(database: Database, messages: readonly ClaimedMessage[]): Promise<ClaimedMessage[]> {
    const now = new Date();
    const ends = new Map<ClaimedMessage, Date>();
    for (const message of messages) {
      const { quiet_from: from, quiet_until: until, timezone } = message;
      if (from === null || until === null) continue;
      const end = quietUntil(now, { from, until, zone: timezone ?? this.#sending.timeZone });
      if (end) ends.set(message, end);
    }
    if (ends.size > 0) await giveBack(database, [...ends.keys()], (one) => ends.get(one)!, 'QUIET_HOURS');
    return messages.filter((message) => !ends.has(message));
  }

  async #deliver(message: ClaimedMessage, content: Content, writer: Write): Promise<Delivery> {
    const { mail, keys } = this.#sending;
    const baseUrl = this.#sending.baseUrl();
    const { user_id: userId, subject_kind: subjectKind, subject_id: subjectId } = message;
    const replyKey =
      subjectKind === 'Project' || subjectKind === 'Epic'
        ? null
        : unsubscribeKey(keys, { userId, subjectKind, subjectId });
    const written = writer({
      message: { ...message, userId, subjectKind },
      content,
      language: 'en',
      baseUrl,
      replyKey,
      unsubscribeUrl: subjectKind === 'Issue' ? `${baseUrl}/-/sent_notifications/${replyKey}/unsubscribe` : null,
    });
    return await mail.deliver({ ...written, to: message.address! });
  }

  /** Stores what became of a message. */
  async #settle(database: Database, message: ClaimedMessage, { outcome, error }: Delivery): Promise<void> {
    const { id, attempts, address } = message;
    if (outcome === 'unreachable') this.#rest.begin();
    else this.#rest.end();
    if (outcome === 'sent') return void (await database.rows(messageSent, [id]));
    const pause = outcome === 'refused' ? undefined : pauseBeforeRetry(attempts);
    await database.rows(messageNotSent, [
      id,
      attempts,
      pause === undefined ? 'FAILED' : 'WAITING',
      pause ?? 0,
      outcome.toUpperCase(),
      error,
      outcome === 'refused' ? address : null,
      outcome === 'deferred' ? address : null,
    ]);
  }
}

/** Gives messages back, as if they hadn't been claimed. */
const giveBack = (
  database: Database,
  messages: readonly ClaimedMessage[],
  when: (message: ClaimedMessage) => Date,
  outcome: string | null,
) =>
  database.rows(giveMessagesBack, [
    messages.map(({ id }) => id),
    messages.map(({ attempts }) => attempts),
    messages.map(when),
    outcome,
  ]);
