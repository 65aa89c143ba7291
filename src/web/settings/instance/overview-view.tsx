import type { ComponentChildren } from 'preact';
import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { queuePath } from '../../notifications/sent/view.tsx';
import { Badge, Facts } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { jobsPath } from './jobs-view.tsx';

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
          ['Jobs that wait', <a href={jobsPath}>{count(work.waiting)}</a>],
          ['Messages that wait', <a href={queuePath}>{count(messages.waiting + messages.held)}</a>],
        ]}
      />
      <h2>What it holds</h2>
      <Facts
        facts={[
          ['Users', <a href="/admin/users">{count(counts.users)}</a>],
          ['Administrators', <a href="/admin/users?show=administrators">{count(counts.administrators)}</a>],
          [
            'Without a second factor',
            <a href="/admin/users?show=no_two_factor">{count(counts.withoutSecondFactor)}</a>,
          ],
          counts.blockedUsers > 0 && ['Blocked', <a href="/admin/users?show=blocked">{count(counts.blockedUsers)}</a>],
          counts.unconfirmedUsers > 0 && ['Without a verified e-mail address', count(counts.unconfirmedUsers)],
          ['Groups', <a href="/admin/groups">{count(counts.groups)}</a>],
          ['Projects', <a href="/admin/projects">{count(counts.projects)}</a>],
          ['Applications', <a href="/admin/applications">{count(counts.applications)}</a>],
          ['Active access tokens', <a href="/admin/tokens">{count(counts.personalAccessTokens)}</a>],
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

/** A finding, whose remedy may be a link. */
type Shown = Omit<Finding, 'remedy'> & { readonly remedy: ComponentChildren };

/** What needs a look, the worst first; what is well is folded. */
function Health({ findings, work, messages }: HealthProps) {
  const failures: Shown[] = [
    work.dead > 0 && {
      name: 'jobs',
      says: work.dead === 1 ? 'one failed for good' : `${count(work.dead)} failed for good`,
      remedy: <a href={jobsPath}>See why, and try them again</a>,
    },
    messages.failed > 0 && {
      name: 'messages',
      says: messages.failed === 1 ? 'one couldn’t be sent' : `${count(messages.failed)} couldn’t be sent`,
      remedy: <a href={queuePath}>See why, and send them again</a>,
    },
  ].flatMap((one) => (one ? [{ ...one, status: 'problem' }] : []));
  const faults: Shown[] = [...failures, ...findings.filter(({ status }) => status !== 'ok')].toSorted((one, other) =>
    one.status.localeCompare(other.status),
  );
  const well = findings.filter(({ status }) => status === 'ok');
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      {faults.length === 0 ? (
        <p class="notice">Everything that was checked works.</p>
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
        <summary>What works</summary>
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
