import type { ComponentChildren } from 'preact';
import type { AssetName, Assets } from './assets.ts';

/** What every page knows of the gateway that it belongs to. */
export interface Site {
  readonly assets: Assets;
  /** Where people and clients reach the gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of the gateway. */
  readonly revision: string;
}

interface DocumentProps {
  readonly assets: Assets;
  readonly title: string;
  /** What the page needs besides the common stylesheet. */
  readonly load?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The frame of every HTML document, whatever its body looks like. */
export function Document({ assets, title, load = [], children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === 'Causeway' ? title : `${title} · Causeway`}</title>
        <link rel="icon" type="image/svg+xml" href={assets.url('favicon.svg')} />
        <link rel="stylesheet" href={assets.url('site.css')} />
        {load.map((name) =>
          name.endsWith('.css') ? <link rel="stylesheet" href={assets.url(name)} /> : <script defer src={assets.url(name)} />,
        )}
      </head>
      {children}
    </html>
  );
}

/** The mark and the name, which lead to the start page from everywhere. */
export function Brand({ assets }: { readonly assets: Assets }) {
  return (
    <a class="brand" href="/">
      <img src={assets.url('favicon.svg')} alt="" width="28" height="28" />
      Causeway
    </a>
  );
}

interface LayoutProps extends Omit<DocumentProps, 'assets'> {
  readonly site: Site;
  /** The path of the page, where the navigation has it. */
  readonly current?: string;
  /** For pages that need the whole width. */
  readonly wide?: boolean;
}

const navigation = [
  { path: '/graphql', label: 'GraphiQL' },
  { path: '/docs', label: 'API reference' },
];

/** The shape of a page: a header with the way around, the content, a footer. */
export function Layout({ site: { assets, revision }, current, wide = false, children, ...document }: LayoutProps) {
  return (
    <Document assets={assets} {...document}>
      <body class="page">
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <Brand assets={assets} />
          <nav aria-label="Main">
            {navigation.map(({ path, label }) => (
              <a href={path} aria-current={path === current ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        </header>
        <main id="content" class={wide ? 'wide' : undefined} tabIndex={-1}>
          {children}
        </main>
        <Arches />
        <footer>
          <p>Causeway {revision}</p>
        </footer>
      </body>
    </Document>
  );
}

/** The causeway itself, which crosses the page. */
function Arches() {
  return (
    <svg class="arches" aria-hidden="true" width="100%" height="32">
      <pattern id="arch" width="96" height="32" patternUnits="userSpaceOnUse">
        <path d="M0 0h96v32h-6a42 25 0 0 0-84 0H0z" fill="currentColor" />
      </pattern>
      <rect width="100%" height="32" fill="url(#arch)" />
    </svg>
  );
}

/** A call of the API to copy; one click selects all of it. */
export function Curl({ url }: { readonly url: string }) {
  return (
    <pre class="command">
      <code>{`curl -H "PRIVATE-TOKEN: <your token>" ${url}`}</code>
    </pre>
  );
}
