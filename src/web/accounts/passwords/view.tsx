import { AccountName, Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { passwordPath, signInPath } from '../../site/return-to.ts';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { DecisionLayout } from '../../site/layout/decision-layout.tsx';

export const forgottenPath = '/users/password/new';
export const newPasswordPath = '/users/password/edit';

const rule = '8 to 128 characters, and no common password. A few random words are easy to remember and hard to guess.';

type Errors = Readonly<Record<string, readonly string[] | undefined>>;

interface ChangePasswordProps {
  readonly site: Site;
  /** The name and the addresses of the person. */
  readonly known: readonly string[];
  /** In sentences, by field. */
  readonly errors?: Errors;
}

export function ChangePassword({ site, known, errors }: ChangePasswordProps) {
  const { csrf, username } = site.visitor!;
  return (
    <AccountLayout
      site={site}
      title={errors ? 'Error: Password' : 'Password'}
      current={passwordPath}
      load={['password.js']}
    >
      <h1>Password</h1>
      <p class="lead">
        A new password ends your other sessions, and applications have to ask for your permission again.
      </p>
      {errors && <NotSaved />}
      <Form csrf={csrf} action={passwordPath}>
        <AccountName username={username} />
        <TextField
          name="current"
          label="Current password"
          type="password"
          errors={errors?.current}
          autocomplete="current-password"
          required
        />
        <TextField
          name="password"
          label="New password"
          type="password"
          hint={rule}
          errors={errors?.password}
          autocomplete="new-password"
          known={known}
          required
        />
        <div class="decision">
          <button class="button primary">Change the password</button>
          <a href={forgottenPath}>Forgot your password?</a>
        </div>
      </Form>
    </AccountLayout>
  );
}

interface ForgottenProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  /** Whether the gateway sends mail. */
  readonly mail: boolean;
  readonly errors?: readonly string[];
}

export function ForgottenPassword({ site, csrf, mail, errors }: ForgottenProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Reset password`}>
      <h1>Reset password</h1>
      {mail ? (
        <>
          <p>We send a link to choose a new password to the e-mail address of your account. It works for an hour.</p>
          <Form csrf={csrf} action={forgottenPath}>
            <TextField
              name="login"
              label="Username or e-mail"
              errors={errors}
              autocomplete="username"
              technical
              required
              focused
            />
            <div class="decision">
              <button class="button primary">Send the link</button>
              <a href={signInPath}>Cancel</a>
            </div>
          </Form>
        </>
      ) : (
        <>
          <p>This gateway sends no mail. Ask an administrator for a link to choose a new password.</p>
          <p class="decision">
            <a href={signInPath}>Back to sign in</a>
          </p>
        </>
      )}
    </DecisionLayout>
  );
}

interface NewPasswordProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  /** The username of the account that gets the new password. */
  readonly username: string;
  readonly errors?: readonly string[] | undefined;
}

export function NewPassword({ site, csrf, username, errors }: NewPasswordProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Choose a new password`} load={['password.js']}>
      <h1>Choose a new password</h1>
      <p>
        For the account <b>{username}</b>. All its sessions end, and applications have to ask for permission again.
      </p>
      <Form csrf={csrf} action={newPasswordPath}>
        <AccountName username={username} />
        <TextField
          name="password"
          label="New password"
          type="password"
          hint={rule}
          errors={errors}
          autocomplete="new-password"
          required
          focused
        />
        <div class="decision">
          <button class="button primary">Set the password</button>
        </div>
      </Form>
    </DecisionLayout>
  );
}
