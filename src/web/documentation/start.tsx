import type { ComponentChildren } from 'preact';
import { Layout, type Site } from '../site/layout/layout.tsx';

export const startPath = '/docs/start';

/** The first calls of a developer: a token, pages of a list, errors, paths and limits. */
export function FirstCalls({ site }: { readonly site: Site }) {
  const api = `${site.baseUrl}/api/v4`;
  return (
    <Layout site={site} title="Your first calls" current="/docs" load={['copy.js']}>
      <p class="kind">
        <a href="/docs">API reference</a>
      </p>
      <h1>Your first calls</h1>
      <p class="lead">What every call has in common. The reference says the rest, call by call.</p>

      <h2>Tokens</h2>
      <p>
        <a href="/profile/personal_access_tokens/new">Create a personal access token</a>, and send it as{' '}
        <code>PRIVATE-TOKEN</code> or <code>Authorization: Bearer</code>. <code>read_api</code> reads, <code>api</code>{' '}
        changes too. An application gets a token by OAuth 2.0 at <code>{site.baseUrl}/oauth/authorize</code>.
      </p>
      <Command>{`curl -H "PRIVATE-TOKEN: $TOKEN" ${api}/user`}</Command>

      <h2>Clients</h2>
      <p>Clients that were written for GitLab work unmodified; give them this address.</p>
      <h3>Python: python-gitlab</h3>
      <Command>{`import gitlab
gl = gitlab.Gitlab("${site.baseUrl}", private_token=token)
print([p.path_with_namespace for p in gl.projects.list(membership=True, iterator=True)])`}</Command>
      <h3>JavaScript: gitbeaker</h3>
      <Command>{`import { Gitlab } from '@gitbeaker/rest';
const api = new Gitlab({ host: '${site.baseUrl}', token });
console.log(await api.Issues.all({ projectId: 'demo/storefront', state: 'opened' }));`}</Command>
      <h3>Ruby: gitlab</h3>
      <Command>{`require 'gitlab'
client = Gitlab.client(endpoint: '${api}', private_token: token)
puts client.notification_settings.level`}</Command>

      <h2>Paths of projects, groups and files</h2>
      <p>
        Where an address has an id, the full path works as well, with <code>%2F</code> for each slash. Clients, and the
        fields of the reference, take it plainly and encode it. A path may end in <code>.json</code> after a word or a
        number; names keep it.
      </p>
      <Command>{`curl -H "PRIVATE-TOKEN: $TOKEN" ${api}/projects/demo%2Fstorefront`}</Command>

      <h2>Pages of a list</h2>
      <p>
        A list has 20 records on a page; <code>per_page</code> takes up to 100. Follow <code>Link: …; rel="next"</code>{' '}
        until there is none: it also works where <code>X-Total</code> is left out because counting would cost too much.
        Long lists take <code>pagination=keyset</code>, which costs the same on every page.
      </p>
      <Command>{`curl -i -H "PRIVATE-TOKEN: $TOKEN" "${api}/projects?per_page=50&page=2"`}</Command>

      <h2>Errors</h2>
      <p>
        The status says what kind it is, <code>message</code> or <code>error</code> in the JSON says which: 400 and 422
        for what you sent, 401 for the token, 403 for your role, 404 also for what you may not see, 409 for what another
        request did first. A refused call changes nothing.
      </p>

      <h2>Limits</h2>
      <p>
        Answers of limited calls carry <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and{' '}
        <code>RateLimit-Reset</code>; 429 says in <code>Retry-After</code> how many seconds to wait.
      </p>
    </Layout>
  );
}

const Command = ({ children }: { readonly children: ComponentChildren }) => (
  <pre class="command">
    <code>{children}</code>
  </pre>
);
