import { appendFile, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { digest } from '../../src/auth/keys/crypto.ts';
import { growTrace } from '../../src/schema/pipelines/traces/statements.ts';
import { mayStayOpen } from '../../src/storage/written-file.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { endJob, runningJob } from './support/jobs.ts';

const gateway = await testGateway({ CAUSEWAY_MAX_JOB_LOG: '1', CAUSEWAY_MAX_ARTIFACT: '1' });
const second = await testGateway({ CAUSEWAY_MAX_JOB_LOG: '1', CAUSEWAY_MAX_ARTIFACT: '1' }, gateway);
const { rest, sql, tokens } = gateway;

let code: Code;
let sha: string;
beforeAll(async () => {
  code = await newCode(gateway);
  sha = await code.commit({ 'a.txt': 'a' });
});

const newJob = () => runningJob(gateway, { ...code, sha });
type Job = Awaited<ReturnType<typeof newJob>>;

/** Sends a piece of a log, as a runner does. */
async function append(
  job: Pick<Job, 'id' | 'token'>,
  start: number,
  text: string | Buffer,
  {
    headers = {},
    at = gateway,
    query = '',
  }: { headers?: Record<string, string>; at?: typeof gateway; query?: string } = {},
) {
  const bytes = Buffer.from(text as string);
  const answer = await fetch(`${at.url}/api/v4/jobs/${job.id}/trace${query}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'text/plain',
      'content-range': `${start}-${start + bytes.length - 1}`,
      'job-token': job.token,
      ...headers,
    },
    body: bytes,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const logOf = (job: { readonly id: number }, token: string | undefined = tokens.maintainer) =>
  rest('GET', `${code.path}/jobs/${job.id}/trace`, { token });

/** All files of jobs. */
async function filesOf(): Promise<string[]> {
  const root = join(gateway.dataDir, 'job-files');
  const folders = await readdir(root).catch(() => []);
  return (
    await Promise.all(folders.map(async (one) => (await readdir(join(root, one))).map((file) => join(root, one, file))))
  ).flat();
}

describe('the log of a job', () => {
  test('is sent in pieces, and read whole', async () => {
    const job = await newJob();
    const first = await append(job, 0, 'one\n');
    expect(first.status).toBe(202);
    expect(first.text).toBe('');
    expect(
      Object.fromEntries(
        ['range', 'job-status', 'x-gitlab-trace-update-interval'].map((name) => [name, first.headers.get(name)]),
      ),
    ).toEqual({
      range: '0-4',
      'job-status': 'running',
      'x-gitlab-trace-update-interval': '60',
    });
    expect((await append(job, 4, '\u001b[32mtwo\u001b[0m\r\n')).headers.get('range')).toBe('0-18');
    const { status, text, headers } = await logOf(job);
    expect(status).toBe(200);
    expect(text).toBe('one\n\u001b[32mtwo\u001b[0m\r\n');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`infile; filename="${job.id}.log"`);
    expect((await logOf(await newJob())).text).toBe('');
  });

  test('goes on where it ends, and nowhere else', async () => {
    const job = await newJob();
    await append(job, 0, 'hello world');
    for (const start of [0, 8, 12]) {
      const { status, headers, text } = await append(job, start, 'again');
      expect([start, status, headers.get('range')]).toEqual([start, 416, '0-11']);
      expect(JSON.parse(text)).toEqual({ error: '416 Range Not Satisfiable' });
    }
    expect((await append(job, 11, '')).status).toBe(202);
    expect((await append(job, 11, '!', { headers: { 'content-range': '11-11/12' } })).headers.get('range')).toBe(
      '0-12',
    );
    expect((await logOf(job)).text).toBe('hello world!');
  });

  test('needs to say where a piece begins', async () => {
    const job = await newJob();
    const { status, body } = await rest('PATCH', `/api/v4/jobs/${job.id}/trace`, {
      headers: { 'job-token': job.token },
    });
    expect([status, body]).toEqual([400, { error: '400 Missing header Content-Range' }]);
    const wrong = await append(job, 0, 'x', { headers: { 'content-range': 'all' } });
    expect([wrong.status, wrong.text]).toEqual([400, '{"error":"400 Invalid header Content-Range"}']);
  });

  test('is written by its own runner alone, while it runs', async () => {
    const job = await newJob();
    const other = await newJob();
    for (const token of [other.token, 'wrong', tokens.root, '']) {
      const { status, headers } = await append({ id: job.id, token }, 0, 'x');
      expect([token, status, headers.get('job-status')]).toEqual([token, 403, null]);
    }
    expect((await append({ id: 2_147_483_647, token: job.token }, 0, 'x')).status).toBe(403);
    expect((await append({ id: 9_999_999_999, token: job.token }, 0, 'x')).status).not.toBe(500);
    await endJob(gateway, job.id, 'canceled');
    const { status, headers } = await append(job, 0, 'x');
    expect([status, headers.get('job-status')]).toEqual([403, 'canceled']);
    expect((await append({ id: job.id, token: other.token }, 0, 'x')).headers.get('job-status')).toBe(null);
    expect((await logOf(job)).text).toBe('');
  });

  test('isn’t kept from its runner by another token', async () => {
    const job = await newJob();
    expect((await append(job, 0, 'one')).status).toBe(202);
    await gateway.gateway.application.database.transaction(async (own) => {
      expect(await own.rows(growTrace, [job.id, digest('wrong'), 3, 4, false])).toEqual([]);
      expect((await append(job, 3, ' two')).status).toBe(202);
    });
    expect((await logOf(job)).text).toBe('one two');
  });

  test('has one writer at a time, in however many gateways', async () => {
    const job = await newJob();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        append(job, 0, String.fromCodePoint(97 + index).repeat(1_000), { at: index % 2 === 0 ? gateway : second }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.every((status) => [202, 409, 416].includes(status))).toBe(true);
    const { text } = await logOf(job);
    expect(text).toBe(String.fromCodePoint(97 + statuses.indexOf(202)).repeat(1_000));
  });

  test('has whole pieces of two gateways that write at once, each where it was accepted', async () => {
    const job = await newJob();
    const accepted = new Map<number, string>();
    const write = async (letter: string, at: typeof gateway) => {
      for (let [start, count] = [0, 0]; count < 10;) {
        const text = letter.repeat(1_000 + 100 * count);
        const { status, headers } = await append(job, start, text, { at });
        expect([202, 409, 416]).toContain(status);
        if (status === 202) {
          accepted.set(start, text);
          count++;
        }
        if (status !== 409) start = Number(headers.get('range')!.split('-')[1]);
      }
    };
    await Promise.all([write('a', gateway), write('b', second)]);
    const pieces = [...accepted].sort(([one], [other]) => one - other);
    expect(pieces).toHaveLength(20);
    expect((await logOf(job)).text).toBe(pieces.map(([, text]) => text).join(''));
  });

  test('shows nothing of half a piece, and goes on after a crash', async () => {
    const job = await newJob();
    const before = new Set(await filesOf());
    await append(job, 0, 'acknowledged');
    const [file] = (await filesOf()).filter((one) => !before.has(one));
    // As after a crash between the bytes and the row.
    await appendFile(file!, 'half a pie');
    expect((await logOf(job)).text).toBe('acknowledged');
    expect((await append(job, 12, ' more')).status).toBe(202);
    expect((await logOf(job)).text).toBe('acknowledged more');
    // As after a crash of the machine that lost what wasn’t flushed.
    await truncate(file!, 5);
    const { status, headers } = await append(job, 17, 'x');
    expect([status, headers.get('range')]).toEqual([416, '0-5']);
    expect((await append(job, 5, 'WLEDGED', { at: second })).status).toBe(202);
    expect((await logOf(job)).text).toBe('acknoWLEDGED');
    // The same of all of it.
    await rm(file!);
    const gone = await append(job, 12, 'x', { at: second });
    expect([gone.status, gone.headers.get('range')]).toEqual([416, '0-0']);
    expect((await append(job, 0, 'again')).status).toBe(202);
    expect((await append(job, 5, ' whole', { at: second })).status).toBe(202);
    expect((await logOf(job)).text).toBe('again whole');
  });

  test('is read as far as it is there, while a piece is counted that isn’t written yet', async () => {
    const job = await newJob();
    const counted = (size: number) => sql('update ci_traces set size = $2 where job_id = $1', [job.id, size]);
    expect((await append(job, 0, '')).status).toBe(202);
    await counted(9);
    expect(await logOf(job)).toMatchObject({ status: 200, text: '' });
    await counted(0);
    expect((await append(job, 0, 'begun')).status).toBe(202);
    await counted(9);
    expect(await logOf(job)).toMatchObject({ status: 200, text: 'begun' });
    // Its gateway died: the runner sends it again.
    const { status, headers } = await append(job, 9, 'x', { at: second });
    expect([status, headers.get('range')]).toEqual([416, '0-5']);
    expect((await append(job, 5, ' again')).status).toBe(202);
    expect((await logOf(job)).text).toBe('begun again');
  });

  test('has all that was acknowledged, whatever a crash kept out of its row or its file', async () => {
    const job = await newJob();
    const counted = (size: number) => sql('update ci_traces set size = $2 where job_id = $1', [job.id, size]);
    // PostgreSQL crashed before it wrote the size to the disk.
    await append(job, 0, 'acknowledged');
    await counted(0);
    expect((await append(job, 12, ' once', { at: second })).headers.get('range')).toBe('0-17');
    // A gateway was killed after it gave the row the size of a piece, and the runner sends that again.
    await counted(22);
    expect((await append(job, 17, ' more', { at: second })).headers.get('range')).toBe('0-22');
    expect((await logOf(job)).text).toBe('acknowledged once more');
    await counted(12);
    const { status } = await rest('PUT', `/api/v4/jobs/${job.id}`, { json: { token: job.token, state: 'success' } });
    expect(status).toBe(200);
    expect((await logOf(job)).text).toBe('acknowledged once more');
  });

  test.each([
    ['ext4', 0xef53, true],
    ['tmpfs', 0x01021994, true],
    ['NFS', 0x6969, false],
    ['SMB', 0xfe534d42, false],
    ['FUSE', 0x65735546, false],
  ])('stays open only where other machines see at once what is written: %s', (_name, type, isOpen) => {
    expect(mayStayOpen(type)).toBe(isOpen);
  });

  test('is kept where only the gateway reads it, by a name of its own', async () => {
    const before = new Set(await filesOf());
    await append(await newJob(), 0, 'secret');
    const made = (await filesOf()).filter((one) => !before.has(one));
    expect(made).toHaveLength(1);
    expect((await stat(made[0]!)).mode & 0o777).toBe(0o600);
    expect((await stat(join(made[0]!, '..'))).mode & 0o777).toBe(0o700);
    expect(await readFile(made[0]!, 'utf8')).toBe('secret');
  });

  test('ends the job when it is too long', async () => {
    const job = await newJob();
    expect((await append(job, 0, 'x'.repeat(1_048_576))).status).toBe(202);
    const { status, headers } = await append(job, 1_048_576, 'x');
    expect([status, headers.get('job-status')]).toEqual([403, 'failed']);
    const [row] = await sql<{ status: string; failure_reason: string }>(
      'select j.status, j.failure_reason, p.status as pipeline from ci_jobs j join pipelines p on p.id = j.pipeline_id where j.id = $1',
      [job.id],
    );
    expect(row).toEqual({ status: 'failed', failure_reason: 'trace_size_exceeded', pipeline: 'failed' });
    expect((await logOf(job)).text).toHaveLength(1_048_576);
  });
});

describe('the page of a job', () => {
  const esc = '\u001b';
  const log = [
    `section_start:1:prepare[collapsed=true]\r${esc}[0K${esc}[36;1mPreparing${esc}[0;m`,
    'inside <script>alert(1)</script>',
    `section_end:2:prepare\r${esc}[0K${esc}[38;2;1;2;3mfine${esc}[0m`,
    '10%\r50%\r100% done\r',
    `${esc}]8;;https://evil.example/${esc}\\link${esc}]8;;${esc}\\`,
    'the end',
    '',
  ].join('\n');

  test('shows its log by lines, in sections and colours, with nothing that runs', async () => {
    const job = await newJob();
    await append(job, 0, log);
    const mary = await signIn(gateway, 'maintainer');
    const page = await mary.get(`/${code.fullPath}/-/jobs/${job.id}`);
    expect(page.status).toBe(200);
    expect(page.html).toContain('<span class="ansi-bold ansi-cyan-fg">Preparing</span>');
    expect(page.html).toContain('inside &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.html).toContain('<code>fine</code>');
    expect(page.html).toContain('<code>100% done</code>');
    expect(page.html).toMatch(/<a href="#L1" id="L1"[^>]*>1<\/a><details><summary><code>/);
    expect(page.html).toContain('href="#L6" id="L6"');
    expect(page.html).not.toMatch(/ style="|evil\.example|section_start/);
    expect(page.html).toContain('data-live=');
    await endJob(gateway, job.id);
    const over = await mary.get(`/${code.fullPath}/-/jobs/${job.id}`);
    expect(over.html).not.toContain('data-live=');
    const raw = await fetch(`${gateway.url}/${code.fullPath}/-/jobs/${job.id}/raw`);
    expect(raw.status).not.toBe(200);
  });

  test('is sent as it grows to those who are signed in, until the job ends', async () => {
    const job = await newJob();
    await append(job, 0, 'first\n');
    const mary = await signIn(gateway, 'maintainer');
    const address = `/${code.fullPath}/-/jobs/${job.id}/live`;
    const anonymous = await fetch(gateway.url + address, { redirect: 'manual' });
    expect(anonymous.status).toBe(303);
    const cookie = [...mary.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(gateway.url + address, { headers: { cookie } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    let text = '';
    const read = (async () => {
      for await (const piece of answer.body!) text += Buffer.from(piece).toString();
    })();
    const until = async (sign: string) => {
      for (let tries = 0; !text.includes(sign); tries++) {
        if (tries > 200) throw new Error(`${sign} isn’t in ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await until('first');
    const { headers } = await append(job, 6, 'second <b>\n');
    expect(headers.get('x-gitlab-trace-update-interval')).toBe('3');
    await until('second &lt;b&gt;');
    await endJob(gateway, job.id);
    await read;
    expect(text).toMatch(/event: end\ndata:\n\n$/);
  });

  test('leaves out the beginning of a long log', async () => {
    const job = await newJob();
    await append(job, 0, `${'a line of a log that is long\n'.repeat(20_000)}last\n`);
    const mary = await signIn(gateway, 'maintainer');
    const { html, text } = await mary.get(`/${code.fullPath}/-/jobs/${job.id}`);
    expect(text).toContain('The beginning is left out');
    expect(html).toContain('<code>last</code>');
    expect(html.length).toBeLessThan(2_000_000);
  });
});
