import type { ComponentChildren } from 'preact';
import type { AssetName } from './assets.ts';
import { Layout, type Site } from './layout.tsx';

/** One link in the side navigation. */
interface Section {
  readonly path: string;
  readonly label: string;
  /** How many records are waiting there. */
  readonly count?: number;
}

/** Pages of a person's own account. */
const accountSections: readonly Section[] = [
  { path: '/profile', label: 'Profile' },
  { path: '/profile/notifications', label: 'Notifications' },
  { path: '/profile/emails', label: 'E-mails' },
  { path: '/profile/password', label: 'Password' },
  { path: '/profile/second_factor', label: 'Two-factor authentication' },
  { path: '/profile/personal_access_tokens', label: 'Access tokens' },
  { path: '/profile/keys', label: 'SSH keys' },
  { path: '/profile/applications', label: 'Applications' },
  { path: '/profile/authorized_applications', label: 'Authorized applications' },
  { path: '/profile/sessions', label: 'Active sessions' },
  { path: '/profile/activity', label: 'Activity' },
  { path: '/profile/data', label: 'Your data' },
];

/** Pages for administrators. */
const adminSections: readonly Section[] = [
  { path: '/admin', label: 'Instance' },
  { path: '/admin/users', label: 'Users' },
  { path: '/admin/groups', label: 'Groups' },
  { path: '/admin/projects', label: 'Projects' },
  { path: '/admin/applications', label: 'Applications' },
  { path: '/admin/tokens', label: 'Access tokens' },
  { path: '/admin/runners', label: 'Runners' },
  { path: '/admin/audit_log', label: 'Audit log' },
  { path: '/admin/notifications', label: 'Notifications' },
  { path: '/-/mail', label: 'Inbox' },
  { path: '/admin/jobs', label: 'Background jobs' },
  { path: '/admin/settings', label: 'Settings' },
];

interface SectionProps {
  readonly site: Site;
  readonly title: string;
  /** The path of the section that the page belongs to. */
  readonly current: string;
  /** Assets that the page needs besides the common stylesheet. */
  readonly load?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The layout of account pages, with the side navigation. */
export function AccountLayout(props: SectionProps) {
  return <SectionLayout {...props} name="Account" sections={shownOf(props.site, accountSections)} />;
}

/** The layout of administration pages, with the side navigation. */
export function AdminLayout(props: SectionProps) {
  return <SectionLayout {...props} name="Administration" sections={shownOf(props.site, adminSections)} />;
}

/** The sections whose pages exist. */
const shownOf = ({ pages }: Site, sections: readonly Section[]) => sections.filter(({ path }) => pages.has(path));

interface SectionLayoutProps extends SectionProps {
  readonly name: string;
  readonly sections: readonly Section[];
}

/** The layout of pages with a side navigation. */
export function SectionLayout({ name, sections, children, ...page }: SectionLayoutProps) {
  return (
    <Layout {...page} beside={<Sections current={page.current} name={name} sections={sections} />}>
      {children}
    </Layout>
  );
}

/** The side navigation: beside the page on wide screens, a popover without a script on narrow ones. */
function Sections({ current, name, sections }: Pick<SectionLayoutProps, 'current' | 'name' | 'sections'>) {
  const here = sections.find(({ path }) => path === current);
  return (
    <div class="beside">
      <button class="menu-button" popovertarget="sections">
        <span>
          <bdi>{name}</bdi>: {here?.label ?? name}
        </span>
      </button>
      <nav id="sections" class="sections" popover="auto" aria-label={name}>
        <p>
          <bdi>{name}</bdi>
        </p>
        <ul>
          {sections.map(({ path, label, count }) => (
            <li>
              <a href={path} aria-current={path === current ? 'page' : undefined}>
                {label}
                {count !== undefined && (
                  <span class="count">
                    {' '}
                    {count}
                    <span class="hidden"> open</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
