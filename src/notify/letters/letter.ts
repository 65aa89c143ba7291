import type { CauseName, Reason, Via } from '../causes.ts';
import type { Content } from '../content.ts';
import type { Language } from './texts.ts';

/** A message to one person, before it is written. */
export interface Letter {
  readonly message: {
    readonly cause: CauseName;
    /** Names what happened. */
    readonly occurrence: string;
    readonly userId: number;
    readonly subjectKind: 'Commit' | 'Epic' | 'Issue' | 'MergeRequest' | 'Pipeline' | 'Snippet' | 'Project';
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
