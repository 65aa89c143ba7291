import { Form, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { DangerZone } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';

export const dataPath = '/profile/data';
export const deletePath = `${dataPath}/delete`;

/** What is stored about a person: having it, and having it removed. */
export function PersonalData({ site }: { readonly site: Site }) {
  return (
    <AccountLayout site={site} title="Your data" current={dataPath}>
      <h1>Your data</h1>
      <p class="lead">Everything that is stored about you here is yours to have, and to have removed.</p>

      <h2>Download it</h2>
      <p>One JSON file, made at this moment:</p>
      <ul>
        <li>your account, its e-mail addresses and your own place with its projects</li>
        <li>the groups and projects that you are a member of, and those that you starred</li>
        <li>every notification setting</li>
        <li>names, scopes and times of your access tokens and applications, and what you authorized</li>
        <li>your sessions with addresses and browsers, and everything that the audit says about you</li>
      </ul>
      <p>
        No password, token or secret is in it, nor what one could be made of. It says itself what is left out, and why.
      </p>
      <Form csrf={site.visitor!.csrf} action={dataPath}>
        <div class="decision">
          <button class="button primary">Download my data</button>
        </div>
      </Form>

      <DangerZone title="Delete your account">
        <p>Every way in ends at once, and what belongs to you is removed soon after. This can’t be undone.</p>
        <p class="decision">
          <a class="button danger" href={deletePath}>
            Delete my account…
          </a>
        </p>
      </DangerZone>
    </AccountLayout>
  );
}

interface DeleteAccountProps {
  readonly site: Site;
  /** What was wrong with what was typed. */
  readonly errors?: readonly string[];
  /** Why it can't be done as things are. */
  readonly obstacle?: string;
}

/** Asks once more, and for the name, before what can't be undone. */
export function DeleteAccount({ site, errors, obstacle }: DeleteAccountProps) {
  const { username, csrf } = site.visitor!;
  return (
    <AccountLayout site={site} title={`${errors ? 'Error: ' : ''}Delete your account`} current={dataPath}>
      <h1>Delete your account?</h1>
      {obstacle && (
        <p class="warning" role="alert">
          {obstacle}
        </p>
      )}
      <ul>
        <li>You are signed out everywhere, and your access tokens and applications stop working.</li>
        <li>Your settings, stars and memberships are removed, and so is your own place with every project in it.</li>
        <li>What you did in groups and projects of others stays there, without your name.</li>
        <li>The audit keeps what was done, under your number, until its time is over.</li>
      </ul>
      <p>
        This can’t be undone. You may want to <a href={dataPath}>download your data</a> first.
      </p>
      <Form csrf={csrf} action={deletePath}>
        <TextField
          name="username"
          label="Your username"
          hint={
            <>
              Type <code>{username}</code> to say that you mean it.
            </>
          }
          errors={errors}
          autocomplete="off"
          technical
          required
          focused={errors !== undefined}
        />
        <div class="decision">
          <button class="button danger">Delete my account</button>
          <a href={dataPath}>Cancel</a>
        </div>
      </Form>
    </AccountLayout>
  );
}
