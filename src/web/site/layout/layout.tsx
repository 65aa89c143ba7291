import type { ComponentChildren } from 'preact';
import type { AssetName, Assets } from './assets.ts';
import type { Notice } from './notices.ts';
import { TimeZone } from '../records/day.tsx';
import { Form } from '../forms/forms.tsx';
import { OnPage, Sent, type Restoring, type SentForm } from '../forms/restored-form.ts';
import type { CsrfTokens } from '../csrf.ts';
import { comingBackTo, signInPath } from '../return-to.ts';

/** What every page knows about the gateway and its visitor. */
export interface Site {
  readonly assets: Assets;
  /** The gateway's public address, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of the gateway. */
  readonly revision: string;
  /** The paths of all pages. */
  readonly pages: ReadonlySet<string>;
  /** The time zone of the times that it shows: the one that the visitor chose, that of the browser, or that of the instance. */
  readonly timeZone: string;
  /** The person who is signed in. */
  readonly visitor: Visitor | null;
  /** The page's own address, to return to after signing in. */
  readonly path: string;
  /** The group or the project that the page belongs to: what isn’t there or isn’t allowed leads back to it. */
  readonly within?: { readonly name: string; readonly path: string } | undefined;
  /** A message about the action just finished. */
  readonly notice: Notice | null;
  /** What the person typed before they had to sign in. */
  readonly restoring?: Restoring | undefined;
  /** The form that the page answers, if it answers one. */
  readonly sent?: SentForm | undefined;
}

interface Visitor {
  readonly username: string;
  readonly administrator: boolean;
  /** Makes the CSRF tokens of this session's forms. */
  readonly csrf: CsrfTokens;
}

interface DocumentProps {
  readonly assets: Assets;
  readonly title: string;
  /** Assets besides the common stylesheet. */
  readonly load?: readonly AssetName[];
  /** A script that must run before the page is rendered. */
  readonly first?: AssetName;
  readonly children: ComponentChildren;
}

/** The HTML document around the body of every page. */
export function Document({ assets, title, load = [], first, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === 'Causeway' ? title : `${title} · Causeway`}</title>
        <link rel="icon" type="image/svg+xml" href={assets.url('favicon.svg')} />
        <link rel="stylesheet" href={assets.url('site.css')} />
        {first && <script src={assets.url(first)} />}
        {load.map((name) =>
          name.endsWith('.css') ? (
            <link rel="stylesheet" href={assets.url(name)} />
          ) : (
            <script
              defer
              src={assets.url(name)}
              data-judgement={name === 'password.js' ? assets.url('strength.js') : undefined}
            />
          ),
        )}
      </head>
      {children}
    </html>
  );
}

/** The logo and the name, a link to the start page. */
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
  /** The path of the page in the navigation. */
  readonly current?: string;
  /** Whether the page uses the whole width. */
  readonly wide?: boolean;
  /** The side navigation. */
  readonly beside?: ComponentChildren;
}

interface NavigationLink {
  readonly path: string;
  readonly label: string;
  /** Who sees the link; everyone by default. */
  readonly to?: 'signed-in' | 'administrators';
}

const navigation: readonly NavigationLink[] = [
  { path: '/', label: 'Overview', to: 'signed-in' },
  { path: '/explore/projects', label: 'Projects' },
  { path: '/dashboard/issues', label: 'Issues', to: 'signed-in' },
  { path: '/dashboard/merge_requests', label: 'Merge requests', to: 'signed-in' },
  { path: '/dashboard/todos', label: 'To-Do List', to: 'signed-in' },
  { path: '/profile/notifications', label: 'Notifications', to: 'signed-in' },
  { path: '/search', label: 'Search', to: 'signed-in' },
  { path: '/graphql', label: 'GraphiQL' },
  { path: '/docs', label: 'API' },
];

/** Links of the account menu, between the profile and signing out. */
const accountMenu: readonly NavigationLink[] = [
  { path: '/profile', label: 'Account' },
  { path: '/profile/password', label: 'Password' },
  { path: '/profile/second_factor', label: 'Two-factor authentication' },
  { path: '/profile/personal_access_tokens', label: 'Access tokens' },
  { path: '/profile/keys', label: 'SSH keys' },
  { path: '/profile/sessions', label: 'Active sessions' },
  { path: '/dashboard/snippets', label: 'Snippets' },
  { path: '/profile/applications', label: 'Applications' },
  { path: '/profile/authorized_applications', label: 'Authorized applications' },
  { path: '/admin', label: 'Administration', to: 'administrators' },
];

/** The links that this visitor may follow. The link to GraphiQL is always shown: the GraphQL door serves that page. */
const linksFor = ({ visitor, pages }: Site, links: readonly NavigationLink[]) =>
  links.filter(
    ({ path, to }) =>
      (path === '/graphql' || pages.has(path)) &&
      (to === undefined || (to === 'signed-in' ? visitor !== null : visitor?.administrator)),
  );

/** The message about what was just done, if there is one. */
export function NoticeLine({ site: { notice } }: { readonly site: Pick<Site, 'notice'> }) {
  if (!notice) return null;
  return (
    <p class="notice" role="status">
      {notice.says}
      {notice.leadsTo && (
        <>
          {' '}
          <a href={notice.leadsTo.path}>{notice.leadsTo.label}</a>
        </>
      )}
    </p>
  );
}

/** The common layout: a header with navigation, the content, a footer. */
export function Layout({ site, current, wide = false, beside, children, ...document }: LayoutProps) {
  const content = (
    <main id="content" class={wide ? 'wide' : undefined} tabIndex={-1}>
      <NoticeLine site={site} />
      <OnPage.Provider value={site.restoring}>
        <Sent.Provider value={site.sent}>
          <TimeZone.Provider value={site.timeZone}>{children}</TimeZone.Provider>
        </Sent.Provider>
      </OnPage.Provider>
    </main>
  );
  return (
    <Document assets={site.assets} {...document}>
      <body class="page">
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <Brand assets={site.assets} />
          <nav aria-label="Main">
            {linksFor(site, navigation).map(({ path, label }) => (
              <a href={path} aria-current={path === current ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
          <Account site={site} />
        </header>
        {beside ? (
          <div class="sectioned">
            {beside}
            {content}
          </div>
        ) : (
          content
        )}
        <Foot site={site} />
      </body>
    </Document>
  );
}

/** The account menu, which opens without a script; or a link to sign in. */
function Account({ site }: { readonly site: Site }) {
  const { visitor, path: here } = site;
  if (!visitor) {
    return (
      <p class="account">
        <a href={comingBackTo(signInPath, here)}>Sign in</a>
      </p>
    );
  }
  const { username, csrf } = visitor;
  return (
    <div class="account">
      <button class="menu-button" popovertarget="account">
        {username}
      </button>
      <div id="account" class="menu" popover="auto">
        <nav aria-label="Account menu">
          <a href={`/${username}`}>Your page</a>
          {linksFor(site, accountMenu).map(({ path, label }) => (
            <a href={path}>{label}</a>
          ))}
        </nav>
        <Form csrf={csrf} action="/users/sign_out">
          <button class="button quiet">Sign out</button>
        </Form>
      </div>
    </div>
  );
}

/** The footer of every page. */
export function Foot({ site: { revision } }: { readonly site: Site }) {
  return (
    <>
      <Arches />
      <footer>
        <p>Causeway {revision}</p>
      </footer>
    </>
  );
}

/** A row of arches across the page: the causeway. */
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

/** An API call to copy; one click selects all of it. @param token where it is shown anyway */
export function Curl({ url, token = '<your token>' }: { readonly url: string; readonly token?: string }) {
  return (
    <pre class="command">
      <code>{`curl -H "PRIVATE-TOKEN: ${token}" ${url}`}</code>
    </pre>
  );
}
