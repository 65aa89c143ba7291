import { Day } from '../day.tsx';
import { Layout, type Site } from '../layout.tsx';

/** What people who are signed in see of each other. */
export interface Profiled {
  readonly name: string;
  readonly username: string;
  readonly publicEmail: string | null;
  readonly createdAt: string;
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
