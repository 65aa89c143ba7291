/**
 * What the engine throws. Nothing here knows HTTP; users of the engine turn these into their own errors. Messages
 * name no path of this machine.
 */

/** The base of the engine's errors. */
export abstract class GitError extends Error {
  abstract readonly code: string;
}

/** The repository, reference, object or path doesn't exist, or is of another kind than was asked for. */
export class NotFound extends GitError {
  readonly code = 'NOT_FOUND';
}

/** A name, path, revision or identity that the engine doesn't hand to git. */
export class Invalid extends GitError {
  readonly code = 'INVALID';
}

/** Why a change can't be made. */
export type ConflictKind =
  /** A file is where the path wants to be, or on the way to it. */
  | 'file-exists'
  /** A directory is where the file wants to be. */
  | 'directory-exists'
  /** There is no such file. */
  | 'no-file'
  /** The file's last commit is another than the caller named. */
  | 'changed'
  /** `a` exists and `a/b` is wanted, or the reverse. */
  | 'hierarchy'
  /** Both sides changed the same. */
  | 'merge'
  /** The result is the same as before. */
  | 'empty';

/** The change contradicts what is there. */
export class Conflict extends GitError {
  readonly code = 'CONFLICT';
  readonly kind: ConflictKind;
  /** The paths or references concerned. */
  readonly names: readonly string[];
  constructor(kind: ConflictKind, message: string, names: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.names = names;
  }
}

/** A reference has another value than the caller expected: someone else was faster. Nothing was changed. */
export class Mismatch extends GitError {
  readonly code = 'MISMATCH';
  readonly ref: string;
  constructor(ref: string) {
    super(`${ref} has another value now.`);
    this.ref = ref;
  }
}

/** More than a limit allows. */
export class TooLarge extends GitError {
  readonly code = 'TOO_LARGE';
  /** The limit, in bytes or pieces. */
  readonly limit: number;
  constructor(what: string, limit: number) {
    super(`${what} exceeds the limit of ${limit}.`);
    this.limit = limit;
  }
}

/** Too much git work at once; nothing was started. */
export class Busy extends GitError {
  readonly code = 'BUSY';
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number;
  constructor(message = 'Too much git work at once.', retryAfter = 5) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Git, or the process that runs it, failed in a way that no one asked for. */
export class Broken extends GitError {
  readonly code = 'BROKEN';
  /** What git wrote to stderr: for the log, never for people. */
  readonly detail: string;
  constructor(message: string, detail = '') {
    super(message);
    this.detail = detail;
  }
}

/** What the system says, in git's words and in Node's, when a disk or a quota is full. */
const noRoom = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/;

/** What git says of a reference that another git changes, or whose lock a killed one left. */
const lockedOut = /Unable to create .*\.lock': File exists/;

/** What failed while something was written: a full disk and a locked reference refuse for the moment, anything else is broken. */
export function writingFailed(message: string, detail = ''): Busy | Broken {
  if (noRoom.test(detail)) return new Busy('The disk is full.', 600);
  return lockedOut.test(detail) ? new Busy('A reference is being changed.', 1) : new Broken(message, detail);
}

/** Git, or the process that runs it, was ended from outside, or couldn't be started. The same may work later. */
export class Interrupted extends Broken {}

/** The work took longer than its kind may take, and was ended. */
export class TimedOut extends GitError {
  readonly code = 'TIMED_OUT';
  constructor(message = 'Git took too long.') {
    super(message);
  }
}

export type AnyGitError = NotFound | Invalid | Conflict | Mismatch | TooLarge | Busy | Broken | TimedOut;

/** The engine's error that was thrown, if it is one. */
export const asGitError = (thrown: unknown): AnyGitError | undefined =>
  thrown instanceof GitError ? (thrown as AnyGitError) : undefined;
