import * as fc from 'fast-check';
import { callback, everyGrant } from '../../support/oauth/oauth.ts';
import type { Application } from './model.ts';

/** What a command is about. It is chosen by a number, counted from the latest one back. */

export type Chosen<A> = A extends fc.Arbitrary<infer Choice> ? Choice : never;

export const latest = <T>(list: readonly T[], back: number): T => list[list.length - 1 - (back % list.length)]!;

/** Of those that something can still come of, unless there are none, or it is one of the few times when any will do. */
export function promising<T>(list: readonly T[], back: number, isPromising: (one: T) => boolean): T {
  const some = back % 4 === 3 ? [] : list.filter(isPromising);
  return latest(some.length > 0 ? some : list, back);
}

/** How far back: the latest mostly. */
export const back = fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 2, arbitrary: fc.nat(40) });

export const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
export const commonly = mostly(true, false);
export const rarely = mostly(false, true);

export const redirectUris = [callback, `${callback}/other`];
export const redirectUriLists = [redirectUris, redirectUris.slice(0, 1), redirectUris.toReversed()];
export const applicationScopes = ['api', 'read_user', 'profile', 'sudo'];
export const scopes = fc.oneof(
  { weight: 12, arbitrary: fc.shuffledSubarray(applicationScopes, { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant<string[]>(['api', 'email']) },
);

export const grantsOf = ({ confidential, refreshes }: Pick<Application, 'confidential' | 'refreshes'>) =>
  everyGrant.filter(
    (grant) => (grant !== 'client_credentials' || confidential) && (grant !== 'refresh_token' || refreshes),
  );

export const isThere = ({ deleted }: Application) => !deleted;
