import { maintainers, members, type Stops } from './records.ts';

/** The pages of one’s own account. */
export const accountStops: Stops = {
  'account-menu': {
    at: '/profile',
    as: maintainers,
    async steps(page) {
      await page.locator('.account .menu-button').click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  },
  sections: {
    at: '/profile',
    as: ['guest'],
    async steps(page) {
      const opens = page.locator('.beside .menu-button');
      if (await opens.isVisible()) await opens.click();
      await page.getByRole('link', { name: 'Authorized applications' }).last().waitFor();
    },
  },
  profile: { at: '/profile', as: members },
  notifications: {
    at: '/profile/notifications',
    as: ['guest', 'developer', ...maintainers],
  },
  'notifications-custom': {
    at: '/profile/notifications',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('Global notification level').selectOption('Custom');
      await page.getByLabel('Notification level for demo/storefront', { exact: true }).selectOption('Custom');
      await page.locator('[name="on.p1.NEW_ISSUE"]').check();
    },
  },
  'notifications-none': { at: '/profile/notifications?search=nowhere', as: ['guest'] },
  'notification-preferences': {
    at: '/profile/notifications/preferences',
    as: members,
  },
  'notification-preferences-wrong': {
    at: '/profile/notifications/preferences',
    as: ['guest'],
    async steps(page) {
      await page.getByLabel('Quiet hours begin at').fill('late');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Nothing is saved yet.').waitFor();
    },
  },
  'sent-notifications': {
    at: '/profile/notifications/sent',
    as: ['developer', 'guest'],
  },
  unsubscribe: {
    at: ({ unsubscribing }) => unsubscribing,
    as: ['anonymous', 'developer'],
  },
  unsubscribed: {
    at: ({ unsubscribing }) => unsubscribing,
    as: ['developer'],
    async steps(page) {
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    },
  },
  emails: { at: '/profile/emails', as: members },
  'ssh-keys': { at: '/profile/keys', as: members },
  'ssh-keys-wrong': {
    at: '/profile/keys',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('Key').fill('ssh-ed25519 AAAA');
      await page.getByRole('button', { name: 'Add the key' }).click();
      await page.getByText('The key is invalid').waitFor();
    },
  },
  'ssh-key-remove': {
    at: ({ sshKey }) => `/profile/keys/${sshKey}/remove`,
    as: ['maintainer'],
  },
  password: { at: '/profile/password', as: members },
  'second-factor': { at: '/profile/second_factor', as: members },
  'codes-shown-already': {
    at: '/profile/second_factor/codes/long-ago',
    as: members,
    status: 410,
  },
  'second-factor-new': {
    at: '/profile/second_factor',
    as: ['developer'],
    async steps(page) {
      await page.locator('main').getByRole('button').first().click();
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
    },
  },
  data: { at: '/profile/data', as: members },
  'data-delete': { at: '/profile/data/delete', as: ['guest'] },
  applications: { at: '/profile/applications', as: members },
  'application-new': { at: '/profile/applications/new', as: ['maintainer'] },
  'application-wrong': {
    at: '/profile/applications/new',
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Half done');
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('localhost:3000/cb');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('Nothing is saved yet').waitFor();
    },
  },
  'application-secret': {
    at: '/profile/applications/new',
    as: ['developer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Calendar');
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://calendar.example/callback');
      await page.getByRole('checkbox', { name: /^read_user/ }).check();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('Copy the client secret now').waitFor();
    },
  },
  'application-shown-already': {
    at: '/profile/applications/made/long-ago',
    as: ['developer'],
    status: 410,
  },
  application: {
    at: ({ registered }) => `/profile/applications/${registered.id}`,
    as: ['maintainer'],
  },
  'application-edit': {
    at: ({ registered }) => `/profile/applications/${registered.id}/edit`,
    as: ['maintainer'],
  },
  'application-renew': {
    at: ({ registered }) => `/profile/applications/${registered.id}/renew`,
    as: ['maintainer'],
  },
  'application-delete': {
    at: ({ registered }) => `/profile/applications/${registered.id}/delete`,
    as: ['maintainer'],
  },
  'authorization-revoke': {
    at: ({ registered }) => `/profile/authorized_applications/${registered.id}/revoke`,
    as: ['maintainer'],
  },
  tokens: { at: '/profile/personal_access_tokens', as: members },
  'token-new': {
    at: '/profile/personal_access_tokens/new?name=Editor&scopes=api',
    as: ['root'],
  },
  'token-made': {
    at: '/profile/personal_access_tokens/new',
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Editor');
      await page.getByRole('checkbox', { name: /^read_user/ }).check();
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('Copy the token now').waitFor();
    },
  },
  'token-shown-already': {
    at: '/profile/personal_access_tokens/made/long-ago',
    as: ['maintainer'],
    status: 410,
  },
  'token-rotate': {
    at: ({ token }) => `/profile/personal_access_tokens/${token}/rotate`,
    as: ['maintainer'],
  },
  'token-revoke': {
    at: ({ token }) => `/profile/personal_access_tokens/${token}/revoke`,
    as: ['maintainer'],
  },
  sessions: { at: '/profile/sessions', as: members },
  'sessions-end-others': {
    at: '/profile/sessions/end_others',
    as: ['guest'],
  },
  'sessions-end-all': { at: '/profile/sessions/end_all', as: ['guest'] },
  activity: { at: '/profile/activity', as: members },
  'authorized-applications': {
    at: '/profile/authorized_applications',
    as: members,
  },
};
