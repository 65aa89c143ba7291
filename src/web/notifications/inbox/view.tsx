import { Moment } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Facts, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';

export const inboxPath = '/-/mail';

export interface KeptMail {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
}

export interface WholeMail extends KeptMail {
  readonly headers: readonly string[];
  readonly text: string;
  readonly html: string;
}

/** The messages that were kept because there is no mail server. */
export function Inbox({ site, mails }: { readonly site: Site; readonly mails: readonly KeptMail[] }) {
  return (
    <AdminLayout site={site} title="Inbox" current={inboxPath}>
      <h1>Inbox</h1>
      <p class="lead">
        There is no mail server, so the last 200 messages are kept here for a day. Links that sign in or confirm are
        left out.
      </p>
      <Table
        caption="Messages"
        columns={['Subject', 'To', 'When']}
        empty="No message was written yet."
        rows={mails.map(({ id, subject, recipient, at }) => [
          <a href={`${inboxPath}/${id}`}>
            <bdi>{subject}</bdi>
          </a>,
          <bdi class="address">{recipient}</bdi>,
          <Moment at={at} />,
        ])}
      />
    </AdminLayout>
  );
}

/** Two slashes at the begin would lead to another host. */
const isOwnPath = (path: string) => /^\/(?![/\\])/.test(path);

/** A text with links to pages of the gateway; other addresses stay text. */
function Linked({ site, text }: { readonly site: Site; readonly text: string }) {
  return (
    <>
      {text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part) => {
        const path = part.startsWith(site.baseUrl) ? part.slice(site.baseUrl.length) : '';
        return isOwnPath(path) ? <a href={path}>{part}</a> : part;
      })}
    </>
  );
}

/** `notification NEW_NOTE` as people read it. */
const kindInWords = (kind: string) =>
  kind
    .replace(/^notification /, 'notification: ')
    .replaceAll('_', ' ')
    .toLowerCase();

/** One message: its HTML in a frame that may do nothing, its text, and its headers. */
export function Message({ site, mail }: { readonly site: Site; readonly mail: WholeMail }) {
  const { id, subject, recipient, at, kind, headers, text } = mail;
  return (
    <AdminLayout site={site} title={subject} current={inboxPath}>
      <p>
        <a href={inboxPath}>Inbox</a>
      </p>
      <h1>
        <bdi>{subject}</bdi>
      </h1>
      <Facts
        facts={[
          ['To', <bdi>{recipient}</bdi>],
          ['When', <Moment at={at} />],
          ['Kind', kindInWords(kind)],
        ]}
      />
      <h2>Message</h2>
      <iframe
        class="mail"
        src={`${inboxPath}/${id}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        title="The message as HTML"
      />
      <h2>Text</h2>
      <pre class="mail-text" tabindex={0} aria-label="The message as text">
        <Linked site={site} text={text} />
      </pre>
      {headers.length > 0 && (
        <>
          <h2>Headers</h2>
          <pre class="mail-text" tabindex={0} aria-label="Headers">
            <Linked site={site} text={headers.toSorted().join('\n')} />
          </pre>
        </>
      )}
    </AdminLayout>
  );
}
