import { Moment } from '../../site/records/day.tsx';
import { SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { usersPath } from '../../accounts/users/administration-view.tsx';

export const auditLogPath = '/admin/audit_log';
export const auditExportPath = `${auditLogPath}/export`;

export interface LoggedEvent {
  readonly at: string;
  readonly kind: string;
  readonly actorId: number | null;
  readonly actorUsername: string | null;
  readonly userId: number | null;
  readonly username: string | null;
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  readonly scopes: readonly string[];
  readonly address: string;
  readonly detail: string | null;
  readonly count: number;
}

/** The filters, as the query of the address has them. */
interface AuditQuery {
  readonly user: string;
  readonly kind: string;
  readonly since: string;
  readonly until: string;
}

interface AuditLogProps {
  readonly site: Site;
  readonly events: readonly LoggedEvent[];
  readonly query: AuditQuery;
  /** Whether the filter names a username that doesn't exist. */
  readonly unknown: boolean;
  readonly kinds: readonly string[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** A kind as words: `user_blocked` is “User blocked”. */
const kindLabel = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

export function AuditLog({ site, events, query, unknown, kinds, pages }: AuditLogProps) {
  return (
    <AdminLayout site={site} title="Audit log" current={auditLogPath}>
      <h1>Audit log</h1>
      <p class="lead">Sign-ins, what was authorized, issued and revoked, and what administrators did.</p>
      <form class="filters" method="get" action={auditLogPath}>
        <TextField
          name="user"
          label="Username"
          value={query.user}
          errors={unknown ? ['No user has this username.'] : []}
          technical
        />
        <SelectField
          name="kind"
          label="Event"
          value={query.kind}
          options={[{ value: '', label: 'All' }, ...kinds.map((kind) => ({ value: kind, label: kindLabel(kind) }))]}
        />
        <TextField name="since" label="From" type="date" value={query.since} />
        <TextField name="until" label="Until" type="date" value={query.until} />
        <button class="button">Show</button>
        <button class="button" formaction={auditExportPath}>
          Save as CSV
        </button>
      </form>
      <Table
        caption="Events"
        columns={['Event', 'By', 'About', 'Time']}
        rows={events.map((event) => [
          <>
            {kindLabel(event.kind)}
            {event.count > 1 && ` (${event.count} times)`}
            {event.detail && (
              <>
                <br />
                <bdi>{event.detail}</bdi>
              </>
            )}
            {event.scopes.length > 0 && (
              <>
                <br />
                <code>{event.scopes.join(' ')}</code>
              </>
            )}
          </>,
          <>
            <UserLink
              id={event.actorId}
              username={event.actorUsername}
              otherwise={event.address === '' ? 'The operator' : 'Unknown'}
            />
            {event.address !== '' && (
              <>
                <br />
                <code>{event.address}</code>
              </>
            )}
          </>,
          <>
            <UserLink id={event.userId} username={event.username} otherwise={event.applicationId === null ? '–' : ''} />
            {event.userId !== null && event.applicationId !== null && <br />}
            <ApplicationLink id={event.applicationId} name={event.applicationName} />
          </>,
          <Moment at={event.at} />,
        ])}
        empty="No events match."
      />
      <Pager of="the audit log" {...pages} />
    </AdminLayout>
  );
}

/** A user of an event. Events outlive users: a deleted one is shown by its id. */
function UserLink({
  id,
  username,
  otherwise,
}: {
  readonly id: number | null;
  readonly username: string | null;
  readonly otherwise: string;
}) {
  if (id === null) return otherwise ? <>{otherwise}</> : null;
  return username === null ? <>Former user {id}</> : <a href={`${usersPath}/${id}`}>{username}</a>;
}

/** An application of an event. A deleted one is shown by its id. */
function ApplicationLink({ id, name }: { readonly id: number | null; readonly name: string | null }) {
  if (id === null) return null;
  if (name === null) return <>Former application {id}</>;
  return (
    <a href={`/admin/applications/${id}`}>
      <bdi>{name}</bdi>
    </a>
  );
}
