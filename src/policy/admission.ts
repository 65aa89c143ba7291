import { Forbidden, InsufficientScope, SignInAgain, Unauthenticated } from '../errors.ts';
import type { Credential, Person, Scope, Viewer } from './viewer.ts';

/**
 * Who may reach a field at all, before anything is looked up.
 *
 * - `token`: any API credential with one of the scopes; what the public endpoint serves.
 * - `session`: a person signed in. No token reaches it, so a stolen one can't mint another; but
 *   for those that say so, which a personal access token reaches over REST.
 * - `client`: an OAuth client, at the endpoints that are made for one.
 */
export type Admission =
  | {
      readonly class: 'token';
      /** One of these is enough; `any` asks for no scope in particular. */
      readonly scopes: readonly Scope[] | 'any';
      /** Public things answer without a credential too. */
      readonly anonymous?: boolean;
      /** An application acting for itself, without a person, may use it. */
      readonly application?: boolean;
    }
  | {
      readonly class: 'session';
      /** Only if the person confirmed their password within the last minutes. */
      readonly recent?: boolean;
      /** Also before anyone signed in: signing in itself. */
      readonly anonymous?: boolean;
      /**
       * A personal access token with one of these scopes reaches it too, through the
       * documented routes of version 4. An OAuth token never does, nor does anyone
       * who acts as another.
       */
      readonly personalToken?: readonly Scope[];
    }
  | { readonly class: 'client' };

/** Every query that asks for no more than reading. */
export const reads: readonly Scope[] = ['api', 'read_api'];
/** Every change. */
export const writes: readonly Scope[] = ['api'];

/**
 * Lets the viewer pass or says why not.
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

/** Whatever a request presented; the operator has passed already. */
type Presented = Exclude<Credential, { kind: 'operator' }> | null;

function admitToken(credential: Presented, person: Person | null, admission: Admission & { class: 'token' }): void {
  if (credential === null || credential.kind === 'client') {
    if (admission.anonymous) return;
    throw new Unauthenticated();
  }
  // A page shows a person whatever they may see.
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
