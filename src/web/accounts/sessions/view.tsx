import { Day, Moment } from '../../site/day.tsx';
import { deviceName } from '../../site/device-name.ts';
import { Form } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { Badge, DangerZone, Table } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';

export const sessionsPath = '/profile/sessions';

export interface OwnSession {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly current: boolean;
}

/** Where a person is signed in. */
export function Sessions({ site, sessions }: { readonly site: Site; readonly sessions: readonly OwnSession[] }) {
  return (
    <AccountLayout site={site} title="Sessions" current={sessionsPath}>
      <h1>Sessions</h1>
      <p class="lead">
        The browsers in which you are signed in. If you don’t know one, sign out there and change your password.
      </p>
      <Table
        caption="Browsers in which you are signed in"
        columns={['Browser', 'Address', 'Since', 'Last used', { hidden: 'What you can do' }]}
        rows={sessions.map((session) => [
          deviceName(session.userAgent),
          <code>{session.address}</code>,
          <Day at={session.createdAt} />,
          <Moment at={session.lastUsedAt} />,
          session.current ? <Badge tone="good">This one</Badge> : <End site={site} session={session} />,
        ])}
        empty="There are none."
      />
      {sessions.length > 1 && (
        <p class="decision">
          <a class="button" href={`${sessionsPath}/end_others`}>
            Sign out of all others
          </a>
        </p>
      )}
      <DangerZone title="Sign out everywhere">
        <p>
          Ends every session, this one too, and takes back what you allowed applications. Your personal access tokens
          live on; revoke them one by one.
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
