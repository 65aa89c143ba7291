import { Form, NotSaved, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { signInPath } from '../../site/return-to.ts';
import { DecisionLayout } from '../../site/decision-layout.tsx';

export const signUpPath = '/users/sign_up';

interface SignUpProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  /** As they were typed before. */
  readonly draft: { readonly username: string; readonly name: string; readonly email: string };
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

export function SignUp({ site, csrf, draft, errors }: SignUpProps) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Make an account`}>
      <h1>Make an account</h1>
      {errors && <NotSaved />}
      <Form csrf={csrf} action={signUpPath}>
        <TextField
          name="name"
          label="Name"
          hint="As others see it."
          value={draft.name}
          errors={errors?.name}
          autocomplete="name"
          required
          focused={!errors}
        />
        <TextField
          name="username"
          label="Username"
          hint="It stands in the address of your page. Letters, digits, underscore, hyphen and dot."
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
          hint="A message there has the link that confirms it."
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
          <button class="button primary">Make the account</button>
          <a href={signInPath}>Sign in instead</a>
        </div>
      </Form>
    </DecisionLayout>
  );
}

/** Where strangers can't make accounts. */
export function NoSignUp({ site }: { readonly site: Site }) {
  return (
    <DecisionLayout site={site} title="Accounts are made for you">
      <h1>Accounts are made for you</h1>
      <p>An administrator makes accounts here. Ask yours, and sign in with what you get.</p>
      <p class="decision">
        <a class="button" href={signInPath}>
          Sign in
        </a>
      </p>
    </DecisionLayout>
  );
}
