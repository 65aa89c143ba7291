import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { pageRoutes } from '../../src/web/routes.tsx';
import { unsubscribeKey } from '../../src/auth/index.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { testGateway } from '../support/gateway.ts';
import {
  inBody,
  post,
  registerApplication,
  sessionOf,
  tokensFor,
  type RegisteredApplication,
} from '../support/oauth.ts';
import { newUser } from '../support/people.ts';
import { fillWithCode, newCode, type Code } from '../repository/support/code.ts';
import { fillWithEnvironments } from '../pipelines/support/environments.ts';
import { fillWithPipelines } from '../pipelines/support/reports.ts';
import { looksAt, Walk, type Role, type Stop } from '../support/walk.ts';

const gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });

/** A project with files, the name of a commit there, and the path of a project without files. */
let code: Code;
let codeCommit: string;
let pipeline: number;
let environment = 0;
let deployKey = 0;
let emptyCode: string;

/** Records that some pages need: an application of the maintainer, and a waiting device. */
let registered: RegisteredApplication;
let weather: RegisteredApplication;
let userCode: string;
/** The id of a personal access token of the maintainer. */
let token: string;
/** The id of an SSH key of the maintainer. */
let sshKey: number;
/** A user with an unconfirmed address and a second factor, for administrator pages. */
let managed: { readonly id: string; readonly email: string };

/** The path of an unsubscribe page, and the id of a message that was kept. */
let unsubscribing: string;
let kept: string;

const consent = (more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: weather.clientId,
    redirect_uri: weather.redirectUris[0]!,
    response_type: 'code',
    scope: 'api read_user email',
    state: 'a state',
    ...more,
  }).toString()}`;

const members: readonly Role[] = ['guest', 'maintainer'];
const administrators: readonly Role[] = ['root'];
const maintainers: readonly Role[] = ['maintainer', 'root'];

/** Every page, and every state of a page that looks different. Add the page of a new route here. */
const stops: Record<string, Stop> = {
  start: { route: '/', at: () => '/' },
  reference: { route: '/docs', at: () => '/docs', as: ['anonymous'], busy: true },
  migration: { route: '/docs/migration', at: () => '/docs/migration', as: ['anonymous', 'guest'] },
  graphiql: {
    at: () => '/graphql',
    as: ['anonymous'],
    busy: true,
    except: { 'scrollable-region-focusable': 'CodeMirror scrolls by the keys that its hidden text field takes.' },
  },
  missing: { at: () => '/demo/nothing', as: ['anonymous', 'guest'], status: 404 },
  group: { at: () => '/groups/demo' },
  'private-group': { at: () => '/groups/demo/platform', as: ['developer', ...maintainers] },
  project: { at: () => '/demo/storefront' },
  person: { at: () => '/developer', as: ['guest', 'developer'] },

  'my-issues': { route: '/dashboard/issues', at: () => '/dashboard/issues', as: members },
  'my-issues-created': { route: '/dashboard/issues/created', at: () => '/dashboard/issues/created', as: members },
  'my-merge-requests': { route: '/dashboard/merge_requests', at: () => '/dashboard/merge_requests', as: members },
  'my-reviews': {
    route: '/dashboard/merge_requests/reviews',
    at: () => '/dashboard/merge_requests/reviews',
    as: members,
  },
  'my-merge-requests-created': {
    route: '/dashboard/merge_requests/created',
    at: () => '/dashboard/merge_requests/created',
    as: members,
  },
  'my-to-dos': { route: '/dashboard/todos', at: () => '/dashboard/todos', as: members },

  'sign-in': { route: '/users/sign_in', at: () => '/users/sign_in', as: ['anonymous'] },
  'sign-in-wrong': {
    at: () => '/users/sign_in',
    as: ['anonymous'],
    async steps(page) {
      await page.getByLabel('Username or e-mail').fill('mary');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Name or password is wrong.').waitFor();
    },
  },
  'no-sign-up': { route: '/users/sign_up', at: () => '/users/sign_up', as: ['anonymous'], status: 403 },
  'forgotten-password': { route: '/users/password/new', at: () => '/users/password/new', as: ['anonymous'] },
  'dead-link': { route: '/users/password/edit', at: () => '/users/password/edit', as: ['anonymous'], status: 404 },
  'dead-confirmation': {
    route: '/users/confirmation',
    at: () => '/users/confirmation',
    as: ['anonymous', 'guest'],
    status: 404,
  },
  'confirm-password': { route: '/users/confirm_password', at: () => '/users/confirm_password', as: members },

  consent: { route: '/oauth/authorize', at: () => consent(), as: maintainers },
  'consent-refused': {
    at: () => consent({ redirect_uri: 'https://weather.example/other' }),
    as: ['anonymous', 'maintainer'],
    status: 400,
  },
  device: { route: '/oauth/device', at: () => '/oauth/device', as: members },
  'device-confirm': {
    at: () => `/oauth/device?user_code=${userCode}`,
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Deny' }).waitFor();
    },
  },

  'account-menu': {
    at: () => '/profile',
    as: maintainers,
    async steps(page) {
      await page.locator('.account .menu-button').click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  },
  sections: {
    at: () => '/profile',
    as: ['guest'],
    async steps(page) {
      const opens = page.locator('.beside .menu-button');
      if (await opens.isVisible()) await opens.click();
      await page.getByRole('link', { name: 'Authorized applications' }).last().waitFor();
    },
  },
  profile: { route: '/profile', at: () => '/profile', as: members },
  notifications: {
    route: '/profile/notifications',
    at: () => '/profile/notifications',
    as: ['guest', 'developer', ...maintainers],
  },
  'notifications-custom': {
    at: () => '/profile/notifications',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('Global notification level').selectOption('Custom');
      await page.getByLabel('Notification level for demo/storefront', { exact: true }).selectOption('Custom');
      await page.locator('[name="on.p1.NEW_ISSUE"]').check();
    },
  },
  'notifications-none': { at: () => '/profile/notifications?search=nowhere', as: ['guest'] },
  'notification-preferences': {
    route: '/profile/notifications/preferences',
    at: () => '/profile/notifications/preferences',
    as: members,
  },
  'notification-preferences-wrong': {
    at: () => '/profile/notifications/preferences',
    as: ['guest'],
    async steps(page) {
      await page.getByLabel('Quiet hours begin at').fill('late');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Nothing is saved yet.').waitFor();
    },
  },
  'sent-notifications': {
    route: '/profile/notifications/sent',
    at: () => '/profile/notifications/sent',
    as: ['developer', 'guest'],
  },
  unsubscribe: {
    route: '/-/sent_notifications/:key/unsubscribe',
    at: () => unsubscribing,
    as: ['anonymous', 'developer'],
  },
  unsubscribed: {
    at: () => unsubscribing,
    as: ['developer'],
    async steps(page) {
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    },
  },
  emails: { route: '/profile/emails', at: () => '/profile/emails', as: members },
  'ssh-keys': { route: '/profile/keys', at: () => '/profile/keys', as: members },
  'ssh-keys-wrong': {
    at: () => '/profile/keys',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('Key').fill('ssh-ed25519 AAAA');
      await page.getByRole('button', { name: 'Add the key' }).click();
      await page.getByText('The key is invalid').waitFor();
    },
  },
  'ssh-key-remove': {
    route: '/profile/keys/:id/remove',
    at: () => `/profile/keys/${sshKey}/remove`,
    as: ['maintainer'],
  },
  password: { route: '/profile/password', at: () => '/profile/password', as: members },
  'second-factor': { route: '/profile/second_factor', at: () => '/profile/second_factor', as: members },
  'codes-shown-already': {
    route: '/profile/second_factor/codes/:form',
    at: () => '/profile/second_factor/codes/long-ago',
    as: members,
    status: 410,
  },
  'second-factor-new': {
    route: '/profile/second_factor/new',
    at: () => '/profile/second_factor',
    as: ['developer'],
    async steps(page) {
      await page.locator('main').getByRole('button').first().click();
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
    },
  },
  data: { route: '/profile/data', at: () => '/profile/data', as: members },
  'data-delete': { route: '/profile/data/delete', at: () => '/profile/data/delete', as: ['guest'] },
  'error-tracking': { at: () => '/demo/storefront/-/settings/error_tracking', as: maintainers },
  'group-settings': { at: () => '/groups/demo/platform/-/edit', as: ['root'] },
  'project-settings': { at: () => '/demo/storefront/-/edit', as: maintainers },
  'group-members': { at: () => '/groups/demo/-/members', as: members },
  'project-members': { at: () => '/demo/storefront/-/members', as: ['root'] },
  'project-removal': { at: () => '/demo/storefront/-/remove', as: ['root'] },
  'group-new': { route: '/-/groups/new', at: () => '/-/groups/new', as: members },
  'project-new': { route: '/-/projects/new', at: () => '/-/projects/new?in=demo', as: members },
  'first-calls': { route: '/docs/start', at: () => '/docs/start' },
  'group-sharing': { at: () => '/groups/demo/platform/-/sharing', as: ['root'] },
  'project-sharing': { at: () => '/demo/storefront/-/sharing', as: maintainers },
  'project-transfer': { at: () => '/demo/storefront/-/transfer', as: ['root'] },
  'group-transfer': { at: () => '/groups/demo/platform/-/transfer', as: ['root'] },
  'error-tracking-wrong': {
    at: () => '/demo/storefront/-/settings/error_tracking',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('API URL of the project in the tracker').fill('ftp://tracker.example');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('must be an http or https URL').waitFor();
    },
  },
  forbidden: { at: () => '/demo/storefront/-/settings/error_tracking', as: ['guest'], status: 403 },

  applications: { route: '/profile/applications', at: () => '/profile/applications', as: members },
  'application-new': { route: '/profile/applications/new', at: () => '/profile/applications/new', as: ['maintainer'] },
  'application-wrong': {
    at: () => '/profile/applications/new',
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Half done');
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('localhost:3000/cb');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('Nothing is saved yet').waitFor();
    },
  },
  'application-secret': {
    at: () => '/profile/applications/new',
    as: ['developer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Calendar');
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://calendar.example/callback');
      await page.getByRole('checkbox', { name: /^read_user/ }).check();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('Copy it now: the client secret').waitFor();
    },
  },
  'application-shown-already': {
    route: '/profile/applications/made/:form',
    at: () => '/profile/applications/made/long-ago',
    as: ['developer'],
    status: 410,
  },
  application: {
    route: '/profile/applications/:id',
    at: () => `/profile/applications/${registered.id}`,
    as: ['maintainer'],
  },
  'application-edit': {
    route: '/profile/applications/:id/edit',
    at: () => `/profile/applications/${registered.id}/edit`,
    as: ['maintainer'],
  },
  'application-renew': {
    route: '/profile/applications/:id/renew',
    at: () => `/profile/applications/${registered.id}/renew`,
    as: ['maintainer'],
  },
  'application-delete': {
    route: '/profile/applications/:id/delete',
    at: () => `/profile/applications/${registered.id}/delete`,
    as: ['maintainer'],
  },
  'authorization-revoke': {
    route: '/profile/authorized_applications/:id/revoke',
    at: () => `/profile/authorized_applications/${registered.id}/revoke`,
    as: ['maintainer'],
  },
  tokens: { route: '/profile/personal_access_tokens', at: () => '/profile/personal_access_tokens', as: members },
  'token-new': {
    route: '/profile/personal_access_tokens/new',
    at: () => '/profile/personal_access_tokens/new?name=Editor&scopes=api',
    as: ['root'],
  },
  'token-made': {
    at: () => '/profile/personal_access_tokens/new',
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Editor');
      await page.getByRole('checkbox', { name: /^read_user/ }).check();
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('Copy it now: the token').waitFor();
    },
  },
  'token-shown-already': {
    route: '/profile/personal_access_tokens/made/:form',
    at: () => '/profile/personal_access_tokens/made/long-ago',
    as: ['maintainer'],
    status: 410,
  },
  'token-rotate': {
    route: '/profile/personal_access_tokens/:id/rotate',
    at: () => `/profile/personal_access_tokens/${token}/rotate`,
    as: ['maintainer'],
  },
  'token-revoke': {
    route: '/profile/personal_access_tokens/:id/revoke',
    at: () => `/profile/personal_access_tokens/${token}/revoke`,
    as: ['maintainer'],
  },
  sessions: { route: '/profile/sessions', at: () => '/profile/sessions', as: members },
  'sessions-end-others': {
    route: '/profile/sessions/end_others',
    at: () => '/profile/sessions/end_others',
    as: ['guest'],
  },
  'sessions-end-all': { route: '/profile/sessions/end_all', at: () => '/profile/sessions/end_all', as: ['guest'] },
  activity: { route: '/profile/activity', at: () => '/profile/activity', as: members },
  'authorized-applications': {
    route: '/profile/authorized_applications',
    at: () => '/profile/authorized_applications',
    as: members,
  },

  admin: { route: '/admin', at: () => '/admin', as: administrators },
  'admin-users': { route: '/admin/users', at: () => '/admin/users', as: administrators },
  'admin-user-new': { route: '/admin/users/new', at: () => '/admin/users/new', as: administrators },
  'admin-user': { route: '/admin/users/:id', at: () => `/admin/users/${managed.id}`, as: administrators },
  'admin-user-edit': {
    route: '/admin/users/:id/edit',
    at: () => `/admin/users/${managed.id}/edit`,
    as: administrators,
  },
  'admin-user-password': {
    route: '/admin/users/:id/password',
    at: () => `/admin/users/${managed.id}/password`,
    as: administrators,
  },
  'admin-user-password-link': {
    route: '/admin/users/:id/password_link',
    at: () => `/admin/users/${managed.id}/password_link`,
    as: administrators,
  },
  'admin-link-shown-already': {
    route: '/admin/password_links/:form',
    at: () => '/admin/password_links/long-ago',
    as: administrators,
    status: 410,
  },
  'admin-user-second-factor': {
    route: '/admin/users/:id/second_factor',
    at: () => `/admin/users/${managed.id}/second_factor`,
    as: administrators,
  },
  ...Object.fromEntries(
    (['approve', 'reject', 'block', 'unblock', 'ban', 'unban', 'deactivate', 'activate'] as const).map((action) => [
      `admin-user-${action}`,
      {
        route: `/admin/users/:id/${action}`,
        at: () => `/admin/users/${managed.id}/${action}`,
        as: administrators,
      } satisfies Stop,
    ]),
  ),
  'admin-user-delete': {
    route: '/admin/users/:id/delete',
    at: () => `/admin/users/${managed.id}/delete`,
    as: administrators,
  },
  'admin-email-verify': {
    route: '/admin/users/:id/emails/:email/verify',
    at: () => `/admin/users/${managed.id}/emails/${managed.email}/verify`,
    as: administrators,
  },
  'admin-email-remove': {
    route: '/admin/users/:id/emails/:email/remove',
    at: () => `/admin/users/${managed.id}/emails/${managed.email}/remove`,
    as: administrators,
  },
  'admin-applications': { route: '/admin/applications', at: () => '/admin/applications', as: administrators },
  'admin-groups': { route: '/admin/groups', at: () => '/admin/groups?search=demo', as: administrators },
  'admin-projects': { route: '/admin/projects', at: () => '/admin/projects', as: administrators },
  'admin-application-new': {
    route: '/admin/applications/new',
    at: () => '/admin/applications/new?kind=machine',
    as: administrators,
  },
  'admin-application-made': {
    route: '/admin/applications/made/:form',
    at: () => '/admin/applications/made/0123456789abcdef0123456789abcdef',
    as: administrators,
    status: 410,
  },
  'admin-token-revoke': {
    route: '/admin/tokens/:id/revoke',
    at: () => `/admin/tokens/${token}/revoke`,
    as: administrators,
  },
  'admin-tokens': { route: '/admin/tokens', at: () => '/admin/tokens', as: administrators },
  search: { route: '/search', at: () => '/search?search=storefront', as: maintainers },
  'admin-application': {
    route: '/admin/applications/:id',
    at: () => `/admin/applications/${registered.id}`,
    as: administrators,
  },
  'admin-application-edit': {
    route: '/admin/applications/:id/edit',
    at: () => `/admin/applications/${registered.id}/edit`,
    as: administrators,
  },
  'admin-application-renew': {
    route: '/admin/applications/:id/renew',
    at: () => `/admin/applications/${registered.id}/renew`,
    as: administrators,
  },
  'admin-application-delete': {
    route: '/admin/applications/:id/delete',
    at: () => `/admin/applications/${registered.id}/delete`,
    as: administrators,
  },
  'admin-audit-log': { route: '/admin/audit_log', at: () => '/admin/audit_log', as: administrators },
  'admin-jobs': { route: '/admin/jobs', at: () => '/admin/jobs', as: administrators },
  'admin-settings': { route: '/admin/settings', at: () => '/admin/settings', as: administrators },
  'admin-notifications': { route: '/admin/notifications', at: () => '/admin/notifications', as: administrators },
  inbox: { route: '/-/mail', at: () => '/-/mail', as: administrators },
  'kept-message': {
    route: '/-/mail/:id',
    at: () => `/-/mail/${kept}`,
    as: administrators,
    async steps(page) {
      await page.frameLocator('iframe').getByText('commented').waitFor();
    },
  },
  'code-overview': { at: () => `/${code.fullPath}` },
  'code-empty': { at: () => `/${emptyCode}`, as: ['maintainer'] },
  'code-folder': { at: () => `/${code.fullPath}/-/tree/feature/a-name-of-some-length/docs` },
  'code-file': { at: () => `/${code.fullPath}/-/blob/main/src/harbour.ts#L3` },
  'code-blame': { at: () => `/${code.fullPath}/-/blame/main/src/harbour.ts` },
  'code-text': { at: () => `/${code.fullPath}/-/blob/main/README.md` },
  'code-picture': { at: () => `/${code.fullPath}/-/blob/main/docs/map.png`, as: ['anonymous', 'guest'] },
  'code-history': { at: () => `/${code.fullPath}/-/commits/main` },
  'code-commit': { at: () => `/${code.fullPath}/-/commit/${codeCommit}` },
  'code-compare': { at: () => `/${code.fullPath}/-/compare/main...feature/a-name-of-some-length` },
  'code-branches': { at: () => `/${code.fullPath}/-/branches` },
  'code-tags': { at: () => `/${code.fullPath}/-/tags` },
  'code-delete-branch': {
    at: () => `/${code.fullPath}/-/branches/delete/feature/a-name-of-some-length`,
    as: ['maintainer'],
  },

  pipelines: { at: () => `/${code.fullPath}/-/pipelines` },
  'run-pipeline': { at: () => `/${code.fullPath}/-/pipelines/new`, as: ['maintainer'] },
  pipeline: { at: () => `/${code.fullPath}/-/pipelines/${pipeline}` },

  environments: { at: () => `/${code.fullPath}/-/environments` },
  environment: { at: () => `/${code.fullPath}/-/environments/${environment}` },
  'new-environment': { at: () => `/${code.fullPath}/-/environments/new`, as: ['maintainer'] },
  'edit-environment': { at: () => `/${code.fullPath}/-/environments/${environment}/edit`, as: ['maintainer'] },
  'stop-environment': { at: () => `/${code.fullPath}/-/environments/${environment}/stop`, as: ['maintainer'] },
  'deploy-keys': { at: () => `/${code.fullPath}/-/deploy_keys`, as: ['maintainer'] },
  variables: { at: () => `/${code.fullPath}/-/variables`, as: ['maintainer'] },
  triggers: { at: () => `/${code.fullPath}/-/triggers`, as: ['maintainer'] },
  runners: { at: () => `/${code.fullPath}/-/runners`, as: ['maintainer'] },
  'new-schedule': { at: () => `/${code.fullPath}/-/pipeline_schedules/new`, as: ['maintainer'] },
  'edit-deploy-key': { at: () => `/${code.fullPath}/-/deploy_keys/${deployKey}/edit`, as: ['maintainer'] },
  'remove-deploy-key': { at: () => `/${code.fullPath}/-/deploy_keys/${deployKey}/remove`, as: ['maintainer'] },

  'not-for-others': { at: () => '/admin/users', as: ['guest'], status: 403 },
};

/** Routes that only redirect. */
const onward =
  /^\/(?:login$|dashboard\/todos\/|-\/user_settings\/|oauth\/applications|profile\/emails\/:id\/|profile\/second_factor\/recovery_codes$)/;
/** Pages that need a second factor or a domain name: account-pages.browser.test.ts and passkeys.browser.test.ts cover them. */
const elsewhere = [
  '/profile/second_factor/passkeys/new',
  '/profile/second_factor/passkeys/:id/remove',
  '/profile/second_factor/turn_off',
  '/users/sign_in/second_factor',
  '/users/confirmation/new',
];
/** Documents of others, which pages show in frames, what scripts read, and files. */
const framed = ['/-/mail/:id/html', '/-/explore', '/admin/audit_log/export'];

test('the walk visits every page', () => {
  const pages = pageRoutes(schema, () => Promise.reject(new Error('Not needed.'))).flatMap(({ path, get }) =>
    get && !onward.test(path) && !elsewhere.includes(path) && !framed.includes(path) ? [path] : [],
  );
  const walked = Object.values(stops).flatMap(({ route }) => route ?? []);
  expect([...new Set(walked)].sort()).toEqual([...new Set(pages)].sort());
});

describe.skipIf(!hasBrowser)(
  'Every page, as everyone, light and dark, on a phone and on a desk, with and without JavaScript',
  () => {
    let browser: Browser;
    let walk: Walk;
    beforeAll(async () => {
      browser = await launchBrowser();
      walk = new Walk(gateway, browser);
      const { cookies } = await walk.signedIn('maintainer');
      const mary = sessionOf(gateway, 'maintainer', cookies.get('causeway_session')!);
      registered = await registerApplication(mary, {
        name: 'Team calendar',
        redirectUris: ['https://calendar.example/callback', 'http://127.0.0.1/callback'],
      });
      weather = await registerApplication(mary, {
        name: 'Weather',
        redirectUris: ['https://weather.example/callback'],
      });
      await tokensFor(mary, registered, 'api email');
      await registerApplication(mary, { name: 'A command line for everything', confidential: false });
      const [made] = await gateway.sql<{ id: number }>(
        `select t.id from personal_access_tokens t join users u on u.id = t.user_id where u.username = 'maintainer'`,
      );
      token = String(made!.id);
      const added = await gateway.rest('POST', '/api/v4/user/keys', {
        token: gateway.tokens.maintainer,
        json: {
          title: 'Laptop in the office',
          key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHyQdG6h4GPZx9xVFYl0xkHSk0FRqNFJtmQpCYhPRZgx',
        },
      });
      sshKey = added.body.id;
      const { id } = await newUser(gateway, 'managed');
      const [email] = await gateway.sql<{ id: number }>(
        `insert into emails (user_id, address) values ($1, 'managed@other.example') returning id`,
        [id],
      );
      await gateway.sql(`insert into second_factors (user_id, sealed_seed, confirmed_at) values ($1, '\\x00', now())`, [
        id,
      ]);
      managed = { id, email: String(email!.id) };
      const { body: issue } = await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
        token: gateway.tokens.maintainer,
        json: { title: 'The cart forgets what is in it '.repeat(6).trim() },
      });
      const [reader] = await gateway.sql<{ id: number }>(`select id from users where username = 'developer'`);
      const unsubscribed = { userId: reader!.id, subjectKind: 'Issue', subjectId: issue.id as number } as const;
      unsubscribing = `/-/sent_notifications/${unsubscribeKey(gateway.gateway.application.keys, unsubscribed)}/unsubscribe`;
      await gateway.sql(
        `insert into notifications (user_id, cause, occurrence, project_id, subject_kind, subject_id, via, reason, state, outcome, last_error, address)
         select $1, cause, 'walk ' || cause || state, (select project_id from issues where id = $2), 'Issue', $2, 'SETTING', null, state::"NotificationState", outcome, last_error, address
           from (values ('NEW_NOTE', 'SENT', null, null, 'developer@example.com'), ('CLOSE_ISSUE', 'WAITING', 'QUIET_HOURS', null, null),
             ('NEW_ISSUE', 'FAILED', null, '550 5.1.1 <developer@example.com>: Recipient address rejected: User unknown in local recipient table', 'developer@example.com'),
             ('REOPEN_ISSUE', 'DROPPED', 'GONE', null, null)) given(cause, state, outcome, last_error, address)`,
        [reader!.id, issue.id],
      );
      const [mail] = await gateway.sql<{ id: string }>(
        `insert into kept_mails (kind, recipient, subject, headers, text, html) values ('note', 'developer@example.com', $1, $2, $3,
           '<!doctype html><html lang="en"><head><title>Mail</title></head><body><p>Mary commented:</p></body></html>') returning id`,
        [
          'Re: Storefront | The cart forgets what is in it (#1)',
          { 'List-Unsubscribe': `<${gateway.url}${unsubscribing}>`, 'X-GitLab-Project': 'storefront' },
          `Mary commented:\n\n${'It still does. '.repeat(20)}\n-- \n${gateway.url}${unsubscribing}\n`,
        ],
      );
      kept = String(mail!.id);
      emptyCode = (await newCode(gateway, { visibility: 'public' })).fullPath;
      code = await newCode(gateway, { visibility: 'public', description: 'Everything about ships.' });
      codeCommit = await fillWithCode(gateway, code);
      pipeline = await fillWithPipelines(gateway, code);
      ({ environment, key: deployKey } = await fillWithEnvironments(gateway, code));
      userCode = (
        (await post(gateway, '/oauth/authorize_device', { ...inBody(weather), scope: 'read_user email' })).body as {
          user_code: string;
        }
      ).user_code;
    });
    afterAll(() => browser?.close());

    test.each(Object.keys(stops).map((name, index) => ({ name, index })))('$name', async ({ name, index }) => {
      const stop = stops[name]!;
      const wrongs: string[] = [];
      for (const look of looksAt(stop, index)) wrongs.push(...(await walk.look(name, stop, look)));
      expect(wrongs).toEqual([]);
    });
  },
);
