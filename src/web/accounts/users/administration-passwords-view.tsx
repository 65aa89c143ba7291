import { Form, NotSaved, Obstacle, TextField } from '../../site/forms/forms.tsx';
import { SecretOnce } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { userPath, usersPath, type AboutUserProps } from './administration-view.tsx';

export function SetPassword({ site, user, errors }: AboutUserProps) {
  const title = `Set a password for ${user.name}`;
  return (
    <AdminLayout site={site} title={errors ? `Error: ${title}` : title} current={usersPath} load={['password.js']}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">Sessions and authorizations of applications end. Personal access tokens stay valid.</p>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={`${userPath(user)}/password`}>
        <TextField
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          known={[user.name, user.username]}
          hint="At least 8 characters, and no common password."
          errors={errors}
          required
        />
        <div class="decision">
          <button class="button primary">Set the password</button>
          <a href={userPath(user)}>Cancel</a>
        </div>
      </Form>
    </AdminLayout>
  );
}

/** A link to choose a new password. One page creates it, the next page shows it once. */
const linkTitle = ({ name }: AboutUserProps['user']) => `Password link for ${name}`;
const linkDescription =
  'The link lets them choose a new password. It works once, within an hour. Give it only to them.';

export function PasswordLink({ site, user, obstacle }: AboutUserProps & { readonly obstacle?: string }) {
  return (
    <AdminLayout site={site} title={linkTitle(user)} current={usersPath}>
      <h1>
        <bdi>{linkTitle(user)}</bdi>
      </h1>
      <p class="lead">{linkDescription}</p>
      {obstacle && <Obstacle tone="warning">{obstacle}</Obstacle>}
      <Form csrf={site.visitor!.csrf} action={`${userPath(user)}/password_link`} once>
        <div class="decision">
          <button class="button primary">Create the link</button>
          <a href={userPath(user)}>Cancel</a>
        </div>
      </Form>
    </AdminLayout>
  );
}

export interface PasswordLinkData {
  readonly user: AboutUserProps['user'];
  readonly url: string;
}

/** Shows the new link, once. */
export function NewPasswordLink({ site, user, url }: PasswordLinkData & { readonly site: Site }) {
  return (
    <AdminLayout site={site} title={linkTitle(user)} current={usersPath} load={['copy.js']}>
      <h1>
        <bdi>{linkTitle(user)}</bdi>
      </h1>
      <p class="lead">{linkDescription}</p>
      <SecretOnce label="the link" value={url} />
      <p class="decision">
        <a class="button primary" href={userPath(user)}>
          I have copied it
        </a>
      </p>
    </AdminLayout>
  );
}
