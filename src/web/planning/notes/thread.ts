import { awardsField, type Award } from '../awards/award.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';

/** A comment, or a note of the system about a change. */
export interface Note {
  readonly id: number;
  readonly body: string;
  readonly bodyHtml: string;
  readonly system: boolean;
  readonly internal: boolean;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly awardEmoji: { readonly nodes: readonly Award[] };
  readonly author: Pictured & { readonly username: string };
}

/** A comment with its replies. */
export interface Thread {
  readonly key: string;
  readonly resolvable: boolean;
  readonly resolved: boolean;
  readonly resolvedBy: { readonly name: string; readonly username: string } | null;
  readonly allNotes: readonly Note[];
}

export const noteFields = `id: databaseId body bodyHtml system internal createdAt lastEditedAt author { ${picturedFields} username } ${awardsField}`;

export const threadFields = `key resolvable resolved resolvedBy { name username } allNotes { ${noteFields} }`;

/** What a person typed into the form of a comment, with what is wrong with it in sentences. */
export interface CommentDraft {
  /** The thread that it replies to. */
  readonly thread?: string;
  readonly body: string;
  readonly internal: boolean;
  readonly startsThread: boolean;
  readonly errors: readonly string[];
}
