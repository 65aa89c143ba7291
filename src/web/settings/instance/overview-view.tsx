import { Day } from '../../site/day.tsx';
import type { Site } from '../../site/layout.tsx';
import { queuePath } from '../../notifications/sent/view.tsx';
import { Badge, Facts } from '../../site/records.tsx';
import { AdminLayout } from '../../site/sections.tsx';

export const overviewPath = '/admin';

export interface InstanceFacts {
  readonly setUpAt: string;
  readonly counts: Readonly<
    Record<
      | 'users'
      | 'blockedUsers'
      | 'administrators'
      | 'unconfirmedUsers'
      | 'withoutSecondFactor'
      | 'groups'
      | 'projects'
      | 'applications'
      | 'personalAccessTokens',
      number
    >
  >;
  readonly day: { readonly signIns: number; readonly refusedSignIns: number };
  readonly work: { readonly waiting: number; readonly dead: number };
  readonly findings: readonly Finding[];
}

/** What a check found. */
interface Finding {
  readonly name: string;
  readonly status: string;
  readonly says: string;
  readonly remedy: string | null;
}

/** The messages that aren’t sent yet. */
export interface Messages {
  readonly waiting: number;
  readonly held: number;
  readonly failed: number;
}

const count = (value: number) => value.toLocaleString('en');

interface OverviewProps {
  readonly site: Site;
  readonly instance: InstanceFacts;
  readonly messages: Messages;
  /** Whether messages are kept in the inbox page instead of being sent. */
  readonly keepsMail: boolean;
}

/** How the instance is, and what it holds, with links to the pages that administer it. */
export function Overview({ site, instance, messages, keepsMail }: OverviewProps) {
  const { setUpAt, counts, day, work } = instance;
  return (
    <AdminLayout site={site} title="Instance" current={overviewPath}>
      <h1>Instance</h1>
      <Health findings={instance.findings} work={work} messages={messages} />
      <h2>The last 24 hours</h2>
      <Facts
        facts={[
          ['Sign-ins', <a href="/admin/audit_log?kind=signed_in">{count(day.signIns)}</a>],
          [
            'Wrong passwords and codes',
            <a href="/admin/audit_log?kind=sign_in_refused">{count(day.refusedSignIns)}</a>,
          ],
          ['Jobs that wait', count(work.waiting)],
          ['Messages that wait', <a href={queuePath}>{count(messages.waiting + messages.held)}</a>],
        ]}
      />
      <h2>What it holds</h2>
      <Facts
        facts={[
          ['Users', <a href="/admin/users">{count(counts.users)}</a>],
          ['Administrators', <a href="/admin/users?show=administrators">{count(counts.administrators)}</a>],
          ['Without a second factor', count(counts.withoutSecondFactor)],
          counts.blockedUsers > 0 && ['Blocked', <a href="/admin/users?show=blocked">{count(counts.blockedUsers)}</a>],
          counts.unconfirmedUsers > 0 && ['Without a verified e-mail address', count(counts.unconfirmedUsers)],
          ['Groups', count(counts.groups)],
          ['Projects', count(counts.projects)],
          ['Applications', <a href="/admin/applications">{count(counts.applications)}</a>],
          ['Active access tokens', count(counts.personalAccessTokens)],
          keepsMail && ['Mail', <a href="/-/mail">Kept in the inbox of this gateway</a>],
          ['URL', <code>{site.baseUrl}</code>],
          ['Version', site.revision],
          ['Created', <Day at={setUpAt} />],
        ]}
      />
    </AdminLayout>
  );
}

interface HealthProps {
  readonly findings: readonly Finding[];
  readonly work: InstanceFacts['work'];
  readonly messages: Messages;
}

/** What needs a look, the worst first; what is well is folded. */
function Health({ findings, work, messages }: HealthProps) {
  const failures: Finding[] = [
    work.dead > 0 && {
      name: 'jobs',
      says: work.dead === 1 ? 'one failed for good' : `${count(work.dead)} failed for good`,
      remedy: 'Run causeway jobs list to see why, and causeway jobs retry to try them again.',
    },
    messages.failed > 0 && {
      name: 'messages',
      says: messages.failed === 1 ? 'one couldn’t be sent' : `${count(messages.failed)} couldn’t be sent`,
      remedy: 'The page of messages says why, and sends them again.',
    },
  ].flatMap((one) => (one ? [{ ...one, status: 'problem' }] : []));
  const faults = [...failures, ...findings.filter(({ status }) => status !== 'ok')].toSorted((one, other) =>
    one.status.localeCompare(other.status),
  );
  const well = findings.filter(({ status }) => status === 'ok');
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      {faults.length === 0 ? (
        <p class="notice">Everything that was checked is well.</p>
      ) : (
        <ul class="records">
          {faults.map(({ name, status, says, remedy }) => (
            <li>
              <Badge tone={status === 'problem' ? 'danger' : 'caution'}>{status}</Badge> <b>{name}</b>: {says}
              <p>{remedy}</p>
            </li>
          ))}
        </ul>
      )}
      <details class="meanings">
        <summary>What is well</summary>
        <dl>
          {well.map(({ name, says }) => (
            <>
              <dt>{name}</dt>
              <dd>{says}</dd>
            </>
          ))}
        </dl>
      </details>
    </section>
  );
}
