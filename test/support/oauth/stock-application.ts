import type { BrowserSession } from '../pages/browser-session.ts';
import type { TestGateway } from '../gateway.ts';

/** An application that an administrator registers for a tool: with `POST /applications`, without grants. */
export interface StockApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** @param more parameters besides name, redirect URI and scopes */
export async function registerStockApplication(
  { rest, tokens }: TestGateway,
  redirectUri: string,
  scopes = 'api read_user',
  more: Record<string, unknown> = {},
): Promise<StockApplication> {
  const json = { name: 'A stock client', redirect_uri: redirectUri, scopes, ...more };
  const { status, body, text } = await rest('POST', '/api/v4/applications', { token: tokens.root, json });
  if (status !== 201) throw new Error(`Not registered: ${status} ${text}`);
  return { clientId: body.application_id as string, clientSecret: (body.secret as string | null) ?? '' };
}

/**
 * A person opens the link of a client, and authorizes it if they are asked.
 * @returns the redirect with the answer
 */
export async function authorize(browser: BrowserSession, link: string | URL): Promise<URL> {
  const { pathname, search } = new URL(link);
  const page = await browser.get(pathname + search);
  if (page.location !== null) return new URL(page.location);
  const answer = await browser.press(page.form('Authorize'));
  if (answer.location === null) throw new Error(`No redirect: ${answer.status} ${answer.text}`);
  return new URL(answer.location);
}
