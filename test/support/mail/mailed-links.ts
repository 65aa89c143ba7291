import { expect } from 'vitest';
import { browserSession, type BrowserSession, type WebPage } from '../pages/browser-session.ts';
import type { TestGateway } from '../gateway.ts';

/** Opens the link of a message in a new browser. @returns the page with its form */
export async function followLink(
  gateway: Pick<TestGateway, 'url'>,
  link: string,
): Promise<{ browser: BrowserSession; page: WebPage }> {
  expect(link.startsWith(`${gateway.url}/users/`)).toBe(true);
  const browser = browserSession(gateway);
  const first = await browser.get(link.slice(gateway.url.length));
  expect(first.status).toBe(303);
  expect(first.location).not.toContain('token');
  expect(first.headers.get('referrer-policy')).toBe('no-referrer');
  return { browser, page: await browser.get(first.location!) };
}
