import { HOTP, Secret } from 'otpauth';
import type { BrowserSession } from './browser-session.ts';

/** An authenticator app: shows the code of a moment. */
export interface Authenticator {
  readonly seed: string;
  /** @param steps from the present one */
  code(steps?: number): string;
}

export function authenticator(seed: string): Authenticator {
  return {
    seed,
    code: (steps = 0) => HOTP.generate({ secret: Secret.fromBase32(seed), counter: Math.floor(Date.now() / 30_000) + steps }),
  };
}

/** Turns the second factor on over its pages. The code of the step before is spent by it. */
export async function turnOn(browser: BrowserSession): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
  await browser.press((await browser.get('/profile/second_factor')).form('Set it up'));
  const page = await browser.get('/profile/second_factor/new');
  const app = authenticator(/<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!.replaceAll(' ', ''));
  const done = await browser.press(page.form('Turn it on'), { code: app.code(-1) });
  if (done.status !== 200) throw new Error(`Turning it on answered ${done.status}: ${done.text}`);
  const recoveryCodes = [...done.html.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})</g)].map(([, code]) => code!);
  return { app, recoveryCodes };
}
