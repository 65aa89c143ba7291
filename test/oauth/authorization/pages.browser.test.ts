import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';
import { signIn as signInOverHttp } from '../../support/pages/browser-session.ts';
import { clientApp } from '../../support/oauth/client-app.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  deviceGrant,
  inBody,
  pkce,
  post,
  registerApplication,
  session,
  statusOf,
  token,
  tokensOf,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';

const gateway = await testGateway();
const { url } = gateway;
const password = inject('passwords').demo;

describe.skipIf(!hasBrowser)('The pages of OAuth, in a browser', () => {
  let browser: Browser;
  let app: Awaited<ReturnType<typeof clientApp>>;
  let owner: Session;
  let application: RegisteredApplication;

  beforeAll(async () => {
    browser = await launchBrowser();
    app = await clientApp();
    owner = await session(gateway, 'owner');
    application = await registerApplication(owner, { name: 'Weather', redirectUris: [app.redirectUri] });
    app.pages.set('/callback', () => '<!doctype html><title>Weather</title><h1>Back at the application</h1>');
  });
  afterAll(() => browser?.close());
  // Whatever was approved before: each test begins with a person who is asked.
  beforeEach(() => gateway.sql('delete from consents'));

  const sessions = new Map<string, ReturnType<typeof signInOverHttp>>();
  /** Signs in over the page, once for all tests. */
  async function signedIn(login: string) {
    if (!sessions.has(login))
      sessions.set(login, signInOverHttp(gateway, login, login === 'root' ? inject('passwords').root : password));
    return await sessions.get(login)!;
  }

  /** A person's browser, or one without a session. */
  async function someone(login: string | null, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(25_000);
    if (login !== null) {
      const { cookies } = await signedIn(login);
      await context.addCookies(
        [...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true, sameSite: 'Lax' as const })),
      );
    }
    return context;
  }

  const consents = (by = application, more: Record<string, string> = {}) =>
    `${url}/oauth/authorize?${new URLSearchParams({
      client_id: by.clientId,
      redirect_uri: by.redirectUris[0]!,
      response_type: 'code',
      scope: 'read_user email',
      state: 'a state',
      ...more,
    }).toString()}`;

  async function device(): Promise<{ user_code: string; device_code: string; verification_uri_complete: string }> {
    const { body } = await post(gateway, '/oauth/authorize_device', {
      ...inBody(application),
      scope: 'read_user email',
    });
    return body as never;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  /** Notes every console error of a page, and every request to another host. */
  function watch(page: Page): string[] {
    const wrongs: string[] = [];
    page.on('pageerror', ({ message }) => wrongs.push(message));
    page.on('console', (message) => {
      // Chromium reports the status of a page itself too.
      if (message.type() === 'error' && !/the server responded with a status of 4(00|22)/.test(message.text()))
        wrongs.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`)) wrongs.push(`asked ${request.url()}`);
    });
    return wrongs;
  }

  describe('whole flows, from the application and back', () => {
    test('a code with PKCE, from signing in to the person’s own record', async () => {
      const proof = pkce();
      const native = await registerApplication(owner, {
        name: 'Reader',
        confidential: false,
        redirectUris: [`${app.origin}/reader`],
        scopes: ['read_user'],
      });
      app.pages.set('/start', () => ({
        location: consents(native, {
          scope: 'read_user',
          code_challenge: proof.challenge,
          code_challenge_method: 'S256',
        }),
      }));
      app.pages.set('/reader', async ({ searchParams }) => {
        const form = {
          grant_type: 'authorization_code',
          code: searchParams.get('code')!,
          redirect_uri: native.redirectUris[0]!,
          client_id: native.clientId,
        };
        const { access_token: accessToken } = tokensOf(
          await token(gateway, { ...form, code_verifier: proof.verifier }),
        );
        const record = await gateway.rest('GET', '/api/v4/user', {
          headers: { authorization: `Bearer ${accessToken}` },
        });
        return `<!doctype html><h1>Hello ${(record.body as { name: string }).name}, ${searchParams.get('state')}</h1>`;
      });
      const context = await someone(null);
      const page = await context.newPage();
      await page.goto(`${app.origin}/start`);
      await page.getByLabel('Username or e-mail').fill('maintainer');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Authorize Reader?' }).waitFor();
      await button(page, 'Authorize Reader').click();
      await page.getByRole('heading', { name: 'Hello Mary Maintainer, a state' }).waitFor();
      // Row 30: neither the application nor the gateway learned the address of the other’s page.
      expect(app.requests.filter(({ path }) => path.startsWith('/reader')).map(({ referer }) => referer)).toEqual([
        undefined,
      ]);
      expect(await page.evaluate(() => document.cookie)).toBe('');
      await context.close();
    });

    test('a token with the redirect, which the application reads out of the fragment', async () => {
      const implicit = await registerApplication(owner, { name: 'Widget', redirectUris: [`${app.origin}/widget`] });
      app.pages.set(
        '/widget',
        () => `<!doctype html><h1></h1><script>
          const token = new URLSearchParams(location.hash.slice(1)).get('access_token');
          fetch('${url}/oauth/token/info', { headers: { authorization: 'Bearer ' + token } })
            .then((answer) => answer.json())
            .then(({ scope }) => { document.querySelector('h1').textContent = 'May ' + scope.join(' and '); });
        </script>`,
      );
      const context = await someone('guest');
      const page = await context.newPage();
      await page.goto(consents(implicit, { response_type: 'token' }));
      await button(page, 'Authorize Widget').click();
      await page.getByRole('heading', { name: 'May read_user and email' }).waitFor();
      expect(app.requests.at(-1)).toEqual({ path: '/widget', referer: undefined });
      await context.close();
    });

    test('a device, by the address that it shows', async () => {
      const one = await device();
      const context = await someone(null);
      const page = await context.newPage();
      await page.goto(one.verification_uri_complete);
      await page.getByLabel('Username or e-mail').fill('guest');
      await page.getByLabel('Password').fill(password);
      await button(page, 'Sign in').click();
      expect(await page.getByLabel('Code').inputValue()).toBe(one.user_code);
      await button(page, 'Continue').click();
      await button(page, 'Approve').click();
      await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
      const form = { grant_type: deviceGrant, device_code: one.device_code, ...inBody(application) };
      expect(await statusOf(gateway, tokensOf(await token(gateway, form)).access_token)).toBe(200);
      await context.close();
    });

    test('register, authorize, revoke: and the token is dead', async () => {
      const context = await someone('developer');
      const page = await context.newPage();
      await page.goto(url);
      await page.getByRole('link', { name: 'Register an application' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Round trip');
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill(app.redirectUri);
      await page.getByRole('checkbox', { name: /^read_user/ }).check();
      await button(page, 'Register').click();
      await page.locator('.once').getByRole('button', { name: 'Copy' }).waitFor();
      const fact = (name: string) => page.locator(`dt:text-is("${name}") + dd code`).innerText();
      const made = {
        ...application,
        clientId: await fact('Client ID'),
        secret: await page.locator('.once .secret').innerText(),
      };

      await page.goto(consents(made, { scope: 'read_user' }));
      await button(page, 'Authorize Round trip').click();
      await page.waitForURL(`${app.redirectUri}?**`);
      const code = new URL(page.url()).searchParams.get('code')!;
      const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, ...inBody(made) };
      const { access_token: accessToken } = tokensOf(await token(gateway, form));
      expect(await statusOf(gateway, accessToken)).toBe(200);

      await page.goto(`${url}/profile/applications`);
      await page.getByRole('main').getByRole('link', { name: 'authorized applications' }).click();
      await page.getByRole('link', { name: 'Revoke Round trip' }).click();
      await button(page, 'Revoke').click();
      await page.getByText('The application can no longer act for you.').waitFor();
      expect(await statusOf(gateway, accessToken)).toBe(401);
      await context.close();
    });

    test('what was authorized before leads back at once, and reveals to no one where it came from (row 30)', async () => {
      const context = await someone('guest');
      const page = await context.newPage();
      await page.goto(consents());
      await button(page, 'Authorize Weather').click();
      await page.waitForURL(`${app.redirectUri}?**`);
      const answers: [path: string, status: number][] = [];
      page.on('response', (answer) => answers.push([new URL(answer.url()).pathname, answer.status()]));
      app.requests.length = 0;
      await page.goto(consents(application, { state: 'again' }));
      await page.waitForURL(`${app.redirectUri}?**`);
      expect(new URL(page.url()).searchParams.get('state')).toBe('again');
      expect(answers.find(([path]) => path === '/oauth/authorize')).toEqual(['/oauth/authorize', 303]);
      expect(app.requests.map(({ referer }) => referer)).toEqual([undefined]);
      await context.close();
    });

    // Browsers differ in whether form-action covers redirects.
    test('an error after sign-in reaches the application', async () => {
      const context = await someone(null);
      const page = await context.newPage();
      await page.goto(consents(application, { scope: 'everything' }));
      await page.getByLabel('Username or e-mail').fill('guest');
      await page.getByLabel('Password').fill(password);
      await button(page, 'Sign in').click();
      await page.waitForURL(`${app.redirectUri}?error=invalid_scope**`);
      await context.close();
    });

    test('Cancel returns to the application, also where that goes on to a page of its own', async () => {
      app.pages.set('/callback', ({ searchParams }) =>
        searchParams.has('error') ? { location: '/sorry' } : '<h1>Back at the application</h1>',
      );
      app.pages.set('/sorry', () => '<!doctype html><h1>As you wish</h1>');
      const context = await someone('maintainer');
      const page = await context.newPage();
      await page.goto(consents());
      await button(page, 'Cancel').click();
      await page.getByRole('heading', { name: 'As you wish' }).waitFor();
      await context.close();
    });
  });

  describe('row 27: approving is a deliberate act', () => {
    /** A consent page with a stopped clock. */
    async function consenting(): Promise<{ page: Page; context: BrowserContext }> {
      const context = await someone('maintainer');
      const page = await context.newPage();
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.goto(consents());
      return { page, context };
    }
    const approve = (page: Page) => button(page, 'Authorize Weather');
    const stays = async (page: Page) => {
      // A submission would be under way by now; another request waits behind it.
      await page.evaluate(() => fetch('/robots.txt', { mode: 'no-cors' }).catch(() => undefined));
      expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
    };

    test('the button arms a second after the page is there', async () => {
      const { page, context } = await consenting();
      expect(await approve(page).isDisabled()).toBe(true);
      await page.clock.runFor(999);
      expect(await approve(page).isDisabled()).toBe(true);
      await page.clock.runFor(1);
      expect(await approve(page).isEnabled()).toBe(true);
      await approve(page).click();
      await page.waitForURL(`${app.redirectUri}?**`);
      await context.close();
    });

    test('it arms again when its window comes to the front', async () => {
      const { page, context } = await consenting();
      await page.clock.runFor(1_000);
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      expect(await approve(page).isDisabled()).toBe(true);
      await page.clock.runFor(1_000);
      expect(await approve(page).isEnabled()).toBe(true);
      await context.close();
    });

    test.each(['Enter', 'Space'])('%s that was held since before doesn’t press it, a fresh one does', async (key) => {
      const { page, context } = await consenting();
      await page.keyboard.down(key);
      await page.clock.runFor(1_000);
      await approve(page).focus();
      // The key repeats, as long as it is held.
      await page.keyboard.down(key);
      await page.keyboard.up(key);
      await stays(page);
      await page.keyboard.press(key);
      await page.waitForURL(`${app.redirectUri}?**`);
      await context.close();
    });

    test.each(['Enter', 'Space'])('%s at a page just opened presses nothing, with scripts or without', async (key) => {
      for (const javaScriptEnabled of [true, false]) {
        const context = await someone('maintainer', { javaScriptEnabled });
        const page = await context.newPage();
        const { user_code: userCode } = await device();
        for (const address of [consents(), `${url}/oauth/device?user_code=${userCode}`]) {
          await page.goto(address);
          const posts: string[] = [];
          page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
          await page.keyboard.press(key);
          await page.reload();
          expect(posts).toEqual([]);
        }
        await context.close();
      }
    });

    test('no fragment puts the focus on anything', async () => {
      const context = await someone('maintainer');
      const page = await context.newPage();
      const { user_code: userCode } = await device();
      // Before it is armed, the button couldn't take the focus at all.
      const armed = (name: string) => expect.poll(() => button(page, name).isEnabled(), { timeout: 10_000 }).toBe(true);
      const opens = [
        async () => {
          await page.goto(consents());
          await armed('Authorize Weather');
        },
        () => page.goto(`${url}/oauth/device?user_code=${userCode}`),
        async () => {
          await button(page, 'Continue').click();
          await armed('Approve');
        },
      ];
      for (const open of opens) {
        await open();
        const names = await page.evaluate(() =>
          [...document.querySelectorAll('[id], [name]')].map((element) => element.id || element.getAttribute('name')!),
        );
        for (const name of [...names, 'content', ':~:text=Authorize', 'Authorize Weather']) {
          const focused = await page.evaluate((fragment) => {
            location.hash = fragment;
            return document.activeElement!.tagName;
          }, name);
          expect(focused, name).toBe('BODY');
        }
      }
      await context.close();
    });

    test('without scripts the buttons work at once', async () => {
      const context = await someone('maintainer', { javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(consents());
      expect(await approve(page).isEnabled()).toBe(true);
      await approve(page).click();
      await page.waitForURL(`${app.redirectUri}?**`);
      await context.close();
    });
  });

  test('row 28: in a frame of another site nothing of the page is shown', async () => {
    app.pages.set(
      '/frame',
      ({ searchParams }) =>
        `<!doctype html><iframe src="${searchParams.get('of')!.replaceAll('&', '&amp;')}"></iframe>`,
    );
    const context = await someone('maintainer');
    const page = await context.newPage();
    for (const address of [consents(), `${url}/`, `${url}/oauth/device`, `${url}/oauth/authorize`]) {
      const refusals: string[] = [];
      page.on('console', (message) => refusals.push(message.text()));
      await page.goto(`${app.origin}/frame?of=${encodeURIComponent(address)}`);
      await expect.poll(() => page.frames()[1]?.url(), { message: address }).toBe('chrome-error://chromewebdata/');
      expect(refusals.join('\n'), address).toMatch(/frame-ancestors|X-Frame-Options/);
      page.removeAllListeners('console');
    }
    await context.close();
  });

  test('row 25: a form of another site decides nothing', async () => {
    const context = await someone('maintainer');
    const page = await context.newPage();
    const fields = [...new URL(consents()).searchParams]
      .map(([name, value]) => `<input name="${name}" value="${value}">`)
      .join('');
    app.pages.set(
      '/attack',
      () =>
        `<!doctype html><form method="post" action="${url}/oauth/authorize">${fields}<button>Win a prize</button></form>`,
    );
    await page.goto(`${app.origin}/attack`);
    await button(page, 'Win a prize').click();
    await page.getByRole('heading', { name: 'Request from another site' }).waitFor();
    await context.close();
  });

  test('row 29: the name of an application runs no script', async () => {
    const odd = await registerApplication(owner, { redirectUris: [app.redirectUri] });
    await gateway.sql('update applications set name = $2 where id = $1', [
      odd.id,
      '<img src=x onerror="document.title=1"><script>document.title=1</script>\u202e',
    ]);
    const context = await someone('maintainer', { viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const wrongs = watch(page);
    await page.goto(consents(odd));
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toMatch(/^Authorize <img/);
    await gateway.sql('update applications set name = $2 where id = $1', [odd.id, 'W'.repeat(10_000)]);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
  });

  test('row 26: a public application is asked about again, though it was approved a moment ago', async () => {
    const open = await registerApplication(owner, {
      name: 'Reader',
      confidential: false,
      redirectUris: [app.redirectUri],
      scopes: ['read_user'],
    });
    const asking = consents(open, {
      scope: 'read_user',
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    });
    const context = await someone('guest');
    const page = await context.newPage();
    await page.goto(asking);
    await button(page, 'Authorize Reader').click();
    await page.waitForURL(`${app.redirectUri}?**`);
    await page.goto(asking);
    await button(page, 'Authorize Reader').waitFor();
    await context.close();
  });

  test('row 32: an address that was never confirmed can’t be chosen for what is sent', async () => {
    const context = await someone('maintainer');
    const page = await context.newPage();
    await page.goto(`${url}/profile/notifications`);
    const offered = await page.getByLabel('E-mail goes to').locator('option').allInnerTexts();
    expect(offered.join(' ')).toContain('maintainer@work.example.com');
    expect(offered.join(' ')).not.toContain('unverified');
    await context.close();
  });

  test('rows 39 and 43: signing in brings a new cookie, and leads nowhere else', async () => {
    const context = await someone(null);
    const planted = 'cwss_planted-by-somebody-else-before-anybody-signed-in';
    await context.addCookies([{ name: 'causeway_session', value: planted, url }]);
    const page = await context.newPage();
    await page.goto(`${url}/users/sign_in?return_to=${encodeURIComponent(`//${new URL(app.origin).host}/`)}`);
    await page.getByLabel('Username or e-mail').fill('guest');
    await page.getByLabel('Password').fill(password);
    await page.locator('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'guest' }).waitFor();
    expect(new URL(page.url()).origin).toBe(url);
    const cookies = (await context.cookies(url)).filter(({ name }) => name === 'causeway_session');
    expect(cookies.map(({ value, httpOnly }) => [value === planted, httpOnly])).toEqual([[false, true]]);
    await context.close();
  });
});
