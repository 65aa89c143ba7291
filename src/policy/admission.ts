import { Forbidden, InsufficientScope, SignInAgain, Unauthenticated } from '../errors.ts';
import type { Credential, Person, Scope, Viewer } from './viewer.ts';

/**
 * Which credentials reach a field at all (authorization by credential class), checked before any look-up.
 *
 * - `token`: any API credential with one of the scopes; the fields of the public endpoint.
 * - `session`: a signed-in person. No token reaches these fields, so that a stolen token can't create another.
 *   Exception: a personal access token reaches fields with `personalToken` over REST.
 * - `client`: an OAuth client, at the OAuth endpoints.
 * - `job`: the token of a job that runs, as its runner sends it.
 * - `trigger`: the token of a trigger, which the operation looks up, or that of a job that runs.
 * - `runner`: the token of a runner; with `registration`, one that runners register with.
 * - `git`: a client of git: a token with one of the scopes, a person's password, their SSH key, or a deploy key.
 * - `operator`: a command on the machine of the gateway, and no one else.
 */
export type Admission =
  | {
      readonly class: 'token';
      /** The credential needs one of these scopes; with `any`, no particular one. */
      readonly scopes: readonly Scope[] | 'any';
      /** Whether anonymous requests reach the field too. */
      readonly anonymous?: boolean;
      /** Whether an application acting for itself, without a person, may use it. */
      readonly application?: boolean;
      /** Whether the token of a job that runs reaches the field too, over REST, for its own project. */
      readonly job?: boolean;
      /** Whether it makes another credential, which outlasts the page whose token asks: that token doesn't reach it. */
      readonly makesCredential?: boolean;
    }
  | {
      readonly class: 'session';
      /** Whether the person must have confirmed their identity within the last minutes. */
      readonly recent?: boolean;
      /** Whether requests before sign-in reach the field too, for example `signIn` itself. */
      readonly anonymous?: boolean;
      /**
       * A personal access token with one of these scopes reaches the field too, through the
       * documented routes of version 4. OAuth tokens and requests with sudo never reach it.
       */
      readonly personalToken?: readonly Scope[];
    }
  | { readonly class: 'client' }
  | {
      readonly class: 'git';
      readonly scopes: readonly Scope[];
      readonly anonymous?: boolean;
      /** Whether the token of a job that runs may do this in its own project. */
      readonly job?: boolean;
    }
  | { readonly class: 'job' }
  | { readonly class: 'trigger' }
  | { readonly class: 'operator' }
  | { readonly class: 'runner'; readonly registration?: boolean };

/** Scopes of queries. */
export const reads: readonly Scope[] = ['api', 'read_api'];
/** Scopes of what is in a repository: files, trees, archives. */
export const codeReads: readonly Scope[] = [...reads, 'read_repository'];
/** Scopes of mutations. */
export const writes: readonly Scope[] = ['api'];
/** Admission to what makes a credential of a machine: the token of a trigger or a runner, a deploy key. */
export const makesCredential = { class: 'token', scopes: writes, makesCredential: true } as const satisfies Admission;
/** Scopes of a clone and a fetch. Who may push may fetch. */
export const fetches: readonly Scope[] = [...codeReads, 'write_repository'];
/** Scopes of a push. */
export const pushes: readonly Scope[] = [...writes, 'write_repository'];

/**
 * Checks that the viewer may reach a field.
 * @throws Unauthenticated, InsufficientScope, Forbidden, SignInAgain
 */
export function admit({ credential, person, actor }: Viewer, admission: Admission): void {
  if (credential?.kind === 'operator') return;
  switch (admission.class) {
    case 'token':
      return admitToken(credential, person, admission);
    case 'session':
      return admitSession(credential, actor, admission);
    case 'client':
      if (credential?.kind !== 'client') throw new Forbidden('Only an OAuth client can do this.');
      return;
    case 'git':
      return admitGit(credential, person, admission);
    case 'job':
      return requireKind(credential, 'job', 'Only a job that runs can do this.');
    case 'operator':
      throw new Forbidden('Only the operator can do this.');
    case 'trigger':
      if (credential?.kind === 'job') return;
      return requireKind(credential, 'trigger', 'Only a trigger or a job that runs can do this.');
    case 'runner':
      return requireKind(credential, admission.registration ? 'registration' : 'runner', 'Only a runner can do this.');
  }
}

/** The credential of a request that isn't the operator's: the operator was admitted before. */
type Presented = Exclude<Credential, { kind: 'operator' }> | null;

function requireKind(credential: Presented, kind: Credential['kind'], refusal: string): void {
  if (credential === null) throw new Unauthenticated();
  if (credential.kind !== kind) throw new Forbidden(refusal);
}

/** What machines present, which acts for no one, or only where a field names it. */
const isOfMachine = (
  credential: Credential,
): credential is Extract<Credential, { kind: 'job' | 'runner' | 'registration' | 'trigger' }> =>
  credential.kind === 'job' ||
  credential.kind === 'runner' ||
  credential.kind === 'registration' ||
  credential.kind === 'trigger';

function admitToken(credential: Presented, person: Person | null, admission: Admission & { class: 'token' }): void {
  if (credential === null || credential.kind === 'client') {
    if (admission.anonymous) return;
    throw new Unauthenticated();
  }
  if (isOfMachine(credential)) {
    if (credential.kind === 'job' && admission.job) return;
    throw new Unauthenticated();
  }
  // A page shows a signed-in person everything that they may see.
  if (credential.kind === 'session') return;
  if (credential.kind === 'password') throw new Forbidden('A password can do this only with git.');
  if (credential.kind === 'key' || credential.kind === 'deploy_key')
    throw new Forbidden('An SSH key can do this only with git.');
  const { scopes } = admission;
  if (scopes !== 'any' && !scopes.some((scope) => credential.scopes.includes(scope)))
    throw new InsufficientScope(scopes);
  if (person === null && !admission.application && !admission.anonymous) throw new Unauthenticated();
  if (admission.makesCredential && credential.kind === 'personal' && credential.ofPage)
    throw new Forbidden('The token of a page can’t make another credential.');
}

function admitGit(
  credential: Presented,
  person: Person | null,
  { scopes, anonymous, job }: Admission & { class: 'git' },
): void {
  if (credential === null) {
    if (anonymous) return;
    throw new Unauthenticated();
  }
  if (credential.kind === 'session' || credential.kind === 'client') throw new Forbidden('Only git can do this.');
  if (isOfMachine(credential)) {
    if (credential.kind === 'job' && job) return;
    throw new Forbidden('A job can only fetch from its own project.');
  }
  // It has neither scopes nor a person. The look-up of the project asks whether it opens that one.
  if (credential.kind === 'deploy_key') return;
  const isScoped = credential.kind !== 'password' && credential.kind !== 'key';
  if (isScoped && !scopes.some((scope) => credential.scopes.includes(scope))) throw new InsufficientScope(scopes);
  // An application for itself has no rights in a repository.
  if (person === null) throw new Unauthenticated();
}

function admitSession(
  credential: Presented,
  actor: Viewer['actor'],
  admission: Admission & { class: 'session' },
): void {
  if (credential === null) {
    if (admission.anonymous) return;
    throw new Unauthenticated();
  }
  if (actor) throw new Forbidden('Nobody can do this in another’s name.');
  // What only writes reach gives power over credentials: a page's token has none.
  if (
    credential.kind === 'personal' &&
    admission.personalToken &&
    (!credential.ofPage || admission.personalToken.includes('read_api'))
  ) {
    if (admission.personalToken.some((scope) => credential.scopes.includes(scope))) return;
    throw new InsufficientScope(admission.personalToken);
  }
  if (credential.kind !== 'session') throw new Forbidden('A token can’t do this; it needs a person who is signed in.');
  if (admission.recent && !credential.recent) throw new SignInAgain();
}
