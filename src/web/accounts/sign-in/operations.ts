import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { Accepted, Entrance } from './view.tsx';

interface NewSession {
  readonly session: string;
}

/** What a right password leads to: a session, the second step, or the confirmation of the address. */
export interface SignedIn {
  readonly session: string | null;
  readonly pending: string | null;
  readonly unconfirmed: string | null;
  readonly secondFactorDueAt: string | null;
}

/** What the pages of signing in read and change. */
export function signInOperations(schema: GraphQLSchema) {
  const compile = <Data>(source: string) => compileOperation<Data>(schema, source);
  return {
    entrance: compile<{ entrance: Entrance; passkey: string | null }>(
      'query ($browser: String!) { entrance { signUp mail greeting } passkey: passkeySignIn(browser: $browser) }',
    ),
    signIn: compile<{ signIn: SignedIn }>(
      'mutation ($input: SignInInput!) { signIn(input: $input) { session pending unconfirmed secondFactorDueAt } }',
    ),
    byPasskey: compile<{ entered: NewSession }>(
      'mutation ($input: SignInByPasskeyInput!) { entered: signInByPasskey(input: $input) { session } }',
    ),
    pendingSignIn: compile<{ pendingSignIn: Accepted | null }>(
      'query ($pending: String!, $browser: String) { pendingSignIn(pending: $pending, browser: $browser) { app passkeys } }',
    ),
    complete: compile<{ completeSignIn: NewSession }>(
      'mutation ($input: CompleteSignInInput!) { completeSignIn(input: $input) { session } }',
    ),
    completeByPasskey: compile<{ completeSignIn: NewSession }>(
      'mutation ($input: CompleteSignInByPasskeyInput!) { completeSignIn: completeSignInByPasskey(input: $input) { session } }',
    ),
    ownFactors: compile<{ secondFactor: object | null; passkey: string | null }>(
      'query { secondFactor { app } passkey: passkeyConfirmation }',
    ),
    confirm: compile<{ confirmed: NewSession }>(
      'mutation ($input: ConfirmPasswordInput!) { confirmed: confirmPassword(input: $input) { session } }',
    ),
    confirmCode: compile<{ confirmed: NewSession }>(
      'mutation ($input: ConfirmCodeInput!) { confirmed: confirmCode(input: $input) { session } }',
    ),
    confirmPasskey: compile<{ confirmed: NewSession }>(
      'mutation ($input: ConfirmPasskeyInput!) { confirmed: confirmPasskey(input: $input) { session } }',
    ),
    signOut: compile<{ signOut: boolean }>('mutation { signOut }'),
  };
}

export type SignInOperations = ReturnType<typeof signInOperations>;
