import { Curl, Layout, type Site } from '../site/layout/layout.tsx';
import { signInPath } from '../site/return-to.ts';
import { sdlPath } from '../site/documents.ts';
import { explorePath } from './explore.tsx';

const doors = [
  {
    path: signInPath,
    name: 'Sign in',
    says: 'See what waits for you, and choose what you get mail about.',
  },
  { path: explorePath('project'), name: 'Projects', says: 'Look through the projects and groups that are public.' },
  {
    path: '/graphql',
    name: 'GraphiQL',
    says: 'Read and change settings in GraphQL, with completion, documentation and examples to start from.',
  },
  {
    path: '/docs',
    name: 'API reference',
    says: 'Every REST call with its parameters and answers. Try them on the page.',
  },
  { path: sdlPath, name: 'GraphQL schema', says: 'The schema definition language, for code generators.' },
  {
    path: '/docs/openapi.json',
    name: 'OpenAPI document',
    says: 'The REST interface in OpenAPI 3.1, for clients and gateways.',
  },
];

/** The start page for anonymous visitors. */
export function Home({ site }: { readonly site: Site }) {
  return (
    <Layout site={site} title="Causeway" current="/" load={['copy.js']}>
      <h1>This is Causeway</h1>
      <p class="lead">
        An OAuth 2.0 provider that keeps people’s notification settings and projects’ error tracking settings, with what
        they govern: issues, git repositories, merge requests, pipelines and mail. It serves them over GitLab’s API
        version 4 and over GraphQL; both use one schema and the same rules.
      </p>

      <h2>What you can open</h2>
      <ul class="doors">
        {doors
          .filter(({ path }) => path !== sdlPath || site.pages.has(path))
          .map(({ path, name, says }) => (
            <li>
              <a href={path}>{name}</a>
              <p>{says}</p>
            </li>
          ))}
      </ul>

      <h2>Call the API</h2>
      <p>
        You need a personal access token; the gateway printed one when it first started. This call reads your global
        notification settings:
      </p>
      <Curl url={`${site.baseUrl}/api/v4/notification_settings`} />
    </Layout>
  );
}
