import type { ComponentChildren } from 'preact';
import { Layout, type Site } from '../site/layout/layout.tsx';
import { Badge } from '../site/records/records.tsx';

/** One change between version 3 and version 4, and the call that replaces the old one. */
export interface Migration {
  readonly subject: string;
  readonly title: string;
  readonly since: string;
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** The status of the answer to the old call; omitted if the call still works but behaves differently. */
  readonly refused?: number;
  /** The parameters that changed. */
  readonly parameters?: readonly string[];
  /** What else to do. */
  readonly says?: string;
  /** The hint in the answer to the old call. */
  readonly hint: string;
  readonly served: boolean;
}

interface MigrationGuideProps {
  readonly site: Site;
  readonly migrations: readonly Migration[];
  /** The subjects in the order of the guide. */
  readonly subjects: readonly string[];
}

/** The migration guide, for developers of clients that were written for version 3. */
export function MigrationGuide({ site, migrations, subjects }: MigrationGuideProps) {
  const served = migrations.filter((one) => one.served).length;
  return (
    <Layout site={site} title="Migrate from version 3 to version 4" current="/docs" load={['copy.js']}>
      <h1>Migrate from version 3 to version 4</h1>
      <p class="lead">
        Version 3 of the API was removed. Most calls work unchanged below <code>/api/v4</code>. This page lists every
        call that changed, and what to call now.
      </p>

      <h2>In four steps</h2>
      <ol>
        <li>
          Replace <code>/api/v3</code> by <code>/api/v4</code>. Credentials stay the same: <code>PRIVATE-TOKEN</code> or{' '}
          <code>Authorization: Bearer</code>.
        </li>
        <li>
          Run your client and look for 4xx answers. The answer to a removed or renamed call has a <code>hint</code> that
          names the new call.
        </li>
        <li>
          Look for the header <code>X-Causeway-Hint</code>. It is in the answer to a call with a removed parameter. The
          parameter has no effect; the header says what replaces it.
        </li>
        <li>Read the list below for changes that no answer shows: removed fields, and lists with other content.</li>
      </ol>
      <p>Calls to version 3 get the same hints:</p>
      <pre class="command">
        <code>{`curl -i -X DELETE ${site.baseUrl}/api/v3/projects/1/star

HTTP/1.1 410 Gone
Link: </api/v4/projects/1/unstar>; rel="successor-version"

{"error":"API V3 is no longer supported. Use API V4 instead.","hint":"${migrations.find(({ old }) => old.includes('DELETE /projects/:id/star'))?.hint}"}`}</code>
      </pre>
      <p>
        The <code>Link</code> names the new call, the same path if nothing changed, or <code>/api/v4</code> if this
        gateway doesn’t have the call. The answer to a request with a removed parameter:
      </p>
      <pre class="command">
        <code>{`curl -i -X PUT ${site.baseUrl}/api/v4/projects/1 --header 'PRIVATE-TOKEN: …' --data 'name=Shop&public=true'

HTTP/1.1 200 OK
X-Causeway-Hint: ${migrations.find(({ parameters }) => parameters?.includes('public'))?.hint}`}</code>
      </pre>

      <h2>All changes</h2>
      <p>
        Paths on the left are below <code>/api/v3</code>, those on the right below <code>/api/v4</code>. This gateway
        serves the new calls of{' '}
        {served === migrations.length
          ? `all ${served} changes.`
          : `${served} of the ${migrations.length} changes; the others are marked.`}
      </p>
      <ul>
        {subjects.map((subject) => (
          <li>
            <a href={`#${anchor(subject)}`}>{subject}</a>
          </li>
        ))}
      </ul>
      {subjects.map((subject) => (
        <section>
          <h2 id={anchor(subject)}>{subject}</h2>
          <ul class="records changes">
            {migrations
              .filter((one) => one.subject === subject)
              .map((one) => (
                <Change change={one} />
              ))}
          </ul>
        </section>
      ))}
      <p>
        The <a href="/docs">API reference</a> has the parameters and answers of each call.
      </p>
    </Layout>
  );
}

function Change({ change: { title, since, old, now, refused, says, served } }: { readonly change: Migration }) {
  return (
    <li>
      <h3>
        <Words text={title} />
      </h3>
      <p>
        Since {since}.{' '}
        {refused
          ? `The old call answers ${refused}.`
          : old.length > 0 && 'The call still works, but behaves differently.'}{' '}
        {!served && <Badge tone="caution">Not available yet</Badge>}
      </p>
      {old.join() !== now.join() && old.length > 0 && (
        <div class="change">
          <Calls calls={old} />
          <span aria-label="becomes">→</span>
          <Calls calls={now} />
        </div>
      )}
      {says && (
        <p>
          <Words text={says} />
        </p>
      )}
    </li>
  );
}

function Calls({ calls }: { readonly calls: readonly string[] }) {
  return (
    <ul>
      {calls.map((call) => (
        <li>
          <code>{call.replace(/^\* /, 'any ').replace(/:\w+\*$/, '…')}</code>
        </li>
      ))}
    </ul>
  );
}

const anchor = (subject: string) => subject.toLowerCase().replace(/\W+/g, '-');

/** A text in which backquotes mark code. */
function Words({ text }: { readonly text: string }): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
