import { administrators, type Named, type Stops } from './records.ts';

/** The pages of administrators. */
export const administrationStops: Stops = {
  admin: { at: '/admin', as: administrators },
  'admin-users': { at: '/admin/users', as: administrators },
  'admin-user-new': { at: '/admin/users/new', as: administrators },
  'admin-user': { at: ({ managed }) => `/admin/users/${managed.id}`, as: administrators },
  'admin-user-edit': {
    at: ({ managed }) => `/admin/users/${managed.id}/edit`,
    as: administrators,
  },
  'admin-user-password': {
    at: ({ managed }) => `/admin/users/${managed.id}/password`,
    as: administrators,
  },
  'admin-user-password-link': {
    at: ({ managed }) => `/admin/users/${managed.id}/password_link`,
    as: administrators,
  },
  'admin-link-shown-already': {
    at: '/admin/password_links/long-ago',
    as: administrators,
    status: 410,
  },
  'admin-user-second-factor': {
    at: ({ managed }) => `/admin/users/${managed.id}/second_factor`,
    as: administrators,
  },
  ...Object.fromEntries(
    ['approve', 'reject', 'block', 'unblock', 'ban', 'unban', 'deactivate', 'activate'].map((action): Named => [
      `admin-user-${action}`,
      { at: ({ managed }) => `/admin/users/${managed.id}/${action}`, as: administrators },
    ]),
  ),
  'admin-user-delete': {
    at: ({ managed }) => `/admin/users/${managed.id}/delete`,
    as: administrators,
  },
  'admin-email-verify': {
    at: ({ managed }) => `/admin/users/${managed.id}/emails/${managed.email}/verify`,
    as: administrators,
  },
  'admin-email-remove': {
    at: ({ managed }) => `/admin/users/${managed.id}/emails/${managed.email}/remove`,
    as: administrators,
  },
  'admin-applications': { at: '/admin/applications', as: administrators },
  'admin-groups': { at: '/admin/groups?search=demo', as: administrators },
  'admin-projects': { at: '/admin/projects', as: administrators },
  'admin-application-new': {
    at: '/admin/applications/new?kind=machine',
    as: administrators,
  },
  'admin-application-made': {
    at: '/admin/applications/made/0123456789abcdef0123456789abcdef',
    as: administrators,
    status: 410,
  },
  'admin-token-revoke': {
    at: ({ token }) => `/admin/tokens/${token}/revoke`,
    as: administrators,
  },
  'admin-tokens': { at: '/admin/tokens', as: administrators },
  'admin-application': {
    at: ({ registered }) => `/admin/applications/${registered.id}`,
    as: administrators,
  },
  'admin-application-edit': {
    at: ({ registered }) => `/admin/applications/${registered.id}/edit`,
    as: administrators,
  },
  'admin-application-renew': {
    at: ({ registered }) => `/admin/applications/${registered.id}/renew`,
    as: administrators,
  },
  'admin-application-delete': {
    at: ({ registered }) => `/admin/applications/${registered.id}/delete`,
    as: administrators,
  },
  'admin-runners': { at: '/admin/runners', as: administrators },
  'admin-runner-shown-already': { at: '/admin/runners/made/long-ago', as: administrators, status: 410 },
  'admin-runner-remove': { at: ({ runner }) => `/admin/runners/${runner}/remove`, as: administrators },
  'admin-audit-log': { at: '/admin/audit_log', as: administrators },
  'admin-jobs': { at: '/admin/jobs', as: administrators },
  'admin-settings': { at: '/admin/settings', as: administrators },
  'admin-notifications': { at: '/admin/notifications', as: administrators },
  inbox: { at: '/-/mail', as: administrators },
  'kept-message': {
    at: ({ kept }) => `/-/mail/${kept}`,
    as: administrators,
    async steps(page) {
      await page.frameLocator('iframe').getByText('commented').waitFor();
    },
  },
  'not-for-others': { at: '/admin/users', as: ['guest'], status: 403 },
};
