import { Ago, Day, Moment } from '../../site/records/day.tsx';
import { deviceName } from '../../site/records/device-name.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, DangerZone, Pager, Table } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';

export const sessionsPath = '/profile/sessions';

export interface OwnSession {
  readonly id: number;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** Until when pages of it hold a token. */
  readonly exploresUntil: string | null;
  readonly current: boolean;
}

interface SessionsProps {
  readonly site: Site;
  readonly sessions: readonly OwnSession[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** The viewer's active sessions. */
export function Sessions({ site, sessions, pages }: SessionsProps) {
  return (
    <AccountLayout site={site} title="Active sessions" current={sessionsPath}>
      <h1>Active sessions</h1>
      <p class="lead">
        The browsers in which you are signed in. If you don’t recognize one, end it and change your password.
      </p>
      <Table
        caption="Browsers in which you are signed in"
        columns={['Browser', 'Address', 'Signed in', 'Last used', { hidden: 'Actions' }]}
        rows={sessions.map((session) => [
          <>
            {deviceName(session.userAgent)}
            {session.exploresUntil && (
              <p class="hint">
                Explores the API, until <Moment at={session.exploresUntil} /> at most
              </p>
            )}
          </>,
          <code>{session.address}</code>,
          <Day at={session.createdAt} />,
          <Ago at={session.lastUsedAt} />,
          session.current ? <Current site={site} session={session} /> : <End site={site} session={session} />,
        ])}
        empty="No active sessions."
      />
      <Pager of="sessions" {...pages} labels={['Used later', 'Used earlier']} />
      {(sessions.length > 1 || pages.before !== null) && (
        <p class="decision">
          <a class="button" href={`${sessionsPath}/end_others`}>
            Sign out of all others
          </a>
        </p>
      )}
      <DangerZone title="Sign out everywhere">
        <p>
          Ends every session, this one too, and revokes access of all applications. Your personal access tokens stay
          valid; revoke them one by one.
        </p>
        <a class="button danger" href={`${sessionsPath}/end_all`}>
          Sign out everywhere
        </a>
      </DangerZone>
    </AccountLayout>
  );
}

function End({ site, session: { id, userAgent } }: { readonly site: Site; readonly session: OwnSession }) {
  return (
    <Form csrf={site.visitor!.csrf} action={`${sessionsPath}/${id}/end`}>
      <button class="button quiet">
        End<span class="hidden"> the session of {deviceName(userAgent)}</span>
      </button>
    </Form>
  );
}

function Current({ site, session }: { readonly site: Site; readonly session: OwnSession }) {
  return (
    <>
      <Badge tone="good">This one</Badge>
      {session.exploresUntil && (
        <Form csrf={site.visitor!.csrf} action={`${sessionsPath}/end_exploring`}>
          <button class="button quiet">End exploring</button>
        </Form>
      )}
    </>
  );
}
