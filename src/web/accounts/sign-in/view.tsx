import { Form, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { confirmPath, secondStepPath, signInPath } from '../../site/return-to.ts';
import { DecisionLayout } from '../../site/decision-layout.tsx';

/** What there is for people who aren't signed in. */
export interface Entrance {
  readonly signUp: boolean;
  readonly mail: boolean;
  /** What the instance says to them. */
  readonly greeting: string | null;
}

interface SignInProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly returnTo: string;
  readonly offered: Entrance;
  /** As it was typed before. */
  readonly login?: string;
  readonly errors?: { readonly login?: readonly string[]; readonly password?: readonly string[] };
}

export function SignIn({ site, csrf, returnTo, offered, login = '', errors = {} }: SignInProps) {
  return (
    <DecisionLayout site={site} title={`${errors.login || errors.password ? 'Error: ' : ''}Sign in`}>
      <h1>Sign in</h1>
      {site.notice && (
        <p class="notice" role="status">
          {site.notice}
        </p>
      )}
      {offered.greeting && <p class="lead">{offered.greeting}</p>}
      {returnTo.startsWith('/oauth/') && <p>Then you can decide what an application asks of you.</p>}
      <Form csrf={csrf} action={signInPath} carries={{ return_to: returnTo }}>
        <TextField
          name="login"
          label="Username or e-mail"
          value={login}
          errors={errors.login}
          autocomplete="username"
          technical
          required
          focused={!errors.password}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          errors={errors.password}
          autocomplete="current-password"
          required
          focused={errors.password !== undefined}
        />
        <div class="decision">
          <button class="button primary">Sign in</button>
          <a href="/users/password/new">Forgot your password?</a>
        </div>
      </Form>
      {offered.signUp && (
        <p class="aside">
          New here? <a href="/users/sign_up">Make an account</a>
        </p>
      )}
    </DecisionLayout>
  );
}

interface SecondStepProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly returnTo: string;
  readonly errors: readonly string[] | undefined;
}

/** After a right password, for those with a second factor. */
export function SecondStep({ site, csrf, returnTo, errors }: SecondStepProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Second factor`}>
      <h1>Second factor</h1>
      <Form csrf={csrf} action={secondStepPath} carries={{ return_to: returnTo }}>
        <TextField
          name="code"
          label="Code"
          hint="The six digits that your authenticator shows now. Without your phone, one of your recovery codes."
          errors={errors}
          autocomplete="one-time-code"
          technical
          required
          focused
        />
        <div class="decision">
          <button class="button primary">Go on</button>
          <a href={signInPath}>Cancel</a>
        </div>
      </Form>
      <p class="aside">Lost both? An administrator can turn your second factor off.</p>
    </DecisionLayout>
  );
}

interface ConfirmIdentityProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly username: string;
  readonly returnTo: string;
  /** Whether a code of the second factor is as good. */
  readonly withCode: boolean;
  readonly errors: { readonly password?: readonly string[]; readonly code?: readonly string[] } | undefined;
}

/** For what grants power, some time after the sign-in. */
export function ConfirmIdentity({ site, csrf, username, returnTo, withCode, errors = {} }: ConfirmIdentityProps) {
  const wrong = errors.password ?? errors.code;
  return (
    <DecisionLayout site={site} title={`${wrong ? 'Error: ' : ''}Confirm it’s you`}>
      <h1>Confirm it’s you</h1>
      <p>
        What comes next needs your password{withCode && ' or a code of your second factor'}, <b>{username}</b>, since
        you gave it some time ago.
      </p>
      <Form csrf={csrf} action={confirmPath} carries={{ return_to: returnTo }}>
        <input
          class="hidden"
          name="username"
          value={username}
          autocomplete="username"
          tabIndex={-1}
          aria-hidden="true"
          readOnly
        />
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
            hint="Of your authenticator; or a recovery code, which is spent then."
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
    </DecisionLayout>
  );
}
