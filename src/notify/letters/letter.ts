import type { CauseName, MessageKind, Reason, Via } from '../causes.ts';
import type { Content } from '../content.ts';
import type { Language } from './texts.ts';

/** A message to one person, or a part of a digest, before it is written. */
export interface Letter {
  readonly message: {
    readonly cause: CauseName;
    /** Names what happened. */
    readonly occurrence: string;
    readonly userId: number;
    /** Names the digest that it is a part of; null if it is a message of its own. */
    readonly digestId: string | null;
    readonly subjectKind: MessageKind;
    readonly via: Via;
    readonly reason: Reason | null;
  };
  readonly content: Content;
  readonly language: Language;
  /** The URL of the gateway. */
  readonly baseUrl: string;
  /** The key that names the person and the subject; null where nothing can be unsubscribed or answered. */
  readonly replyKey: string | null;
  /** Null where nothing can be unsubscribed. */
  readonly unsubscribeUrl: string | null;
}

/** What becomes one message: a letter, or several about the same thing to the same person, the oldest first. */
export type Letters = readonly [Letter, ...Letter[]];
