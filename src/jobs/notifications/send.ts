import { unsubscribeKey, type InstanceKeys } from '../../auth/index.ts';
import type { Database } from '../../database/index.ts';
import type { Mail, Delivery } from '../../mail/index.ts';
import { mostADay } from '../../notify/causes.ts';
import type { Content } from '../../notify/content.ts';
import type { Letter } from '../../notify/letters/letter.ts';
import type { write } from '../../notify/letters/write.ts';
import { quietUntil } from '../../notify/quiet-hours.ts';
import { sendingKey } from '../../schema/notifications/recipients/statements/recipients.ts';
import { claimMessages, type ClaimedMessage } from '../../schema/notifications/delivery/statements/claim.ts';
import {
  digestSent,
  dropExcess,
  giveMessagesBack,
  messageNotSent,
  messageSent,
  nextMessage,
} from '../../schema/notifications/delivery/statements/settle.ts';
import { enqueue } from '../enqueue.ts';
import { pauseBeforeRetry, Rest } from './retries.ts';

/** Messages that are claimed at once, and how few of them are left when the next ones are claimed. */
const batch = 100;
const low = 40;
/** Messages that are handed over at once: one for each connection. Other mail waits for one of them to end, at most. */
const parallel = 5;
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

/** A claimed message with what it is made of. */
interface Claimed {
  readonly message: ClaimedMessage;
  readonly content: Content;
}

/** What is sent as one: a message, or those of a digest, the oldest first. */
interface Ready {
  readonly all: readonly [Claimed, ...Claimed[]];
  readonly claimedAt: number;
}

const messagesOf = (ready: readonly Ready[]) => ready.flatMap(({ all }) => all.map(({ message }) => message));

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
    const isOver = () =>
      signal.aborted || performance.now() > end || this.#rest.left() > 0 || this.#sending.baseUrl() === '';
    // One message finds out whether a server takes messages again.
    if (this.#rest.isProbing && !isOver()) await this.#send(database, writer, isOver, 1);
    if (!this.#rest.isProbing) await this.#send(database, writer, isOver, Infinity);
    const [next] = await database.rows(nextMessage, []);
    if (next?.seconds == null) return;
    const wait = Math.max(next.seconds * 1_000, this.#rest.left(), this.#sending.baseUrl() === '' ? 1_000 : 0);
    await enqueue(database, 'send_notifications', {}, { key: sendingKey, runAt: new Date(Date.now() + wait) });
  }

  /** Sends what is due, a few messages at once; the next ones are claimed meanwhile. @param most how many */
  async #send(database: Database, writer: Write, isOver: () => boolean, most: number): Promise<void> {
    const ready: Ready[] = [];
    const settling = new Set<Promise<void>>();
    let left = most;
    let claiming: Promise<void> | undefined;
    const claimMore = () => {
      if (claiming || left === 0 || ready.length >= low) return;
      const count = Math.min(batch, left);
      claiming = this.#claim(database, count, ready)
        .then((claimed) => void (left = claimed < count ? 0 : Math.max(0, left - claimed)))
        .finally(() => (claiming = undefined));
      // All lanes may be busy when it fails: the process that waits for the next messages sees it, or claims again.
      claiming.catch(() => undefined);
    };
    const sendOneByOne = async () => {
      while (!isOver()) {
        claimMore();
        const next = ready[0];
        if (!next) {
          if (!claiming) return;
          await claiming;
        } else if (performance.now() - next.claimedAt > freshness) {
          await giveBack(database, messagesOf(ready.splice(0)), () => new Date(), null);
        } else {
          ready.shift();
          const delivery = await this.#deliver(next.all, writer);
          // The next message needn't wait for the commit.
          const settled = this.#settle(database, messagesOf([next]), delivery).finally(() => settling.delete(settled));
          settled.catch(() => undefined);
          settling.add(settled);
          if (settling.size > low) await settled;
        }
      }
    };
    const lanes = Math.min(parallel, most);
    const ends = await Promise.allSettled(Array.from({ length: lanes }, sendOneByOne));
    ends.push(...(await Promise.allSettled([claiming, ...settling])));
    const unsent = messagesOf(ready.splice(0));
    if (unsent.length > 0) await giveBack(database, unsent, () => new Date(), null);
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  /** Claims messages and adds those that can be sent now. @returns how many were due */
  async #claim(database: Database, most: number, ready: Ready[]): Promise<number> {
    const claimedAt = performance.now();
    const claimed = await database.rows(claimMessages, [most]);
    const contents = new Map<string, Omit<Content, 'target'>>();
    for (const { occurrence, content } of claimed) if (content) contents.set(occurrence, content);
    const allowed = claimed.filter(({ outcome }) => outcome === null);
    const due = await this.#withoutQuiet(database, allowed);
    for (const [first, ...others] of await withoutExcess(database, bundled(due))) {
      const withContent = (message: ClaimedMessage): Claimed => ({
        message,
        content: { ...contents.get(message.occurrence)!, target: message.target },
      });
      ready.push({ all: [withContent(first), ...others.map(withContent)], claimedAt });
    }
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

  /** Hands over what is sent as one. */
  async #deliver([first, ...others]: Ready['all'], writer: Write): Promise<Delivery> {
    const [letter, ...further] = [first, ...others].flatMap((one) => lettersOf(this.#letterOf(one)));
    const written = writer([letter!, ...further]);
    return await this.#sending.mail.deliver({ ...written, to: first.message.address! });
  }

  #letterOf({ message, content }: Claimed): Letter {
    const { keys } = this.#sending;
    const baseUrl = this.#sending.baseUrl();
    const { user_id: userId, subject_kind: subjectKind, subject_id: subjectId, digest_id: digestId } = message;
    const replyKey =
      subjectKind === 'Project' || subjectKind === 'Group' || subjectKind === 'Pipeline'
        ? null
        : unsubscribeKey(keys, { userId, subjectKind, subjectId });
    return {
      message: { ...message, userId, subjectKind, digestId },
      content,
      language: 'en',
      baseUrl,
      replyKey,
      // Labels are subscribed apart from what has them.
      unsubscribeUrl:
        (subjectKind === 'Issue' || subjectKind === 'MergeRequest' || subjectKind === 'Epic') &&
        message.cause !== 'RELABELLED'
          ? `${baseUrl}/-/sent_notifications/${replyKey}/unsubscribe`
          : null,
    };
  }

  /** Stores what became of messages that were sent as one. */
  async #settle(database: Database, messages: readonly ClaimedMessage[], { outcome, error }: Delivery): Promise<void> {
    const { attempts, address } = messages[0]!;
    const ids = messages.map(({ id }) => id);
    if (outcome === 'unreachable') this.#rest.begin();
    else this.#rest.end();
    if (outcome === 'sent')
      return void (await (ids.length === 1 ? database.rows(messageSent, ids) : database.rows(digestSent, [ids])));
    const pause = outcome === 'refused' ? undefined : pauseBeforeRetry(attempts);
    await database.rows(messageNotSent, [
      ids,
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

/** A letter for each comment of a review. Every other letter stays one. */
function lettersOf(letter: Letter): readonly Letter[] {
  const { content } = letter;
  return content.review?.map((note) => ({ ...letter, content: { ...content, note } })) ?? [letter];
}

type Bundle = [ClaimedMessage, ...ClaimedMessage[]];

/** Messages by what is sent as one. */
function bundled(messages: readonly ClaimedMessage[]): Bundle[] {
  const bundles = new Map<string | ClaimedMessage, Bundle>();
  for (const message of messages) {
    const key = message.digest_id ?? message;
    const bundle = bundles.get(key);
    if (bundle) bundle.push(message);
    else bundles.set(key, [message]);
  }
  return [...bundles.values()];
}

/**
 * Drops what is more than its person gets about a place within a day; the message that says so isn't. What is on its way from an
 * earlier claim isn't counted yet. @returns the others
 */
async function withoutExcess(database: Database, bundles: readonly Bundle[]): Promise<Bundle[]> {
  const counts = new Map<string, number>();
  const excess: ClaimedMessage[] = [];
  const sent = bundles.filter((bundle) => {
    const { cause, user_id: userId, project_id: projectId, group_id: groupId, sent_today: sentToday } = bundle[0];
    if (cause === 'DAILY_LIMIT') return true;
    const place = `${userId} ${projectId} ${groupId}`;
    const count = (counts.get(place) ?? sentToday) + 1;
    const isExcess = count > mostADay;
    if (isExcess) excess.push(...bundle);
    else counts.set(place, count);
    return !isExcess;
  });
  if (excess.length > 0)
    await database.rows(dropExcess, [excess.map(({ id }) => id), excess.map(({ attempts }) => attempts)]);
  return sent;
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
