import { HOTP, Secret } from 'otpauth';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../pages/browser-session.ts';
import type { TestGateway } from '../gateway.ts';
import { account, type Account } from './oauth.ts';

/** An authenticator app, which generates one-time codes (TOTP, RFC 6238). */
export interface Authenticator {
  readonly seed: string;
  /** @param steps of 30 seconds after the current one */
  code(steps?: number): string;
}

export function authenticator(seed: string): Authenticator {
  return {
    seed,
    code: (steps = 0) =>
      HOTP.generate({ secret: Secret.fromBase32(seed), counter: Math.floor(Date.now() / 30_000) + steps }),
  };
}

/** Resets the last used step, so that the current code can be used again. */
export const aWhileLater = (gateway: TestGateway) => gateway.sql('update second_factors set last_step = 0');

/** Turns the second factor on over its pages. The current code can be used again afterwards. */
export async function turnOn(
  gateway: TestGateway,
  browser: BrowserSession,
): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
  await browser.press((await browser.get('/profile/second_factor')).form('Enable two-factor'));
  const page = await browser.get('/profile/second_factor/new');
  const app = authenticator(/<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!.replaceAll(' ', ''));
  const answer = await browser.press(page.form('Enable'), { code: app.code() });
  if (answer.status !== 303) throw new Error(`Turning it on answered ${answer.status}: ${answer.text}`);
  const done = await browser.get(answer.location!);
  const recoveryCodes = [...done.html.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})</g)].map(([, code]) => code!);
  await aWhileLater(gateway);
  return { app, recoveryCodes };
}

export interface Protected extends Account {
  readonly browser: BrowserSession;
  readonly app: Authenticator;
  readonly recoveryCodes: string[];
}

/** A person with a second factor, in a session from before it was turned on. */
export async function withSecondFactor(gateway: TestGateway, name: string): Promise<Protected> {
  const made = await account(gateway, name);
  const browser = await signIn(gateway, made.username, made.password);
  return { ...made, browser, ...(await turnOn(gateway, browser)) };
}

/** Types the password into a new browser. @returns the page that asks for the code */
export async function typePassword(
  gateway: TestGateway,
  { username, password }: Account,
  query = '',
): Promise<{ browser: BrowserSession; page: WebPage }> {
  const browser = browserSession(gateway);
  const first = await browser.press((await browser.get(`/users/sign_in${query}`)).form('Sign in'), {
    login: username,
    password,
  });
  if (!/^\/users\/sign_in\/second_factor(\?|$)/.test(first.location ?? ''))
    throw new Error(`Signing in answered ${first.status}: ${first.text}`);
  return { browser, page: await browser.get(first.location!) };
}
