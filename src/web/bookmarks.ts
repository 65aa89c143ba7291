import { placePath } from './places/place/place.ts';
import type { PlaceRoute } from './places/place/route.ts';
import { seeOther, type PageRoute } from './site/visit.ts';

/**
 * Addresses of pages of GitLab's, each with the page here that shows the same: people have bookmarked them, and clients and
 * manuals link to them. Where a page has GitLab's address, there is nothing to list.
 */
const bookmarks: Readonly<Record<string, string>> = {
  '/explore': '/explore/projects',
  '/explore/projects/starred': '/explore/projects?sort=stars_desc',
  '/public': '/explore/projects',
  '/public/projects': '/explore/projects',
  '/projects': '/explore/projects?scope=mine',
  '/projects/new': '/-/projects/new',
  '/groups': '/explore/groups?scope=mine',
  '/groups/new': '/-/groups/new',
  '/dashboard': '/',
  '/dashboard/projects': '/explore/projects?scope=mine',
  '/dashboard/groups': '/explore/groups?scope=mine',
  '/-/snippets': '/dashboard/snippets',
  '/snippets': '/dashboard/snippets',
  '/help': '/docs',
  '/help/*': '/docs',
  '/activity': '/dashboard/activity',
  ...Object.fromEntries(
    ['projects', 'contributed', 'starred', 'groups'].map((list) => [`/users/:username/${list}`, '/:username']),
  ),
  '/oauth/authorized_applications': '/profile/authorized_applications',
  ...Object.fromEntries(
    ['/-/user_settings/applications', '/-/profile/applications', '/oauth/applications'].flatMap((path) =>
      ['', '/new', '/:id', '/:id/edit'].map((end) => [path + end, `/profile/applications${end}`]),
    ),
  ),
  '/-/profile': '/profile',
  '/-/profile/account': '/profile',
  '/profile/account': '/profile',
  '/-/user_settings/profile': '/profile',
  '/-/profile/preferences': '/profile',
  '/profile/preferences': '/profile',
  '/-/profile/emails': '/profile/emails',
  '/-/profile/keys': '/profile/keys',
  '/-/user_settings/ssh_keys': '/profile/keys',
  '/-/profile/notifications': '/profile/notifications',
  '/-/profile/password/edit': '/profile/password',
  '/-/user_settings/password/edit': '/profile/password',
  '/profile/password/edit': '/profile/password',
  '/-/profile/personal_access_tokens': '/profile/personal_access_tokens',
  '/-/user_settings/personal_access_tokens': '/profile/personal_access_tokens',
  '/-/profile/active_sessions': '/profile/sessions',
  '/-/user_settings/active_sessions': '/profile/sessions',
  '/profile/active_sessions': '/profile/sessions',
  '/-/profile/audit_log': '/profile/activity',
  '/-/user_settings/authentication_log': '/profile/activity',
  '/profile/audit_log': '/profile/activity',
  '/-/profile/two_factor_auth': '/profile/second_factor',
  '/profile/two_factor_auth': '/profile/second_factor',
  '/admin/application_settings': '/admin/settings',
  '/admin/application_settings/general': '/admin/settings',
  '/admin/audit_logs': '/admin/audit_log',
  '/admin/background_jobs': '/admin/jobs',
  '/admin/dashboard': '/admin',
};

/** The redirects from GitLab's addresses. They keep the query, which fills in forms. */
export const bookmarkPages: readonly PageRoute[] = Object.entries(bookmarks).map(([path, to]) => ({
  path,
  name: 'address of GitLab',
  get: ({ exchange: { query }, named }) =>
    seeOther(
      // Escaped again: a name with slashes would lead to another site.
      to.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(named[name]!)) +
        (query && `${to.includes('?') ? '&' : '?'}${query}`),
    ),
}));

/** The same below a project or a group. */
const belowPlaces: readonly (Pick<PlaceRoute, 'of' | 'path'> & { readonly to: string })[] = [
  { of: 'project', path: '/project_members', to: '/members' },
  { of: 'group', path: '/group_members', to: '/members' },
  { of: 'project', path: '/boards', to: '/issues' },
  { of: 'project', path: '/branches/all', to: '/branches' },
  { of: 'project', path: '/branches/active', to: '/branches' },
  { of: 'project', path: '/jobs', to: '/pipelines' },
  { path: '/settings/ci_cd', to: '/variables' },
  { of: 'project', path: '/settings/operations', to: '/settings/error_tracking' },
];

export const placeBookmarks: readonly PlaceRoute[] = belowPlaces.map(({ to, ...address }) => ({
  ...address,
  name: 'address of GitLab',
  get: ({ exchange: { query } }, { kind, fullPath }) =>
    seeOther(`${placePath(kind, fullPath)}/-${to}${query && `?${query}`}`),
}));
