import { Form, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { confirmPath, secondStepPath, signInPath } from '../../site/return-to.ts';
import { DecisionLayout } from '../../site/decision-layout.tsx';

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
  readonly errors?: { readonly login?: readonly string[]; readonly password?: readonly string[] };
}

export function SignIn({ site, csrf, returnTo, offered, login = '', errors = {} }: SignInProps) {
  return (
    <DecisionLayout
      site={site}
      title={`${errors.login || errors.password ? 'Error: ' : ''}Sign in`}
      load={['password.js']}
    >
      <h1>Sign in</h1>
      {site.notice && (
        <p class="notice" role="status">
          {site.notice}
        </p>
      )}
      {offered.greeting && <p class="lead">{offered.greeting}</p>}
      {returnTo.startsWith('/oauth/') && <p>Then you can approve or deny the application.</p>}
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
  readonly errors: readonly string[] | undefined;
}

/** The second step of signing in, after the right password. */
export function SecondStep({ site, csrf, returnTo, errors }: SecondStepProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Two-factor authentication`}>
      <h1>Two-factor authentication</h1>
      <Form csrf={csrf} action={secondStepPath} carries={{ return_to: returnTo }}>
        <TextField
          name="code"
          label="Code"
          hint="The six digits that your authenticator app shows now. Without your phone, use a recovery code."
          errors={errors}
          autocomplete="one-time-code"
          technical
          required
          focused
        />
        <div class="decision">
          <button class="button primary">Verify code</button>
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
  readonly errors: { readonly password?: readonly string[]; readonly code?: readonly string[] } | undefined;
}

/** Asks for the password again before a sensitive action, some time after the sign-in. */
export function ConfirmIdentity({ site, csrf, username, returnTo, withCode, errors = {} }: ConfirmIdentityProps) {
  const wrong = errors.password ?? errors.code;
  return (
    <DecisionLayout site={site} title={`${wrong ? 'Error: ' : ''}Confirm it’s you`}>
      <h1>Confirm it’s you</h1>
      <p>
        For this action, enter your password{withCode && ' or a two-factor code'} again, <b>{username}</b>.
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
    </DecisionLayout>
  );
}
