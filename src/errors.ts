/**
 * The domain's errors. A resolver throws one of these and knows nothing of HTTP;
 * each door says it in its own dialect. Whatever is not one of these is a
 * programming error and is masked. The last is for the command line.
 */

/** What all of them share: a code in upper case, the same at every door. */
export abstract class DomainError extends Error {
  abstract readonly code: string;

  /** What GraphQL shows in `errors[].extensions` beside the code. */
  get details(): Record<string, unknown> {
    return {};
  }
}

/** No credential where one is needed, or one that nobody issued. */
export class Unauthenticated extends DomainError {
  readonly code = 'UNAUTHENTICATED';
  constructor(message = 'A valid credential is needed.') {
    super(message);
  }
}

/** Why a token that was once issued no longer works. */
export type TokenFailure = 'expired' | 'revoked' | 'unusable';

const tokenFailures: Record<TokenFailure, string> = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
  unusable: 'The access token is invalid',
};

/** A token that was issued and no longer works, or one of a kind that can't be used here. */
export class InvalidToken extends DomainError {
  readonly code = 'INVALID_TOKEN';
  readonly reason: TokenFailure;
  constructor(reason: TokenFailure) {
    super(tokenFailures[reason]);
    this.reason = reason;
  }
}

/** A live token without any of the scopes that reach this field. */
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

/** The viewer may see the thing and may not do this to it. */
export class Forbidden extends DomainError {
  readonly code = 'FORBIDDEN';
  /** A sentence for people, or nothing where there is nothing to add. */
  readonly reason: string | undefined;
  constructor(reason?: string) {
    super(reason ?? 'You are not allowed to do this.');
    this.reason = reason;
  }
}

/** The person is signed in, but confirmed it too long ago for something that grants power. */
export class SignInAgain extends DomainError {
  readonly code = 'SIGN_IN_AGAIN';
  constructor() {
    super('Confirm your password to go on.');
  }
}

/** Missing or not to be seen by this viewer: the two are never told apart. */
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

/** The place has another path by now; only those are told who may see it. */
export class Moved extends NotFound {
  readonly id: number;
  /** The path that was asked for, in lower case. */
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

/** Somebody changed the thing after the moment up to which the client knows it. */
export class PreconditionFailed extends DomainError {
  readonly code = 'PRECONDITION_FAILED';
  constructor() {
    super('It was changed in the meantime.');
  }
}

/** Values that break a rule of the model, by field, each with all its messages. */
export class InvalidFields extends DomainError {
  readonly code = 'INVALID_INPUT';
  readonly fields: Readonly<Record<string, readonly string[]>>;
  constructor(fields: Record<string, readonly string[]>) {
    super(
      Object.entries(fields)
        .map(([field, messages]) => `${field} ${messages.join(', ')}`)
        .join('; '),
    );
    this.fields = fields;
  }
  override get details() {
    return { field: Object.keys(this.fields)[0], fields: this.fields };
  }
}

/** A request that makes no sense as a whole, with the reason in words. */
export class BadRequest extends DomainError {
  readonly code = 'BAD_REQUEST';
}

/** The thing exists already, or what is there stands in the way. */
export class Conflict extends DomainError {
  readonly code = 'CONFLICT';
  /** The input field to blame, where there is one. */
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
  override get details() {
    return this.field === undefined ? {} : { field: this.field };
  }
}

/** The database can't answer just now; the same request may work later. */
export class Unavailable extends DomainError {
  readonly code = 'UNAVAILABLE';
  constructor() {
    super('The service is unavailable for the moment. Try again later.');
  }
}

/** More of something costly is asked for than can be done now; nothing was done yet. */
export class Busy extends DomainError {
  readonly code = 'BUSY';
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** More requests came than may; this one was not looked at. */
export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number;
  constructor(retryAfter: number, message = 'Retry later') {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** What was asked for has a limit of its own, which is told in another way. */
export class EndpointRateLimited extends RateLimited {
  constructor(retryAfter: number) {
    super(retryAfter, 'This endpoint has been requested too many times. Try again later.');
  }
}

/** Somebody asked for more than is given in so short a time, of what reaches other people. Nothing of it was wrong. */
export class Enough extends RateLimited {}

/** An error of the authorization server, by the name that RFC 6749 and its kin give it. */
export class OAuthError extends DomainError {
  readonly code = 'OAUTH_ERROR';
  readonly error: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;
  /** @param description for the developer of the other side; nothing secret */
  constructor(error: string, description: string, retryAfter?: number) {
    super(description);
    this.error = error;
    this.retryAfter = retryAfter;
  }
  override get details() {
    return { error: this.error };
  }
}

/** Why something can't be done on the gateway's machine, and what its operator can do about it. It never reaches a client. */
export abstract class OperatorError extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}
