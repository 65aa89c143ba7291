import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { DangerZone } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';

export const dataPath = '/profile/data';
export const deletePath = `${dataPath}/delete`;

/** Export of the viewer's data, and deletion of the account. */
export function PersonalData({ site }: { readonly site: Site }) {
  return (
    <AccountLayout site={site} title="Your data" current={dataPath}>
      <h1>Your data</h1>
      <p class="lead">Download everything that is stored about you, or delete it.</p>

      <h2>Download</h2>
      <p>A JSON file with:</p>
      <ul>
        <li>your account, its e-mail addresses, your namespace and its projects</li>
        <li>the groups and projects that you are a member of, and those that you starred</li>
        <li>every notification setting</li>
        <li>names, scopes and times of your access tokens and applications, and what you authorized</li>
        <li>your sessions with addresses and browsers, and the audit log about you</li>
      </ul>
      <p>It contains no passwords, tokens or other secrets. The file lists what is left out, and why.</p>
      <Form csrf={site.visitor!.csrf} action={dataPath}>
        <div class="decision">
          <button class="button primary">Download my data</button>
        </div>
      </Form>

      <DangerZone title="Delete your account">
        <p>You are signed out everywhere at once, and your data is removed soon after. This can’t be undone.</p>
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
  /** Errors of the field. */
  readonly errors?: readonly string[];
  /** Why the account can't be deleted now. */
  readonly obstacle?: string;
}

/** Asks for the username before the deletion, which can't be undone. */
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
        <li>Your settings, stars and memberships are removed, and so is your namespace with every project in it.</li>
        <li>Your work in groups and projects of others stays there, without your name.</li>
        <li>The audit log keeps events under your user id until they expire.</li>
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
              Type <code>{username}</code> to confirm.
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
