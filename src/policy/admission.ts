import { Forbidden, InsufficientScope, SignInAgain, Unauthenticated } from '../errors.ts';
import type { Credential, Person, Scope, Viewer } from './viewer.ts';

/**
 * Which credentials reach a field at all (authorization by credential class), checked before any look-up.
 *
 * - `token`: any API credential with one of the scopes; the fields of the public endpoint.
 * - `session`: a signed-in person. No token reaches it, so that a stolen one can't create another; except
 *   fields with `personalToken`, which a personal access token reaches over REST.
 * - `client`: an OAuth client, at the OAuth endpoints.
 */
export type Admission =
  | {
      readonly class: 'token';
      /** One of these is enough; `any` needs no particular scope. */
      readonly scopes: readonly Scope[] | 'any';
      /** Whether it answers without a credential too. */
      readonly anonymous?: boolean;
      /** Whether an application acting for itself, without a person, may use it. */
      readonly application?: boolean;
    }
  | {
      readonly class: 'session';
      /** Whether the person must have confirmed their identity within the last minutes. */
      readonly recent?: boolean;
      /** Whether it answers before sign-in too: signing in itself. */
      readonly anonymous?: boolean;
      /**
       * A personal access token with one of these scopes reaches it too, through the
       * documented routes of version 4. An OAuth token and sudo never do.
       */
      readonly personalToken?: readonly Scope[];
    }
  | { readonly class: 'client' };

/** Scopes of queries. */
export const reads: readonly Scope[] = ['api', 'read_api'];
/** Scopes of mutations. */
export const writes: readonly Scope[] = ['api'];

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
  }
}

/** The credential of a request; the operator has passed already. */
type Presented = Exclude<Credential, { kind: 'operator' }> | null;

function admitToken(credential: Presented, person: Person | null, admission: Admission & { class: 'token' }): void {
  if (credential === null || credential.kind === 'client') {
    if (admission.anonymous) return;
    throw new Unauthenticated();
  }
  // A page shows a signed-in person everything that they may see.
  if (credential.kind === 'session') return;
  const { scopes } = admission;
  if (scopes !== 'any' && !scopes.some((scope) => credential.scopes.includes(scope)))
    throw new InsufficientScope(scopes);
  if (person === null && !admission.application && !admission.anonymous) throw new Unauthenticated();
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
  if (credential.kind === 'personal' && admission.personalToken) {
    if (admission.personalToken.some((scope) => credential.scopes.includes(scope))) return;
    throw new InsufficientScope(admission.personalToken);
  }
  if (credential.kind !== 'session') throw new Forbidden('A token can’t do this; it needs a person who is signed in.');
  if (admission.recent && !credential.recent) throw new SignInAgain();
}
