import { startPath } from './start.tsx';
import { Layout, type Site } from '../site/layout/layout.tsx';

/** The part of the OpenAPI document that the list of routes needs. */
interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
}

interface ReferenceProps {
  readonly site: Site;
  readonly openApi: object;
}

/**
 * The REST reference: a plain list of the routes. With JavaScript, Swagger UI replaces it.
 */
export function Reference({ site, openApi }: ReferenceProps) {
  const tags = byTag(openApi as OpenApiDocument);
  return (
    <Layout site={site} title="API reference" current="/docs" load={['docs.css', 'docs.js']} wide>
      <h1>API reference</h1>
      <p class="lead">
        All REST calls, also as an <a href="/docs/openapi.json">OpenAPI document</a>. For GraphQL, use{' '}
        <a href="/graphql">GraphiQL</a>. Begin with <a href={startPath}>your first calls</a>. For clients of version 3,
        see the <a href="/docs/migration">migration guide</a>.
      </p>
      <div class="docs-bar">
        <div id="explorer" class="explorer" />
        <search id="find-call" class="find-call" hidden>
          <input type="search" aria-label="Find a call" placeholder="Find a call  ( / )" autocomplete="off" />
          <ul aria-label="Calls that match" />
        </search>
      </div>
      <div class="docs-columns">
        <Menu tags={tags.map(([tag]) => tag)} />
        <div id="routes" data-document="/docs/openapi.json">
          {tags.map(([tag, routes]) => (
            <section>
              <h2 id={anchorOf(tag)}>{tag}</h2>
              <dl class="routes">
                {routes.map(({ method, path, summary }) => (
                  <div>
                    <dt>
                      <code>
                        <b>{method}</b> {path}
                      </code>
                    </dt>
                    <dd>{summary}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Layout>
  );
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The subjects of the API, beside the calls; on a phone it is folded. */
function Menu({ tags }: { readonly tags: readonly string[] }) {
  return (
    <nav class="docs-menu" aria-label="Subjects">
      <details>
        <summary>Subjects</summary>
        <ul>
          {tags.map((tag) => (
            <li>
              <a href={`#${anchorOf(tag)}`} data-tag={tag}>
                {tag}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** The routes of each tag, in the order of the document’s tags, as Swagger UI shows them. */
function byTag({ tags: known, paths }: OpenApiDocument): [tag: string, routes: Listed[]][] {
  const groups = new Map<string, Listed[]>(known.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { summary, tags }] of Object.entries(methods)) {
      const tag = tags[0]!;
      groups.get(tag)!.push({ method: method.toUpperCase(), path, summary });
    }
  }
  return [...groups];
}
