import { Form, TextField } from '../forms.tsx';
import type { Site } from '../layout.tsx';
import type { FormProof } from '../proof.ts';
import { confirmPath, signInPath } from '../return-to.ts';
import { Sheet } from '../sheet.tsx';

interface SignInProps {
  readonly site: Site;
  readonly proof: FormProof;
  readonly returnTo: string;
  /** What the instance says to those who come. */
  readonly greeting: string | null;
  /** As it was typed before. */
  readonly login?: string;
  readonly errors?: { readonly login?: readonly string[]; readonly password?: readonly string[] };
}

export function SignIn({ site, proof, returnTo, greeting, login = '', errors = {} }: SignInProps) {
  return (
    <Sheet site={site} title={`${errors.login || errors.password ? 'Error: ' : ''}Sign in`}>
      <h1>Sign in</h1>
      {site.notice && (
        <p class="notice" role="status">
          {site.notice}
        </p>
      )}
      {greeting && <p class="lead">{greeting}</p>}
      {returnTo.startsWith('/oauth/') && <p>Then you can decide what an application asks of you.</p>}
      <Form proof={proof} action={signInPath} carries={{ return_to: returnTo }}>
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
        </div>
      </Form>
    </Sheet>
  );
}

interface ConfirmPasswordProps {
  readonly site: Site;
  readonly proof: FormProof;
  readonly username: string;
  readonly returnTo: string;
  readonly errors?: readonly string[];
}

/** For what grants power, some time after the sign-in. */
export function ConfirmPassword({ site, proof, username, returnTo, errors }: ConfirmPasswordProps) {
  return (
    <Sheet site={site} title={`${errors ? 'Error: ' : ''}Confirm it’s you`}>
      <h1>Confirm it’s you</h1>
      <p>
        What comes next needs your password, <b>{username}</b>, since you gave it some time ago.
      </p>
      <Form proof={proof} action={confirmPath} carries={{ return_to: returnTo }}>
        <input class="hidden" name="username" value={username} autocomplete="username" tabIndex={-1} aria-hidden="true" readOnly />
        <TextField name="password" label="Password" type="password" errors={errors} autocomplete="current-password" required focused />
        <div class="decision">
          <button class="button primary">Confirm</button>
          <a href="/">Cancel</a>
        </div>
      </Form>
    </Sheet>
  );
}
