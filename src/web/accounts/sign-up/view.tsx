import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { signInPath } from '../../site/return-to.ts';
import { DecisionLayout } from '../../site/layout/decision-layout.tsx';

export const signUpPath = '/users/sign_up';

interface SignUpProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  /** Whether an administrator approves new accounts. */
  readonly approval: boolean;
  /** What the person typed before. */
  readonly draft: { readonly username: string; readonly name: string; readonly email: string };
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

export function SignUp({ site, csrf, approval, draft, errors }: SignUpProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Register`} load={['password.js']}>
      <h1>Register</h1>
      {approval && <p class="lead">An administrator approves new accounts before they can sign in.</p>}
      {errors && <NotSaved />}
      <Form csrf={csrf} action={signUpPath}>
        <TextField
          name="name"
          label="Name"
          hint="Others see it."
          value={draft.name}
          errors={errors?.name}
          autocomplete="name"
          required
          focused={!errors}
        />
        <TextField
          name="username"
          label="Username"
          hint="Part of the address of your page. Letters, digits, underscore, hyphen and dot."
          value={draft.username}
          errors={errors?.username}
          autocomplete="username"
          technical
          required
        />
        <TextField
          name="email"
          label="E-mail"
          type="email"
          hint="We send a link there to confirm it."
          value={draft.email}
          errors={errors?.email}
          autocomplete="email"
          technical
          required
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          hint="8 to 128 characters, and no common password."
          errors={errors?.password}
          autocomplete="new-password"
          required
        />
        <div class="decision">
          <button class="button primary">Register</button>
          <a href={signInPath}>Sign in instead</a>
        </div>
      </Form>
    </DecisionLayout>
  );
}

/** The page that replaces the registration form where sign-up is disabled. */
export function NoSignUp({ site }: { readonly site: Site }) {
  return (
    <DecisionLayout site={site} title="Registration is closed">
      <h1>Registration is closed</h1>
      <p>Ask an administrator for an account, then sign in.</p>
      <p class="decision">
        <a class="button" href={signInPath}>
          Sign in
        </a>
      </p>
    </DecisionLayout>
  );
}
