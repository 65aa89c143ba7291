import type { ComponentChildren } from 'preact';
import type { AssetName } from './assets.ts';
import { TimeZone } from '../records/day.tsx';
import { Form } from '../forms/forms.tsx';
import { OnPage } from '../forms/restored-form.ts';
import { Brand, Document, Foot, type Site } from './layout.tsx';

interface DecisionLayoutProps {
  readonly site: Site;
  readonly title: string;
  readonly first?: AssetName;
  readonly load?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/**
 * The layout of a page that asks for one decision. It has no navigation, and a URL
 * fragment can't focus any element: another site that opens the page must not
 * choose which button a key press activates.
 */
export function DecisionLayout({ site, children, ...document }: DecisionLayoutProps) {
  return (
    <Document assets={site.assets} {...document}>
      <body class="page">
        <header class="top">
          <Brand assets={site.assets} />
        </header>
        <main class="sheet">
          <OnPage.Provider value={site.restoring}>
            <TimeZone.Provider value={site.timeZone}>{children}</TimeZone.Provider>
          </OnPage.Provider>
        </main>
        <Foot site={site} />
      </body>
    </Document>
  );
}

/** Shows who decides, with a button to sign out and use another account. */
export function DecidingAs({ site: { visitor, path } }: { readonly site: Site }) {
  if (!visitor) return null;
  return (
    <div class="deciding">
      <p>
        Signed in as <b>{visitor.username}</b>. Not you?
      </p>
      <Form csrf={visitor.csrf} action="/users/sign_out" carries={{ return_to: path }}>
        <button class="button quiet">Sign out</button>
      </Form>
    </div>
  );
}
