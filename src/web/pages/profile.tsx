import { Curl, Layout, type Site } from '../layout.tsx';

/** What everyone sees where a person's profile might be: the same, whether there is one or not. */
export function Profile({ site }: { readonly site: Site }) {
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
