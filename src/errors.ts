/**
 * The domain's errors. A resolver throws one of these and knows nothing of HTTP; each door reports it in its own
 * dialect. Any other error is a programming error and is masked. The last class is for the command line.
 */

/** The base of domain errors: a code in upper case, the same at every door. */
export abstract class DomainError extends Error {
  abstract readonly code: string;

  /** What GraphQL shows in `errors[].extensions` besides the code. */
  get details(): Record<string, unknown> {
    return {};
  }
}

/** A required credential is missing, or the one sent is unknown. */
export class Unauthenticated extends DomainError {
  readonly code = 'UNAUTHENTICATED';
  constructor(message = 'A valid credential is needed.') {
    super(message);
  }
}

/** The token of a job that isn’t running any more. Its runner learns how the job ended. */
export class JobNotRunning extends Unauthenticated {
  readonly status: string;
  constructor(status: string) {
    super('Job is not running');
    this.status = status;
  }
}

/** Why an issued token is no longer valid. */
export type TokenFailure = 'expired' | 'revoked' | 'unusable';

const tokenFailures: Record<TokenFailure, string> = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
  unusable: 'The access token is invalid',
};

/** A token that was issued but is no longer valid, or one of a kind that can't be used here. */
export class InvalidToken extends DomainError {
  readonly code = 'INVALID_TOKEN';
  readonly reason: TokenFailure;
  constructor(reason: TokenFailure) {
    super(tokenFailures[reason]);
    this.reason = reason;
  }
}

/** A valid token without any of the scopes that this field accepts. */
export class InsufficientScope extends DomainError {
  readonly code = 'INSUFFICIENT_SCOPE';
  readonly accepted: readonly string[];
  constructor(accepted: readonly string[]) {
    super('The request requires higher privileges than provided by the access token.');
    this.accepted = accepted;
  }
  override get details() {
    return { accepted: this.accepted };
  }
}

/** The viewer may see the record, but not do this to it. */
export class Forbidden extends DomainError {
  readonly code = 'FORBIDDEN';
  /** A sentence for people that explains the refusal, if there is one. */
  readonly reason: string | undefined;
  constructor(reason?: string) {
    super(reason ?? 'You are not allowed to do this.');
    this.reason = reason;
  }
}

/** The same, where clients expect the sentence alone. */
export class ForbiddenPlainly extends Forbidden {
  declare readonly reason: string;
}

/** A share that the viewer may not make or end. REST answers it in GitLab's words. */
export class SharingRefused extends Forbidden {}

/** The repository of a project is switched off for the viewer. Some endpoints answer as if it was missing. */
export class RepositoryOff extends Forbidden {}

/** The session needs a recent sign-in for a sensitive action. */
export class SignInAgain extends DomainError {
  readonly code = 'SIGN_IN_AGAIN';
  constructor() {
    super('Confirm your password to go on.');
  }
}

/** The record is missing or hidden from this viewer. Both get the same answer, which doesn't reveal existence. */
export class NotFound extends DomainError {
  readonly code = 'NOT_FOUND';
  readonly subject: string;
  constructor(subject: string, message = `${subject} not found.`) {
    super(message);
    this.subject = subject;
  }
  override get details(): Record<string, unknown> {
    return { subject: this.subject };
  }
}

/** The place has a new path. Only viewers who may see it get this error. */
export class Moved extends NotFound {
  readonly id: number;
  /** The requested path, in lower case. */
  readonly formerPath: string;
  constructor(subject: string, id: number, formerPath: string) {
    super(subject, `${subject} has another path now.`);
    this.id = id;
    this.formerPath = formerPath;
  }
  override get details() {
    return { ...super.details, id: this.id };
  }
}

/** The record was changed after the moment that the client names (`If-Unmodified-Since`). */
export class PreconditionFailed extends DomainError {
  readonly code = 'PRECONDITION_FAILED';
  constructor() {
    super('It was changed in the meantime.');
  }
}

/** Invalid values, by field, each with all its messages. */
export class InvalidFields extends DomainError {
  readonly code = 'INVALID_INPUT';
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Of a field that is a list: the index of the entry that each message is about, if it is about one. */
  readonly entries: Readonly<Record<string, readonly (number | undefined)[]>>;
  constructor(fields: Record<string, readonly string[]>, entries: InvalidFields['entries'] = {}) {
    super(
      Object.entries(fields)
        .map(([field, messages]) => `${field} ${messages.join(', ')}`)
        .join('; '),
    );
    this.fields = fields;
    this.entries = entries;
  }
  override get details() {
    return { field: Object.keys(this.fields)[0], fields: this.fields };
  }
}

/** A request that is invalid as a whole, with the reason in words. */
export class BadRequest extends DomainError {
  readonly code = 'BAD_REQUEST';
}

/** A transfer of a group or a project that is impossible, with the reason in words. Nothing was changed. */
export class TransferRefused extends BadRequest {}
/** A request that is refused with a text of its own: REST adds nothing to it. */
export class PlainBadRequest extends BadRequest {}

/** Something that the viewer may not do, with a text of its own: REST adds nothing to it. */
export class PlainForbidden extends Forbidden {}

/** A branch that the viewer may not push to. Each endpoint has a form of its own for it. */
export class BranchRefused extends Forbidden {
  constructor() {
    super('You are not allowed to push into this branch');
  }
}

/** A commit that can't be done again, or taken back, on a branch. */
export class ReplayRefused extends BadRequest {
  /** Whether nothing would change, or the same lines were changed meanwhile. */
  readonly reason: 'empty' | 'conflict';
  /** Whether it was only asked if it would work. */
  readonly isTrial: boolean;
  constructor(message: string, reason: 'empty' | 'conflict', isTrial: boolean) {
    super(message);
    this.reason = reason;
    this.isTrial = isTrial;
  }
  override get details() {
    return { reason: this.reason };
  }
}

/** Something that the viewer may not do, which REST answers with 401 as if the request were anonymous. */
export class NotAuthorized extends Forbidden {
  constructor(message = 'You are not authorized to do this.') {
    super(message);
  }
}

/** Something of another person. */
export class NotYours extends NotAuthorized {
  constructor() {
    super('This belongs to another person.');
  }
}

/** A valid request that can't be carried out. */
export class Unprocessable extends DomainError {
  readonly code = 'UNPROCESSABLE';
  constructor(message = 'Unprocessable Entity') {
    super(message);
  }
}

/** The same, with a text of its own or several: REST adds nothing to it. */
export class PlainUnprocessable extends Unprocessable {
  readonly texts: string | readonly string[];
  constructor(texts: string | readonly string[]) {
    super(typeof texts === 'string' ? texts : texts.join(' and '));
    this.texts = texts;
  }
}

/** A merge request that can't be merged as it is: the state of it, or a rule of its project. */
export class NotMergeable extends Unprocessable {
  /** The first reason, as `detailedMergeStatus` has it. */
  readonly status: string;
  constructor(status: string) {
    super('The merge request is not mergeable.');
    this.status = status;
  }
  override get details(): Record<string, unknown> {
    return { status: this.status };
  }
}

/** The record exists already, or another one prevents the change. */
export class Conflict extends DomainError {
  readonly code = 'CONFLICT';
  /** The input field that causes the conflict, if there is one. */
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
  override get details() {
    return this.field === undefined ? {} : { field: this.field };
  }
}

/** Another open merge request of the same branches. */
export class AlreadyOpen extends Conflict {
  /** @param iid of the other one */
  constructor(iid: number) {
    super(`Another open merge request already exists for this source branch: !${iid}`);
  }
}

/** The database can't answer now; the same request may work later. */
export class Unavailable extends DomainError {
  readonly code = 'UNAVAILABLE';
  constructor() {
    super('The service is unavailable for the moment. Try again later.');
  }
}

/** Too many costly requests at once (load shedding); nothing was done for this one. */
export class Busy extends DomainError {
  readonly code = 'BUSY';
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Whether an error passes in a moment: what was refused with it may be tried again. */
export const mayPass = (error: unknown): boolean => error instanceof Unavailable || error instanceof Busy;

/** A file, a request or a list that is larger than the gateway handles. */
export class TooLarge extends DomainError {
  readonly code = 'TOO_LARGE';
}

/** Rate limiting: this request exceeded a limit and was not processed. */
export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number;
  constructor(retryAfter: number, message = 'Retry later') {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The request exceeded the endpoint's own rate limit. Its message differs from that of `RateLimited`. */
export class EndpointRateLimited extends RateLimited {
  constructor(retryAfter: number) {
    super(retryAfter, 'This endpoint has been requested too many times. Try again later.');
  }
}

/** A rate limit on actions that reach other people, such as sending mail. The request itself was valid. */
export class Enough extends RateLimited {}

/** An error of the authorization server, with its name from RFC 6749 or an extension. */
export class OAuthError extends DomainError {
  readonly code = 'OAUTH_ERROR';
  readonly error: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** @param description for the developer of the client; nothing secret */
  constructor(error: string, description: string, retryAfter?: number) {
    super(description);
    this.error = error;
    this.retryAfter = retryAfter;
  }
  override get details() {
    return { error: this.error };
  }
}

/** An error for the operator on the gateway's machine, with its remedy. It never reaches a client. */
export abstract class OperatorError extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}
