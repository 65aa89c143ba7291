import { Day } from '../../site/day.tsx';
import type { Site } from '../../site/layout.tsx';
import { Facts } from '../../site/records.tsx';
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
      | 'groups'
      | 'projects'
      | 'applications'
      | 'personalAccessTokens',
      number
    >
  >;
}

const count = (value: number) => value.toLocaleString('en');

/** Counts of what the instance holds, with links to the pages that administer it. */
export function Overview({
  site,
  instance: { setUpAt, counts },
  keepsMail,
}: {
  readonly site: Site;
  readonly instance: InstanceFacts;
  /** Whether messages are kept in the inbox page instead of being sent. */
  readonly keepsMail: boolean;
}) {
  return (
    <AdminLayout site={site} title="Instance" current={overviewPath}>
      <h1>Instance</h1>
      <p class="lead">What this instance holds.</p>
      <Facts
        facts={[
          ['Users', <a href="/admin/users">{count(counts.users)}</a>],
          ['Administrators', <a href="/admin/users?show=administrators">{count(counts.administrators)}</a>],
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
