import type { ComponentChildren } from 'preact';
import { Layout, type Site } from '../site/layout.tsx';
import { Badge } from '../site/records.tsx';

/** A line of the guide: what changed between version 3 and version 4, and what to call now. */
export interface Migration {
  readonly subject: string;
  readonly title: string;
  readonly since: string;
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** The status with which the old call is refused; left out where it is answered, in another way. */
  readonly refused?: number;
  /** The parameters that it is about. */
  readonly parameters?: readonly string[];
  /** What to do, where the new call doesn't say it. */
  readonly says?: string;
  /** What a client is told that makes the old call. */
  readonly hint: string;
  readonly served: boolean;
}

interface MigrationGuideProps {
  readonly site: Site;
  readonly migrations: readonly Migration[];
  /** The order in which the guide has its subjects. */
  readonly subjects: readonly string[];
}

/** For people whose clients were written for version 3. */
export function MigrationGuide({ site, migrations, subjects }: MigrationGuideProps) {
  const served = migrations.filter((one) => one.served).length;
  return (
    <Layout site={site} title="From version 3 to version 4" current="/docs">
      <h1>From version 3 to version 4</h1>
      <p class="lead">
        Version 3 of the API is gone. Most calls are the same below <code>/api/v4</code>; this is every one that isn’t,
        and what to do instead.
      </p>

      <h2>In four steps</h2>
      <ol>
        <li>
          Replace <code>/api/v3</code> by <code>/api/v4</code>. Credentials stay as they are: <code>PRIVATE-TOKEN</code>
          , or <code>Authorization: Bearer</code>.
        </li>
        <li>
          Run your client and look for 4xx answers. A call that was removed or renamed is answered with a{' '}
          <code>hint</code>, which names the new one.
        </li>
        <li>
          Look for the header <code>X-Causeway-Hint</code>. A call that is answered although it carries a removed
          parameter has it: the answer doesn’t depend on that parameter any more, and the header says what took its
          place.
        </li>
        <li>Read on below for what no answer can say: fields that are gone, and lists that hold something else.</li>
      </ol>
      <p>An old client is told the same while it still asks for version 3:</p>
      <pre class="command">
        <code>{`curl -i -X DELETE ${site.baseUrl}/api/v3/projects/1/star

HTTP/1.1 410 Gone
Link: </api/v4/projects/1/unstar>; rel="successor-version"

{"error":"API V3 is no longer supported. Use API V4 instead.","hint":"${migrations.find(({ old }) => old.includes('DELETE /projects/:id/star'))?.hint}"}`}</code>
      </pre>
      <p>
        The <code>Link</code> leads to what the hint names, to the same path where nothing changed, and to{' '}
        <code>/api/v4</code> where this gateway has no such call. A request with a removed parameter is answered like
        this:
      </p>
      <pre class="command">
        <code>{`curl -i -X PUT ${site.baseUrl}/api/v4/projects/1 --header 'PRIVATE-TOKEN: …' --data 'name=Shop&public=true'

HTTP/1.1 200 OK
X-Causeway-Hint: ${migrations.find(({ parameters }) => parameters?.includes('public'))?.hint}`}</code>
      </pre>

      <h2>Every change</h2>
      <p>
        Paths on the left are below <code>/api/v3</code>, those on the right below <code>/api/v4</code>. Of{' '}
        {migrations.length} changes this gateway serves what is new in {served}; the others say so here, and in their
        hints.
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
        What each new call takes and answers is in the <a href="/docs">API reference</a>.
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
          : old.length > 0 && 'The call answers, in another way than before.'}{' '}
        {!served && <Badge tone="caution">Not served here yet</Badge>}
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

/** A text in which what stands between backquotes is code. */
function Words({ text }: { readonly text: string }): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
