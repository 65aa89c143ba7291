import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, screenshot } from '../../support/pages/browser.ts';
import { testGateway } from '../../support/gateway.ts';
import { account } from '../../support/oauth/oauth.ts';
import { freePort } from '../../support/run/ports.ts';
import { axeFindings } from '../../support/pages/walk.ts';

const port = await freePort();
const url = `http://localhost:${port}`;
const gateway = await testGateway({ PORT: String(port), CAUSEWAY_BASE_URL: url });

describe.skipIf(!hasBrowser)('Passkeys, in a browser with an authenticator', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('one is made on a phone, and signs in alone and after the password, by keyboard', async () => {
    const { username, password } = await account(gateway, 'keyholder');
    const context = await browser.newContext({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    const page = await context.newPage();
    const wrongs: string[] = [];
    page.on('pageerror', ({ message }) => void wrongs.push(message));
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const axe = async () => expect(await axeFindings(page, true)).toEqual([]);
    const signOut = async () => {
      await page.getByRole('banner').getByRole('button', { name: username }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out.').waitFor();
    };

    await page.goto(`${url}/users/sign_in`);
    await page.getByLabel('Username or e-mail').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();
    await page.goto(`${url}/profile/second_factor`);
    await axe();
    await page.getByRole('link', { name: 'Add a passkey' }).press('Enter');
    await page.getByRole('button', { name: 'Make a passkey' }).waitFor();
    await axe();
    await page.getByLabel('Name').fill('Phone');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Two-factor authentication is enabled' }).waitFor();
    await page.getByRole('link', { name: 'I have saved them' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Phone' }).waitFor();
    await axe();
    await screenshot(page, 'passkeys');
    await page.getByRole('link', { name: 'Remove Phone' }).click();
    await page.getByRole('heading', { name: 'Remove the passkey Phone?' }).waitFor();
    await axe();
    await page.getByRole('link', { name: 'Cancel' }).click();

    await signOut();
    await page.goto(`${url}/users/sign_in`);
    await axe();
    await screenshot(page, 'passkey-sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();

    await signOut();
    await page.goto(`${url}/users/sign_in`);
    await page.getByLabel('Username or e-mail').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await axe();
    await screenshot(page, 'passkey-second-step');
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();

    // A device without the passkey: the page says what to do, and nothing is sent.
    await signOut();
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
    });
    await page.goto(`${url}/users/sign_in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was given' }).waitFor();
    expect(wrongs).toEqual([]);
    await context.close();
  });
});
