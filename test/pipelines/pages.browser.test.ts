import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCode } from '../repository/support/code.ts';
import { hasBrowser, launchBrowser, windowOf } from '../support/pages/browser.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { endJob, pendingJob, runningJob } from './support/jobs.ts';

/** What scripts do on pages of pipelines. */

const gateway = await testGateway();

describe.skipIf(!hasBrowser)('Pages of pipelines, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => await browser.close());

  test('the log of a running job grows, and the page is whole when the job has ended; a pipeline goes on', async () => {
    const code = await newCode(gateway);
    const job = await runningJob(gateway, { ...code, sha: await code.commit({ 'a.txt': 'a' }) });
    const waiting = await pendingJob(gateway, { ...code, sha: await code.commit({ 'b.txt': 'b' }) });
    const append = async (start: number, text: string) => {
      const answer = await fetch(`${gateway.url}/api/v4/jobs/${job.id}/trace`, {
        method: 'PATCH',
        headers: { 'content-range': `${start}-${start + text.length - 1}`, 'job-token': job.token },
        body: text,
      });
      expect(answer.status).toBe(202);
    };
    await append(0, 'first line\n');
    const { cookies } = await signIn(gateway, 'maintainer');
    const context = await windowOf(browser, gateway.url, cookies);
    const page = await context.newPage();
    const wrongs: string[] = [];
    page.on('pageerror', (error) => wrongs.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrongs.push(message.text()));
    await page.goto(`${gateway.url}/${code.fullPath}/-/jobs/${job.id}`);
    await page.getByText('first line').waitFor();
    await append(11, 'second line\n');
    await page.getByText('second line').waitFor();
    await endJob(gateway, job.id);
    await page.getByText('Passed').first().waitFor();
    expect(await page.getByText('second line').isVisible()).toBe(true);
    expect(wrongs).toEqual([]);
    await page.goto(`${gateway.url}/${code.fullPath}/-/pipelines/${waiting.pipelineId}`);
    await page.getByText('It is shown as it goes on.').waitFor();
    await gateway.sql(`update ci_jobs set status = 'running', started_at = now() where id = $1`, [waiting.id]);
    await page.locator('[data-live-content] h2').getByText('Running').waitFor();
    expect(wrongs).toEqual([]);
    await context.close();
  });
});
