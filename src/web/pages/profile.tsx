import { Day } from '../day.tsx';
import { Curl, Layout, type Site } from '../layout.tsx';

/** What people who are signed in see of each other. */
export interface Profiled {
  readonly name: string;
  readonly username: string;
  readonly publicEmail: string | null;
  readonly createdAt: string;
}

/** What everyone sees where a person's profile might be: the same, whether there is one or not. */
export function HiddenProfile({ site }: { readonly site: Site }) {
  return (
    <Layout site={site} title="Profile">
      <h1>Profiles are for people who are signed in</h1>
      <p class="lead">Whether there is an account of this name isn’t told to others.</p>
      <h2>Your own record</h2>
      <p>You can read yours over the API, with a personal access token:</p>
      <Curl url={`${site.baseUrl}/api/v4/user`} />
    </Layout>
  );
}

export function Profile({ site, person }: { readonly site: Site; readonly person: Profiled }) {
  const { name, username, publicEmail, createdAt } = person;
  return (
    <Layout site={site} title={name}>
      <p class="kind">{username === site.visitor?.username ? 'You' : 'Person'}</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <dl class="facts">
        <dt>Username</dt>
        <dd>
          <code>{username}</code>
        </dd>
        {publicEmail && (
          <>
            <dt>E-mail</dt>
            <dd>
              <a href={`mailto:${publicEmail}`}>{publicEmail}</a>
            </dd>
          </>
        )}
        <dt>Since</dt>
        <dd>
          <Day at={createdAt} />
        </dd>
      </dl>
    </Layout>
  );
}
