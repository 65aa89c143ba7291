import { Moment } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Pager, Table } from '../../site/records/records.tsx';
import { AccountLayout, AdminLayout } from '../../site/layout/sections.tsx';
import { NotificationTabs } from '../sections.tsx';
import { causeOf, stateOf, toneOf, whyOf } from '../words.ts';

export const sentPath = '/profile/notifications/sent';
export const queuePath = '/admin/notifications';

export interface SentNotification {
  readonly cause: string;
  readonly reason: string | null;
  readonly via: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly createdAt: string;
}

interface Pages {
  readonly before: string | null;
  readonly after: string | null;
}

/** A URL of the gateway as a path: the page may be open under another host name than the gateway's own. */
function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

/** What was sent to a person, and why. */
export function Sent({
  site,
  notifications,
  pages,
}: {
  readonly site: Site;
  readonly notifications: readonly SentNotification[];
  readonly pages: Pages;
}) {
  return (
    <AccountLayout site={site} title="Sent to you" current="/profile/notifications">
      <h1>Notifications</h1>
      <NotificationTabs current={sentPath} />
      <p class="lead">The messages to you, why you get each, and what became of it.</p>
      <Table
        caption="Messages"
        columns={['About', 'Why', 'State', 'When']}
        empty="Nothing was sent to you."
        rows={notifications.map(({ cause, title, url, reason, via, state, outcome, createdAt }) => [
          <>
            {causeOf(cause)}
            {title !== null && url !== null ? (
              <>
                {': '}
                <a href={pathOf(url)}>
                  <bdi>{title}</bdi>
                </a>
              </>
            ) : (
              ' (you can’t see it any more)'
            )}
          </>,
          `Because ${whyOf(reason, via)}`,
          <Badge tone={toneOf(state)}>{stateOf(state, outcome)}</Badge>,
          <Moment at={createdAt} />,
        ])}
      />
      <Pager of="messages" {...pages} />
    </AccountLayout>
  );
}

export type Part = 'waiting' | 'held' | 'failed';
export const parts: readonly Part[] = ['failed', 'held', 'waiting'];

export interface QueuedNotification {
  readonly id: number;
  readonly cause: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly dueAt: string;
  readonly attempts: number | null;
  readonly lastError: string | null;
  readonly address: string | null;
  readonly user: { readonly username: string } | null;
}

interface QueueProps {
  readonly site: Site;
  readonly part: Part;
  readonly counts: Readonly<Record<Part, number>>;
  readonly notifications: readonly QueuedNotification[];
  readonly pages: Pages;
}

const labels: Record<Part, string> = { failed: 'Failed', held: 'Held', waiting: 'Waiting' };

/** The messages that aren't sent, for administrators. It names what they are about only in general. */
export function Queue({ site, part, counts, notifications, pages }: QueueProps) {
  const failed = part === 'failed';
  return (
    <AdminLayout site={site} title="Notifications" current={queuePath}>
      <h1>Notifications</h1>
      <p class="lead">Messages that aren’t sent: those that wait for their turn, are held, or failed.</p>
      <nav class="tabs" aria-label="States">
        {parts.map((one) => (
          <a href={`${queuePath}?part=${one}`} aria-current={one === part ? 'page' : undefined}>
            {labels[one]} <span class="count">{counts[one]}</span>
          </a>
        ))}
      </nav>
      {failed && notifications.length > 0 && (
        <Form csrf={site.visitor!.csrf} action={queuePath}>
          <button class="button">Send all again</button>
        </Form>
      )}
      <Table
        caption="Messages"
        columns={['To', 'About', 'State', failed ? 'Last attempt' : 'Due', ...(failed ? [{ hidden: 'Actions' }] : [])]}
        empty={`No ${part} messages.`}
        rows={notifications.map(({ id, user, address, cause, state, outcome, lastError, attempts, dueAt }) => [
          <>
            <bdi>{user?.username ?? 'No one'}</bdi>
            {address !== null && <> {address}</>}
          </>,
          causeOf(cause),
          <>
            <Badge tone={toneOf(state)}>{stateOf(state, outcome)}</Badge>
            {lastError !== null && (
              <>
                {' '}
                <span class="quoted">{lastError}</span>
              </>
            )}
          </>,
          <>
            <Moment at={dueAt} />
            {attempts ? ` (${attempts === 1 ? 'one attempt' : `${attempts} attempts`})` : ''}
          </>,
          ...(failed
            ? [
                <Form csrf={site.visitor!.csrf} action={queuePath} carries={{ id: String(id) }}>
                  <button class="button">
                    Send again<span class="hidden"> to {user?.username}</span>
                  </button>
                </Form>,
              ]
            : []),
        ])}
      />
      <Pager of="messages" {...pages} />
    </AdminLayout>
  );
}
