import type { Readable } from 'node:stream';
import type { CiStatus } from './statuses.ts';

/** What the runner of a job does with the job’s files, between the door of runners and the domain. */

/** A piece of a log, as a runner sends it. */
export interface SentPiece {
  /** The position at which the runner says that the bytes begin. */
  readonly start: number;
  readonly bytes: Uint8Array;
  /** Whether the log has everything that the runner does. */
  readonly debug: boolean;
}

/** Not the token of a running job. Only the runner that had the job gets the status. */
export interface Refused {
  readonly outcome: 'refused';
  readonly status?: CiStatus | undefined;
}

/** What became of a piece. */
export type Appended =
  | { readonly outcome: 'appended'; readonly size: number; readonly watched: boolean }
  /** The log is `size` bytes long: the runner goes on there. */
  | { readonly outcome: 'elsewhere'; readonly size: number }
  /** Someone else appends to it just now. */
  | { readonly outcome: 'busy' }
  | Refused;

/** A file that a job leaves, as its runner sends it. */
export interface SentArtifact {
  readonly kind: string | undefined;
  readonly format: string | undefined;
  readonly expireIn: string | undefined;
  /** The body of the request, and its content type: a form with the field `file`. */
  readonly body: Readable;
  readonly contentType: string;
}

/** A stored file that is sent to a runner. */
export interface Download {
  readonly filename: string;
  readonly size: number;
  readonly open: () => Readable;
}

/** The way of a runner to the files of its job. */
export interface JobFiles {
  append(piece: SentPiece): Promise<Appended>;
  /** @throws BadRequest, TooLarge */
  receive(artifact: SentArtifact): Promise<{ readonly outcome: 'received' } | Refused>;
  /** The archive of the job, or of one that the token’s job needs. @throws NotFound */
  download(): Promise<({ readonly outcome: 'found' } & Download) | Refused>;
}
