import type { Answer } from '../../http/index.ts';
import { readAssets } from '../site/layout/assets.ts';
import { Brand, Document } from '../site/layout/layout.tsx';
import { toAnswer } from '../site/layout/page.ts';
import { sdlPath } from '../site/documents.ts';

/**
 * The GraphiQL page at `/graphql`. GraphiQL posts to the path at which it was opened.
 * @param assetsDir the folder of the built assets
 * @param showsSchema whether clients may read the schema
 */
export function graphiqlPage(assetsDir: string, showsSchema: boolean): Answer {
  const assets = readAssets(assetsDir);
  const page = (
    <Document assets={assets} title="GraphiQL" load={['graphiql.css', 'graphiql.js']}>
      <body class="workbench">
        <a class="skip" href="#graphiql">
          Skip to GraphiQL
        </a>
        <header class="top">
          <h1 class="hidden">GraphiQL</h1>
          <Brand assets={assets} />
          <div id="controls" />
          <div id="explorer" class="explorer" />
          <nav aria-label="Main">
            <a href="/docs">API reference</a>
          </nav>
        </header>
        <main id="graphiql" tabIndex={-1}>
          <noscript>
            <p>
              GraphiQL needs JavaScript.
              {showsSchema && (
                <>
                  {' '}
                  Without JavaScript, read the <a href={sdlPath}>schema as text</a>.
                </>
              )}
            </p>
          </noscript>
        </main>
      </body>
    </Document>
  );
  return toAnswer(page, 200, { scripts: true, requests: true });
}
