import { namedIn, sentenceOf, type Happened } from './sentences.ts';
import { Moment } from '../../site/day.tsx';
import type { Site } from '../../site/layout.tsx';
import { Pager, Table } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';

export const activityPath = '/profile/activity';

export interface OwnEvent extends Happened {
  readonly at: string;
  readonly scopes: readonly string[];
  /** Null where another person did it. */
  readonly address: string | null;
  readonly count: number;
}

interface ActivityProps {
  readonly site: Site;
  readonly events: readonly OwnEvent[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** What was done by a person and to them. */
export function Activity({ site, events, pages }: ActivityProps) {
  return (
    <AccountLayout site={site} title="Activity" current={activityPath}>
      <h1>Activity</h1>
      <p class="lead">What was done in your name and to your account. If something wasn’t you, change your password.</p>
      <Table
        caption="What was done"
        columns={['What', 'When', 'From']}
        rows={events.map((event) => [
          <span class="happened">
            <Sentence event={event} />
            {event.count > 1 && ` ${event.count} times within a minute.`}
            {event.scopes.length > 0 && (
              <>
                {' '}
                <code>{event.scopes.join(' ')}</code>
              </>
            )}
          </span>,
          <Moment at={event.at} />,
          whence(event.address),
        ])}
        empty="Nothing yet."
      />
      <Pager of="your activity" {...pages} />
    </AccountLayout>
  );
}

/** From where something was done. */
function whence(address: string | null) {
  if (address === null) return 'Not yours to know';
  return address === '' ? 'The gateway’s own machine' : <code>{address}</code>;
}

/** What an event was, with the names that others chose kept apart. */
export function Sentence({ event }: { readonly event: Happened }) {
  return (
    <>
      {sentenceOf(event)
        .split(/(\{\w+\})/)
        .map((part) => (part.startsWith('{') ? <bdi>{namedIn(event, part)}</bdi> : part))}
    </>
  );
}
