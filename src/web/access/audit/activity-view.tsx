import { namedIn, sentenceOf, type PersonalEvent } from './sentences.ts';
import { Moment } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager, Table } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';

export const activityPath = '/profile/activity';

export interface OwnEvent extends PersonalEvent {
  readonly at: string;
  readonly scopes: readonly string[];
  /** Null when another person did it; empty for the operator on the gateway's machine. */
  readonly address: string | null;
  readonly count: number;
}

interface ActivityProps {
  readonly site: Site;
  readonly events: readonly OwnEvent[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** The list of a person's own audit events. */
export function Activity({ site, events, pages }: ActivityProps) {
  return (
    <AccountLayout site={site} title="Activity" current={activityPath}>
      <h1>Activity</h1>
      <p class="lead">
        What was done in your name and to your account. If you see something that you didn’t do, change your password.
      </p>
      <Table
        caption="What was done"
        columns={['Event', 'Time', 'IP address']}
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
          addressText(event.address),
        ])}
        empty="No activity yet."
      />
      <Pager of="your activity" {...pages} />
    </AccountLayout>
  );
}

/** The IP address of an event, as far as the person whose activity this is may see it. */
function addressText(address: string | null) {
  if (address === null) return 'Hidden';
  return address === '' ? 'The gateway’s machine' : <code>{address}</code>;
}

/** The sentence of an event. It isolates names that others chose: their text direction can't change the sentence. */
export function Sentence({ event }: { readonly event: PersonalEvent }) {
  return (
    <>
      {sentenceOf(event)
        .split(/(\{\w+\})/)
        .map((part) => (part.startsWith('{') ? <bdi>{namedIn(event, part)}</bdi> : part))}
    </>
  );
}
