import type { RegisteredApplication } from '../../support/oauth/oauth.ts';
import { maintainers, members, type Stops } from './records.ts';

const consent = ({ clientId, redirectUris }: RegisteredApplication, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUris[0]!,
    response_type: 'code',
    scope: 'api read_user email',
    state: 'a state',
    ...more,
  }).toString()}`;

/** The start page, documentation, signing in, and what a person has to do. */
export const siteStops: Stops = {
  start: { at: '/' },
  reference: { at: '/docs', as: ['anonymous'], busy: true },
  migration: { at: '/docs/migration', as: ['anonymous', 'guest'] },
  graphiql: {
    at: '/graphql',
    as: ['anonymous'],
    busy: true,
    except: { 'scrollable-region-focusable': 'CodeMirror scrolls by the keys that its hidden text field takes.' },
  },
  person: { at: '/developer', as: ['guest', 'developer'] },
  'my-issues': { at: '/dashboard/issues', as: members },
  'my-issues-created': { at: '/dashboard/issues/created', as: members },
  'my-merge-requests': { at: '/dashboard/merge_requests/assigned', as: members },
  'my-reviews': {
    at: '/dashboard/merge_requests/reviews',
    as: members,
  },
  'my-merge-requests-created': {
    at: '/dashboard/merge_requests/created',
    as: members,
  },
  'my-to-dos': { at: '/dashboard/todos', as: members },
  'sign-in': { at: '/users/sign_in', as: ['anonymous'] },
  'sign-in-wrong': {
    at: '/users/sign_in',
    as: ['anonymous'],
    async steps(page) {
      await page.getByLabel('Username or e-mail').fill('mary');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Name or password is wrong.').waitFor();
    },
  },
  'no-sign-up': { at: '/users/sign_up', as: ['anonymous'], status: 403 },
  'forgotten-password': { at: '/users/password/new', as: ['anonymous'] },
  'dead-link': { at: '/users/password/edit', as: ['anonymous'], status: 404 },
  'dead-confirmation': {
    at: '/users/confirmation',
    as: ['anonymous', 'guest'],
    status: 404,
  },
  'confirm-password': { at: '/users/confirm_password', as: members },
  consent: { at: ({ weather }) => consent(weather), as: maintainers },
  'consent-refused': {
    at: ({ weather }) => consent(weather, { redirect_uri: 'https://weather.example/other' }),
    as: ['anonymous', 'maintainer'],
    status: 400,
  },
  device: { at: '/oauth/device', as: members },
  'device-confirm': {
    at: ({ userCode }) => `/oauth/device?user_code=${userCode}`,
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Deny' }).waitFor();
    },
  },
  'first-calls': { at: '/docs/start' },
  search: { at: '/search?search=storefront', as: maintainers },
  projects: { at: '/explore/projects', as: ['anonymous', 'maintainer'] },
  'projects-none': { at: '/explore/projects?search=nowhere', as: ['guest'] },
  groups: { at: '/explore/groups?scope=mine', as: ['guest'] },
};
