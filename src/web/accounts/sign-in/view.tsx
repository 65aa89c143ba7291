import { AccountName, Form, TextField } from '../../site/forms/forms.tsx';
import { PasskeyForm, PasskeysNeedScript } from '../../site/forms/passkey-form.tsx';
import { NoticeLine, type Site } from '../../site/layout/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { confirmPath, secondStepPath, signInPath } from '../../site/return-to.ts';
import { DecisionLayout } from '../../site/layout/decision-layout.tsx';

/** What the instance offers to anonymous visitors. */
export interface Entrance {
  readonly signUp: boolean;
  readonly mail: boolean;
  /** The message on the sign-in page. */
  readonly greeting: string | null;
}

interface SignInProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly returnTo: string;
  readonly offered: Entrance;
  /** What the person typed before. */
  readonly login?: string;
  readonly errors?: SignInErrors | undefined;
  /** Options to use a passkey, as JSON; null where there are none. */
  readonly passkey: string | null;
}

export interface SignInErrors {
  readonly login?: readonly string[];
  readonly password?: readonly string[];
  readonly passkey?: readonly string[];
}

export function SignIn({ site, csrf, returnTo, offered, login = '', errors, passkey }: SignInProps) {
  return (
    <DecisionLayout
      site={site}
      title={`${errors ? 'Error: ' : ''}Sign in`}
      load={passkey ? ['password.js', 'passkey.js'] : ['password.js']}
    >
      <h1>Sign in</h1>
      <NoticeLine site={site} />
      {offered.greeting && <p class="lead">{offered.greeting}</p>}
      {returnTo.startsWith('/oauth/') && <p>Then you can approve or deny the application.</p>}
      <Form csrf={csrf} action={signInPath} carries={{ return_to: returnTo }}>
        <TextField
          name="login"
          label="Username or e-mail"
          value={login}
          errors={errors?.login}
          autocomplete="username"
          technical
          required
          focused={!errors?.password}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          errors={errors?.password}
          autocomplete="current-password"
          required
          focused={errors?.password !== undefined}
        />
        <div class="decision">
          <button class="button primary">Sign in</button>
          <a href="/users/password/new">Forgot your password?</a>
        </div>
      </Form>
      {passkey && (
        <PasskeyForm
          csrf={csrf}
          action={signInPath}
          options={passkey}
          carries={{ return_to: returnTo }}
          errors={errors?.passkey}
        >
          <button class="button wide">Sign in with a passkey</button>
        </PasskeyForm>
      )}
      {offered.signUp && (
        <p class="aside">
          No account yet? <a href="/users/sign_up">Register</a>
        </p>
      )}
    </DecisionLayout>
  );
}

interface SecondStepProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly returnTo: string;
  /** What completes the sign-in, besides a recovery code. */
  readonly accepts: Accepted;
  readonly errors: { readonly code?: readonly string[]; readonly passkey?: readonly string[] } | undefined;
}

/** An authenticator app, and options to use a passkey, as JSON. */
export interface Accepted {
  readonly app: boolean;
  readonly passkeys: string | null;
}

/** The second step of signing in, after the right password. */
export function SecondStep({ site, csrf, returnTo, accepts: { app, passkeys }, errors }: SecondStepProps) {
  return (
    <DecisionLayout
      site={site}
      title={`${errors ? 'Error: ' : ''}Two-factor authentication`}
      load={passkeys ? ['passkey.js'] : []}
    >
      <h1>Two-factor authentication</h1>
      {passkeys && (
        <>
          <PasskeyForm
            csrf={csrf}
            action={secondStepPath}
            options={passkeys}
            carries={{ return_to: returnTo }}
            errors={errors?.passkey}
          >
            <button class="button primary wide">Use a passkey</button>
          </PasskeyForm>
          <PasskeysNeedScript>Your passkey needs a script, and your browser runs none here.</PasskeysNeedScript>
        </>
      )}
      <Form csrf={csrf} action={secondStepPath} carries={{ return_to: returnTo }}>
        <TextField
          name="code"
          label={app ? 'Code' : 'Recovery code'}
          hint={
            app
              ? 'The six digits that your authenticator app shows now. Without your phone, use a recovery code.'
              : 'A recovery code, if you don’t have your passkey.'
          }
          errors={errors?.code}
          autocomplete="one-time-code"
          technical
          required
          focused={!passkeys || errors?.code !== undefined}
        />
        <div class="decision">
          <button class={passkeys ? 'button' : 'button primary'}>Verify code</button>
          <a href={signInPath}>Cancel</a>
        </div>
      </Form>
      <p class="aside">Lost both? An administrator can disable two-factor authentication for you.</p>
    </DecisionLayout>
  );
}

interface ConfirmIdentityProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly username: string;
  readonly returnTo: string;
  /** Whether a code of the second factor is accepted too. */
  readonly withCode: boolean;
  /** Options to use a passkey instead, as JSON; null without one. */
  readonly passkey: string | null;
  readonly errors: Omit<SignInErrors, 'login'> & { readonly code?: readonly string[] };
}

/** Asks for the password again before a sensitive action, some time after the sign-in. */
export function ConfirmIdentity({ site, csrf, username, returnTo, withCode, passkey, errors }: ConfirmIdentityProps) {
  const wrong = errors.password ?? errors.code ?? errors.passkey;
  return (
    <DecisionLayout
      site={site}
      title={`${wrong ? 'Error: ' : ''}Confirm it’s you`}
      load={passkey ? ['password.js', 'passkey.js'] : ['password.js']}
    >
      <h1>Confirm it’s you</h1>
      <p>
        For this action, enter your password{withCode && ' or a two-factor code'} again, <b>{username}</b>.
      </p>
      <Form csrf={csrf} action={confirmPath} carries={{ return_to: returnTo }}>
        <AccountName username={username} />
        <TextField
          name="password"
          label="Password"
          type="password"
          errors={errors.password}
          autocomplete="current-password"
          required={!withCode}
          focused={!errors.code}
        />
        {withCode && (
          <TextField
            name="code"
            label="Or a code"
            hint="From your authenticator app, or a recovery code, which then is used up."
            errors={errors.code}
            autocomplete="one-time-code"
            technical
            focused={errors.code !== undefined}
          />
        )}
        <div class="decision">
          <button class="button primary">Confirm</button>
          <a href="/">Cancel</a>
        </div>
      </Form>
      {passkey && (
        <PasskeyForm
          csrf={csrf}
          action={confirmPath}
          options={passkey}
          carries={{ return_to: returnTo }}
          errors={errors.passkey}
        >
          <button class="button wide">Use a passkey</button>
        </PasskeyForm>
      )}
    </DecisionLayout>
  );
}
