import { expect } from 'vitest';
import { browserSession, signIn, type WebPage } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { registerApplication, sessionOf } from '../../support/oauth/oauth.ts';

export type Query = Record<string, string>;

/** A gateway with an application, and the browser of its owner, Mary. */
export async function consentPages() {
  const gateway = await testGateway();
  const browser = await signIn(gateway, 'maintainer');
  const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
  const application = await registerApplication(owner, { name: 'Weather' });
  return {
    gateway,
    browser,
    owner,
    application,
    signedOut: () => browserSession(gateway),
    /** The parameters of a request for a code. */
    asks: (more: Query = {}, by = application): Query => ({
      client_id: by.clientId,
      redirect_uri: by.redirectUris[0]!,
      response_type: 'code',
      scope: 'read_user',
      state: 'a state',
      ...more,
    }),
  };
}

export const address = (parameters: Query) => `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;

/** Checks an error page without redirect or outgoing link. */
export function expectErrorPage({ status, location, headers, html }: WebPage): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(location).toBeNull();
  expect(html).not.toMatch(/http-equiv="refresh"/);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
}
