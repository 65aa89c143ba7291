import { Moment } from '../../site/day.tsx';
import { SelectField, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { Pager, Table } from '../../site/records.tsx';
import { AdminLayout } from '../../site/sections.tsx';
import { usersPath } from '../../accounts/users/administration-view.tsx';

export const auditLogPath = '/admin/audit_log';

export interface LoggedEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly actorId: string | null;
  readonly actorUsername: string | null;
  readonly userId: string | null;
  readonly username: string | null;
  readonly applicationId: string | null;
  readonly applicationName: string | null;
  readonly scopes: readonly string[];
  readonly address: string;
  readonly detail: string | null;
  readonly count: number;
}

/** What is asked for, as the address has it. */
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
  /** Whether nobody has the name that was asked for. */
  readonly unknown: boolean;
  readonly kinds: readonly string[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** A kind as words: `user_blocked` is “User blocked”. */
const said = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

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
          errors={unknown ? ['Nobody has this name.'] : []}
          technical
        />
        <SelectField
          name="kind"
          label="What"
          value={query.kind}
          options={[{ value: '', label: 'Everything' }, ...kinds.map((kind) => ({ value: kind, label: said(kind) }))]}
        />
        <TextField name="since" label="From" type="date" value={query.since} />
        <TextField name="until" label="Until" type="date" value={query.until} />
        <button class="button">Show</button>
      </form>
      <Table
        caption="Events"
        columns={['What', 'By', 'About', 'When']}
        rows={events.map((event) => [
          <>
            {said(event.kind)}
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
            <Who
              id={event.actorId}
              username={event.actorUsername}
              otherwise={event.address === '' ? 'The operator' : 'Nobody known'}
            />
            {event.address !== '' && (
              <>
                <br />
                <code>{event.address}</code>
              </>
            )}
          </>,
          <>
            <Who id={event.userId} username={event.username} otherwise={event.applicationId === null ? '–' : ''} />
            {event.userId !== null && event.applicationId !== null && <br />}
            <What id={event.applicationId} name={event.applicationName} />
          </>,
          <Moment at={event.at} />,
        ])}
        empty="Nothing like that was done."
      />
      <Pager of="the audit log" {...pages} />
    </AdminLayout>
  );
}

/** Events outlive people, who are a number then. */
function Who({
  id,
  username,
  otherwise,
}: {
  readonly id: string | null;
  readonly username: string | null;
  readonly otherwise: string;
}) {
  if (id === null) return otherwise ? <>{otherwise}</> : null;
  return username === null ? <>Former user {id}</> : <a href={`${usersPath}/${id}`}>{username}</a>;
}

/** Likewise an application. */
function What({ id, name }: { readonly id: string | null; readonly name: string | null }) {
  if (id === null) return null;
  if (name === null) return <>Former application {id}</>;
  return (
    <a href={`/admin/applications/${id}`}>
      <bdi>{name}</bdi>
    </a>
  );
}
