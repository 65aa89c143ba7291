import { Forbidden, InsufficientScope, Unauthenticated } from '../errors.ts';
import type { Scope, Viewer } from './viewer.ts';

/**
 * Who may reach a field at all, before anything is looked up.
 *
 * - `token`: any API credential with one of the scopes; what the public endpoint serves.
 * - `session`: a person signed in. No token reaches it, so a stolen one can't mint another.
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
  | { readonly class: 'session' };

/** Every query that asks for no more than reading. */
export const reads: readonly Scope[] = ['api', 'read_api'];
/** Every change. */
export const writes: readonly Scope[] = ['api'];

/**
 * Lets the viewer pass or says why not.
 * @throws Unauthenticated, InsufficientScope, Forbidden
 */
export function admit(viewer: Viewer, admission: Admission): void {
  const { credential } = viewer;
  if (credential?.kind === 'operator') return;
  if (admission.class === 'session') {
    if (credential === null) throw new Unauthenticated();
    throw new Forbidden('A token can’t do this; it needs a person who is signed in.');
  }
  if (credential === null) {
    if (admission.anonymous) return;
    throw new Unauthenticated();
  }
  if (admission.scopes !== 'any' && !admission.scopes.some((scope) => credential.scopes.includes(scope))) {
    throw new InsufficientScope(admission.scopes);
  }
  if (viewer.person === null && !admission.application && !admission.anonymous) throw new Unauthenticated();
}
