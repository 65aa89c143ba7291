import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { rememberMasks } from '../../src/schema/pipelines/traces/masks.ts';
import { variablesOfNeeded } from '../../src/schema/pipelines/artifacts/reports.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { gzip, upload, zipNaming, zipOf } from './support/artifacts.ts';
import { endJob, pendingJob, runningJob, type Wanted } from './support/jobs.ts';
import { TestRunner } from './support/runner.ts';

const gateway = await testGateway({ CAUSEWAY_MAX_ARTIFACT: '1' });
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;

let code: Code;
let sha: string;
beforeAll(async () => {
  code = await newCode(gateway);
  sha = await code.commit({ 'a.txt': 'a' });
});

const newJob = (wanted: Wanted = {}, at: Code = code, of = sha) => runningJob(gateway, { ...at, sha: of }, wanted);
const archive = () => zipOf({ 'out/a.txt': 'the letter a', 'out/index.html': '<script>alert(1)</script>' });

/** What a path below the jobs of the project answers, as bytes. */
async function get(
  path: string,
  {
    as = token,
    headers = {},
    method = 'GET',
  }: { as?: string | null; headers?: Record<string, string>; method?: string } = {},
) {
  const answer = await fetch(`${gateway.url}${code.path}/jobs/${path}`, {
    method,
    headers: { ...(as && { 'private-token': as }), ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The token of somebody with a role in the project. */
async function tokenOf(role: 'guest' | 'reporter' | 'developer', suffix = 'artifacts'): Promise<string> {
  const person = await newUser(gateway, `${role}-${suffix}`);
  await addMember(gateway, person, role.toUpperCase() as 'GUEST', { project: code.fullPath });
  return person.token;
}

const runJob = async () => {
  const { runJob: run } = await import('../../src/maintenance.ts');
  const { readConfig } = await import('../../src/config/index.ts');
  const { secretKey } = await import('../support/run/global-setup.ts');
  return await run(
    readConfig({
      DATABASE_URL: gateway.databaseUrl,
      DATA_DIR: gateway.dataDir,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_LOG_LEVEL: 'error',
    }),
    'remove_job_files',
  );
};

async function countFiles(): Promise<number> {
  const root = join(gateway.dataDir, 'job-files');
  const folders = await readdir(root).catch(() => []);
  return (await Promise.all(folders.map((one) => readdir(join(root, one))))).flat().length;
}

describe('the artifacts of a job', () => {
  test('are sent by its runner, and downloaded whole, in part, or one file of them', async () => {
    const job = await newJob();
    const bytes = await archive();
    expect(await upload(gateway, job, bytes)).toMatchObject({ status: 201 });
    const whole = await get(`${job.id}/artifacts`);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="artifacts\.zip"/);
    expect(whole.headers.get('content-length')).toBe(String(bytes.length));
    const part = await get(`${job.id}/artifacts`, { headers: { range: 'bytes=4-9' } });
    expect([part.status, part.headers.get('content-range'), part.bytes.equals(bytes.subarray(4, 10))]).toEqual([
      206,
      `bytes 4-9/${bytes.length}`,
      true,
    ]);
    expect((await get(`${job.id}/artifacts`, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
    expect((await get(`${job.id}/artifacts`, { headers: { range: 'bytes=-3' } })).bytes.length).toBe(3);
    const head = await get(`${job.id}/artifacts`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const one = await get(`${job.id}/artifacts/out/a.txt`);
    expect([one.status, one.bytes.toString(), one.headers.get('content-length')]).toEqual([200, 'the letter a', '12']);
    const page = await get(`${job.id}/artifacts/out/index.html`);
    expect([page.headers.get('content-type'), page.headers.get('x-content-type-options')]).toEqual([
      'application/octet-stream',
      'nosniff',
    ]);
    expect(page.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('are found by branch and name of the job, in the latest successful pipeline', async () => {
    const name = 'build all';
    const old = await newJob({ name });
    await upload(gateway, old, await zipOf({ 'a/b.txt': 'old' }));
    const newer = await newJob({ name });
    await upload(gateway, newer, await zipOf({ 'a/b.txt': 'newer' }));
    const failed = await newJob({ name });
    await upload(gateway, failed, await zipOf({ 'a/b.txt': 'failed' }));
    for (const [job, status] of [
      [old, 'success'],
      [newer, 'success'],
      [failed, 'failed'],
    ] as const) {
      await endJob(gateway, job.id, status);
      await sql('update pipelines set status = $2 where id = $1', [job.pipelineId, status]);
    }
    const query = `?job=${encodeURIComponent(name)}`;
    expect((await get(`artifacts/main/raw/a/b.txt${query}`)).bytes.toString()).toBe('newer');
    expect((await get(`artifacts/main/download${query}`)).bytes.length).toBeGreaterThan(100);
    expect((await get(`artifacts/other/download${query}`)).status).toBe(404);
    expect((await get('artifacts/main/download?job=nothing')).status).toBe(404);
    const without = await get('artifacts/main/download');
    expect([without.status, without.bytes.toString()]).toEqual([400, '{"error":"job is missing"}']);
  });

  test('are fetched by jobs that come later, with their own token', async () => {
    const job = await newJob();
    const bytes = await archive();
    await upload(gateway, job, bytes);
    const fetched = async (own: string) => {
      const answer = await fetch(`${gateway.url}/api/v4/jobs/${job.id}/artifacts?direct_download=true`, {
        headers: { 'job-token': own },
      });
      return [answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)];
    };
    expect(await fetched(job.token)).toEqual([200, true]);
    const later = await newJob({ name: 'deploy' });
    expect(await fetched(later.token)).toEqual([403, false]);
    await sql('update ci_jobs set pipeline_id = $2, stage_index = 3 where id = $1', [later.id, job.pipelineId]);
    expect(await fetched(later.token)).toEqual([200, true]);
    await endJob(gateway, later.id);
    expect(await fetched(later.token)).toEqual([403, false]);
    expect(await fetched('')).toEqual([403, false]);
  });

  test('that have expired, or were erased, fail the jobs that need them', async () => {
    const artifacts = {
      paths: ['out'],
      exclude: [],
      untracked: false,
      when: 'on_success',
      public: true,
      reports: {},
    } as const;
    const built = async (expireIn: string) => {
      const job = await newJob({ name: 'build', plan: { artifacts: { ...artifacts, expireIn } } });
      expect((await upload(gateway, job, await archive())).status).toBe(201);
      await endJob(gateway, job.id);
      const later = await pendingJob(gateway, { ...code, sha }, { name: 'deploy' });
      await sql('update ci_jobs set pipeline_id = $2, stage_index = 3 where id = $1', [later.id, job.pipelineId]);
      return { build: job.id, deploy: later.id };
    };
    const there = await built('never');
    const expired = await built('1 day');
    await sql("update ci_jobs set finished_at = now() - interval '2 days' where id = $1", [expired.build]);
    await sql('delete from ci_artifacts where job_id = $1', [expired.build]);
    const erased = await built('never');
    await sql('update ci_jobs set erased_at = now() where id = $1', [erased.build]);
    const { body: made } = await rest('POST', '/api/v4/user/runners', {
      token,
      json: { runner_type: 'project_type', project_id: code.id },
    });
    const runner = new TestRunner({ url: gateway.url, token: made.token });
    const given = (await runner.request())!;
    expect(given).toMatchObject({ id: there.deploy, dependencies: [{ id: there.build, name: 'build' }] });
    expect(await runner.request()).toBeUndefined();
    for (const { deploy } of [expired, erased])
      expect((await rest('GET', `${code.path}/jobs/${deploy}`, { token })).body).toMatchObject({
        status: 'failed',
        failure_reason: 'missing_dependency_failure',
      });
  });

  test('are refused from anybody but the runner, and when the job is over', async () => {
    const job = await newJob();
    const bytes = await archive();
    for (const wrong of ['', 'wrong', token, (await newJob()).token])
      expect([wrong, (await upload(gateway, job, bytes, { token: wrong })).status]).toEqual([wrong, 403]);
    expect(await get(`${job.id}/artifacts`)).toMatchObject({ status: 404 });
    await endJob(gateway, job.id, 'canceled');
    const { status, headers } = await upload(gateway, job, bytes);
    expect([status, headers.get('job-status')]).toEqual([403, 'canceled']);
  });

  test('that are refused are read to their end, by clients that read no answer before that', async () => {
    const job = await newJob();
    for (const [query, sent, status] of [
      ['artifact_format=tar', job.token, 400],
      ['', 'wrong', 403],
    ] as const) {
      const answer = await new Promise<number | Error>((resolve) => {
        const sending = request(`${gateway.url}/api/v4/jobs/${job.id}/artifacts?${query}`, {
          method: 'POST',
          agent: false,
          headers: {
            connection: 'close',
            'job-token': sent,
            'content-type': 'multipart/form-data; boundary=x',
            'content-length': 20_000_000,
          },
        });
        sending.once('error', resolve);
        let answered = 0;
        sending.once('response', (response) => {
          answered = response.statusCode!;
          response.resume();
        });
        const piece = Buffer.alloc(1_000_000);
        const write = (left: number) => {
          if (left === 0) return void sending.end(() => void sending.once('close', () => resolve(answered)));
          sending.write(piece, () => setImmediate(write, left - 1));
        };
        write(20);
      });
      expect([query, answer]).toEqual([query, status]);
    }
  });

  test('are refused where they aren’t what they should be', async () => {
    const job = await newJob();
    const bytes = await archive();
    const cases = [
      [{ kind: 'nothing' }, 400],
      [{ kind: 'trace' }, 400],
      [{ kind: 'constructor' }, 400],
      [{ kind: 'junit', format: 'zip' }, 400],
      [{ format: 'tar' }, 400],
      [{ expireIn: 'soon' }, 400],
      [{ field: 'other' }, 400],
    ] as const;
    for (const [sent, status] of cases)
      expect([sent, (await upload(gateway, job, bytes, sent)).status]).toEqual([sent, status]);
    const plain = await fetch(`${gateway.url}/api/v4/jobs/${job.id}/artifacts`, {
      method: 'POST',
      headers: { 'job-token': job.token, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    });
    expect(plain.status).toBe(400);
    expect((await upload(gateway, job, Buffer.alloc(1_048_577))).status).toBe(413);
    expect((await upload(gateway, job, Buffer.alloc(3_000_000))).status).toBe(413);
    expect((await get(`${job.id}/artifacts`)).status).toBe(404);
    expect(await upload(gateway, job, bytes)).toMatchObject({ status: 201 });
    // A runner that didn’t get the answer sends it again.
    expect(await upload(gateway, job, bytes)).toMatchObject({ status: 201 });
    expect((await upload(gateway, job, await zipOf({ b: 'b' }))).status).toBe(400);
    expect((await get(`${job.id}/artifacts`)).bytes.equals(bytes)).toBe(true);
  });

  test('aren’t half there after a client that disconnects', async () => {
    const job = await newJob();
    await new Promise<void>((resolve) => {
      const sending = request(`${gateway.url}/api/v4/jobs/${job.id}/artifacts`, {
        method: 'POST',
        headers: {
          'job-token': job.token,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': '100000',
        },
      });
      sending.on('error', () => resolve());
      sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf', () =>
        setTimeout(() => sending.destroy(), 50),
      );
    });
    expect((await get(`${job.id}/artifacts`)).status).toBe(404);
    expect(await upload(gateway, job, await archive())).toMatchObject({ status: 201 });
  });

  test('have a name that no client chose', async () => {
    const job = await newJob();
    await upload(gateway, job, await archive(), { filename: '../../../etc/passwd' });
    const [row] = await sql<{ filename: string; location: string }>(
      'select filename, location from ci_artifacts where job_id = $1',
      [job.id],
    );
    expect(row!.filename).toBe('artifacts.zip');
    expect(row!.location).toMatch(/^[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  });

  test('are seen by those who read jobs; not public ones by developers', async () => {
    const job = await newJob();
    await upload(gateway, job, await archive());
    const secret = await newJob({
      plan: {
        artifacts: { paths: ['out'], exclude: [], untracked: false, when: 'always', public: false, reports: {} },
      },
    });
    await upload(gateway, secret, await archive());
    const [reporter, guest, developer] = await Promise.all([
      tokenOf('reporter'),
      tokenOf('guest'),
      tokenOf('developer'),
    ]);
    const statusesOf = async (path: string) =>
      Promise.all([null, guest, reporter, developer].map(async (as) => (await get(path, { as })).status));
    await sql(`update projects set attributes = attributes || '{"publicJobs": false}' where id = $1`, [code.id]);
    for (const path of ['artifacts', 'artifacts/out/a.txt']) {
      expect(await statusesOf(`${job.id}/${path}`)).toEqual([404, 403, 200, 200]);
      expect(await statusesOf(`${secret.id}/${path}`)).toEqual([404, 403, 403, 200]);
    }
  });

  test('expire, are kept, and are deleted', async () => {
    const soon = await newJob();
    await upload(gateway, soon, await archive(), { expireIn: '1 week' });
    const never = await newJob();
    await upload(gateway, never, await archive(), { expireIn: 'never' });
    const days = async (id: number) =>
      (
        await sql<{ days: number | null }>(
          `select round(extract(epoch from expires_at - now()) / 86400)::int as days from ci_artifacts where job_id = $1`,
          [id],
        )
      )[0]!.days;
    expect([await days(soon.id), await days(never.id)]).toEqual([7, null]);
    await sql(`update ci_artifacts set expires_at = now() - interval '1 second' where job_id = $1`, [soon.id]);
    expect((await get(`${soon.id}/artifacts`)).status).toBe(404);
    const before = await countFiles();
    await runJob();
    expect(await countFiles()).toBeLessThan(before);
    expect((await get(`${never.id}/artifacts`)).status).toBe(200);
    await sql(`update ci_artifacts set expires_at = now() + interval '1 day' where job_id = $1`, [never.id]);
    const kept = await rest('POST', `${code.path}/jobs/${never.id}/artifacts/keep`, { token });
    expect([kept.status, kept.body.artifacts_expire_at, kept.body.artifacts_file]).toEqual([
      200,
      null,
      { filename: 'artifacts.zip', size: expect.any(Number) },
    ]);
    expect(await days(never.id)).toBe(null);
    expect((await rest('POST', `${code.path}/jobs/${soon.id}/artifacts/keep`, { token })).status).toBe(404);
    const forbidden = await rest('DELETE', `${code.path}/jobs/${never.id}/artifacts`, { token: tokens.guest });
    expect([403, 404]).toContain(forbidden.status);
    expect((await rest('DELETE', `${code.path}/jobs/${never.id}/artifacts`, { token })).status).toBe(204);
    expect((await get(`${never.id}/artifacts`)).status).toBe(404);
  });

  test('go with their job, and nothing that a row names does', async () => {
    const gone = await newJob();
    await upload(gateway, gone, await archive());
    const stays = await newJob();
    await upload(gateway, stays, await archive());
    await runJob();
    const before = await countFiles();
    await sql('delete from pipelines where id = $1', [gone.pipelineId]);
    await runJob();
    expect(await countFiles()).toBe(before - 1);
    expect((await get(`${stays.id}/artifacts`)).status).toBe(200);
    const rows = await sql<{ n: number }>(
      'select count(*)::int as n from ci_artifacts where job_id is null and complete',
    );
    expect(rows[0]!.n).toBe(0);
  });

  test('are listed with the log of a job that is over', async () => {
    const job = await newJob();
    await upload(gateway, job, await archive());
    await fetch(`${gateway.url}/api/v4/jobs/${job.id}/trace`, {
      method: 'PATCH',
      headers: { 'job-token': job.token, 'content-range': '0-3' },
      body: 'done',
    });
    await endJob(gateway, job.id);
    const { data } = await graphql<{ project: { pipeline: { jobs: { nodes: unknown[] } } } }>(
      `
        query ($path: ID!, $id: CiPipelineID!) {
          project(fullPath: $path) {
            pipeline(id: $id) {
              jobs {
                nodes {
                  artifacts {
                    nodes {
                      name
                      fileType
                      fileFormat
                      size
                      downloadPath
                    }
                  }
                }
              }
            }
          }
        }
      `,
      { token, variables: { path: code.fullPath, id: String(job.pipelineId) } },
    );
    expect(data!.project.pipeline.jobs.nodes).toEqual([
      {
        artifacts: {
          nodes: [
            {
              name: 'artifacts.zip',
              fileType: 'ARCHIVE',
              fileFormat: 'zip',
              size: expect.any(Number),
              downloadPath: `/${code.fullPath}/-/jobs/${job.id}/artifacts/download?file_type=archive`,
            },
            { name: 'job.log', fileType: 'TRACE', fileFormat: 'raw', size: 4, downloadPath: expect.any(String) },
          ],
        },
      },
    ]);
  });
});

describe('an archive that nobody trusts', () => {
  async function withArchive(bytes: Buffer) {
    const job = await newJob();
    expect((await upload(gateway, job, bytes)).status).toBe(201);
    return (path: string) => get(`${job.id}/artifacts/${path}`);
  }

  test('with names that lead elsewhere', async () => {
    for (const name of ['../../etc/passwd', '/etc/passwd', 'a/../../b', 'c:\\windows\\x']) {
      const file = await withArchive(await zipNaming(name, 'secret'));
      for (const path of [name, encodeURIComponent(name), 'etc/passwd', 'b'])
        expect([name, path, [400, 404].includes((await file(path)).status)]).toEqual([name, path, true]);
    }
  });

  test('with links', async () => {
    const file = await withArchive(await zipNaming('link.txt', '/etc/passwd', 0o120777));
    expect((await file('link.txt')).status).toBe(404);
  });

  test('with two files of one name: the last counts, as when it is unpacked', async () => {
    const bytes = await zipOf({ 'a.txt': 'first', 'b.txt': 'last' });
    const file = await withArchive(Buffer.from(bytes.toString('latin1').replaceAll('b.txt', 'a.txt'), 'latin1'));
    expect((await file('a.txt')).bytes.toString()).toBe('last');
  });

  test('with a bomb', async () => {
    const file = await withArchive(await zipOf({ bomb: Buffer.alloc(50_000_000), 'a.txt': 'a' }));
    const before = process.memoryUsage().rss;
    const { status } = await file('bomb');
    expect(status).toBe(400);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    expect((await file('a.txt')).bytes.toString()).toBe('a');
  });

  test('with a size that lies', async () => {
    const bytes = await zipOf({ 'a.txt': 'a'.repeat(10_000) });
    // The uncompressed size in the central directory.
    const at = bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    bytes.writeUInt32LE(5, at + 24);
    const file = await withArchive(bytes);
    const outcome = await file('a.txt').catch(() => 'cut off');
    expect(outcome === 'cut off' || (outcome as { bytes: Buffer }).bytes.length <= 5).toBe(true);
  });

  test('that is encrypted, broken or none', async () => {
    const bytes = await zipOf({ 'a.txt': 'a' });
    const encrypted = Buffer.from(bytes);
    encrypted.writeUInt16LE(encrypted.readUInt16LE(6) | 1, 6);
    const central = encrypted.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    encrypted.writeUInt16LE(encrypted.readUInt16LE(central + 8) | 1, central + 8);
    expect((await (await withArchive(encrypted))('a.txt')).status).toBe(400);
    expect((await (await withArchive(bytes.subarray(0, 20)))('a.txt')).status).toBe(404);
    expect((await (await withArchive(Buffer.from('not a zip')))('a.txt')).status).toBe(404);
    expect((await (await withArchive(Buffer.alloc(0)))('a.txt')).status).toBe(404);
  });
});

describe('what is secret in a log', () => {
  const logOf = async (job: { id: number; token: string }, pieces: readonly string[]) => {
    let start = 0;
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      const { status } = await fetch(`${gateway.url}/api/v4/jobs/${job.id}/trace`, {
        method: 'PATCH',
        headers: { 'job-token': job.token, 'content-range': `${start}-${start + bytes.length - 1}` },
        body: bytes,
      });
      expect(status).toBe(202);
      start += bytes.length;
    }
    return (await get(`${job.id}/trace`)).bytes.toString();
  };

  test('is masked: the values of then, and those of now', async () => {
    const job = await newJob();
    const { application } = gateway.gateway;
    await rememberMasks(application.database, application, job.id, ['valueOfThen', job.token, 'Zü\nrich-line']);
    const created = await rest('POST', `${code.path}/variables`, {
      token,
      json: { key: 'DEPLOY', value: 'valueOfNow1', masked: true, environment_scope: 'production' },
    });
    expect(created.status).toBe(201);
    const shown = await logOf(job, [
      'a valueOf',
      'Then b value',
      `OfNow1 ${job.token} `,
      'rich-line c valueOfThe',
      'valueOfThen',
    ]);
    expect(shown).toBe('a [MASKED] b [MASKED] [MASKED] [MASKED] c valueOfThe[MASKED]');
    const changed = await rest('PUT', `${code.path}/variables/DEPLOY?filter[environment_scope]=production`, {
      token,
      json: { value: 'valueOfLater' },
    });
    expect(changed.status).toBe(200);
    expect((await get(`${job.id}/trace`)).bytes.toString()).toContain('[MASKED] b valueOfNow1');
  });

  test('is masked where it lies across the pieces that a file is read in', async () => {
    const job = await newJob();
    const { application } = gateway.gateway;
    await rememberMasks(application.database, application, job.id, ['S3CRET-VALUE']);
    const filler = 'x'.repeat(65_530);
    const shown = await logOf(job, [`${filler}S3CRET-VALUE${filler}S3CRET-VALUE`]);
    expect(shown).toBe(`${filler}[MASKED]${filler}[MASKED]`);
  });

  test('is for developers where the job wrote everything it did', async () => {
    const job = await newJob();
    const bytes = Buffer.from('everything');
    await fetch(`${gateway.url}/api/v4/jobs/${job.id}/trace?debug_trace=true`, {
      method: 'PATCH',
      headers: { 'job-token': job.token, 'content-range': '0-9' },
      body: bytes,
    });
    expect((await get(`${job.id}/trace`, { as: await tokenOf('reporter', 'debug') })).status).toBe(403);
    expect((await get(`${job.id}/trace`)).status).toBe(200);
  });
});

describe('reports', () => {
  const junit = (body: string) => gzip(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>${body}</testsuites>`);
  const report = (job: { id: number; token: string }, bytes: Buffer) =>
    upload(gateway, job, bytes, { kind: 'junit', format: 'gzip', filename: 'junit.xml.gz' });
  const testReport = async (id: number, of = 'test_report') =>
    (await rest('GET', `${code.path}/pipelines/${id}/${of}`, { token })).body;

  test('of tests are shown with their pipeline', async () => {
    const job = await newJob({ name: 'rspec' });
    const suite = `<testsuite name="a"><testcase classname="A" name="works" time="0.5" file="a.rb"/>
      <testcase classname="A" name="breaks" time="1"><failure message="no">expected &lt;1&gt;</failure></testcase></testsuite>`;
    const more = `<testsuite name="b"><testcase name="later"><skipped/></testcase><testcase name="wrong"><error><![CDATA[at <x>]]></error></testcase></testsuite>`;
    // A runner sends several files as one after the other.
    const sent = await report(job, Buffer.concat([junit(suite), junit(more)]));
    expect(sent).toMatchObject({ status: 201 });
    const body = await testReport(job.pipelineId);
    expect(body).toMatchObject({
      total_time: 1.5,
      total_count: 4,
      success_count: 1,
      failed_count: 1,
      skipped_count: 1,
      error_count: 1,
      test_suites: [
        {
          name: 'rspec',
          total_count: 4,
          suite_error: null,
          test_cases: [
            {
              status: 'success',
              name: 'works',
              classname: 'A',
              file: 'a.rb',
              execution_time: 0.5,
              system_output: null,
            },
            { status: 'failed', name: 'breaks', system_output: 'noexpected <1>' },
            { status: 'skipped', name: 'later' },
            { status: 'error', name: 'wrong', system_output: 'at <x>' },
          ],
        },
      ],
    });
    expect(await testReport(job.pipelineId, 'test_report_summary')).toMatchObject({
      total: { time: 1.5, count: 4, success: 1, failed: 1, skipped: 1, error: 1 },
    });
    const { data } = await gateway.graphql(
      `query ($path: ID!, $id: CiPipelineID!) { project(fullPath: $path) { pipeline(id: $id) {
         queuedDuration
         testReportSummary {
           total { time count success failed skipped error suiteError }
           testSuites { count nodes { name totalCount failedCount suiteError buildIds } }
         } } } }`,
      { token, variables: { path: code.fullPath, id: `gid://gitlab/Ci::Pipeline/${job.pipelineId}` } },
    );
    expect(data).toMatchObject({
      project: {
        pipeline: {
          testReportSummary: {
            total: { time: 1.5, count: 4, success: 1, failed: 1, skipped: 1, error: 1, suiteError: null },
            testSuites: {
              count: 1,
              nodes: [{ name: 'rspec', totalCount: 4, failedCount: 1, suiteError: null, buildIds: [String(job.id)] }],
            },
          },
        },
      },
    });
  });

  test('of tests that can’t be read say so', async () => {
    const cases: readonly [Buffer, RegExp][] = [
      [junit('<testcase>'), /parsing failed/],
      [Buffer.from('plain'), /gzip/],
      [gzip(`<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;&a;">]><x>&c;</x>`), /doctype/],
      [gzip(`<x>${'<y>'.repeat(1_000)}`), /levels/],
      [gzip(`<x>&lol;</x>`), /parsing failed/],
      [gzip('x'.repeat(60_000_000)), /too long|parsing failed/],
    ];
    for (const [bytes, problem] of cases) {
      const job = await newJob();
      expect((await report(job, bytes)).status).toBe(201);
      const { total_count: count, test_suites: suites } = await testReport(job.pipelineId);
      expect([count, suites[0].suite_error]).toEqual([0, expect.stringMatching(problem)]);
    }
    const empty = await newJob();
    expect(await testReport(empty.pipelineId)).toMatchObject({ total_count: 0, test_suites: [] });
  });

  test('of every kind are taken in the format in which runners are asked for them', async () => {
    const names =
      'accessibility annotations api_fuzzing browser_performance cluster_image_scanning codequality container_scanning coverage_fuzzing cyclonedx dast dependency_scanning dotenv junit license_scanning load_performance lsif metrics performance repository_xray requirements requirements_v2 sast secret_detection terraform'.split(
        ' ',
      );
    const reports = Object.fromEntries(names.map((name) => [name, ['*.report']]));
    const artifacts = { paths: [], exclude: [], untracked: false, when: 'always', public: true, reports } as const;
    const { id } = await pendingJob(gateway, { ...code, sha }, { plan: { artifacts } });
    const { body: made } = await rest('POST', '/api/v4/user/runners', {
      token,
      json: { runner_type: 'project_type', project_id: code.id },
    });
    const given = (await new TestRunner({ url: gateway.url, token: made.token }).request())!;
    expect(given.id).toBe(id);
    expect(given.artifacts).toHaveLength(names.length);
    for (const { artifact_type: kind, artifact_format: format } of given.artifacts!) {
      const bytes = format === 'zip' ? await zipOf({ 'a.report': '' }) : gzip('');
      expect([kind, (await upload(gateway, given, bytes, { kind, format })).status]).toEqual([kind, 201]);
    }
  });

  test('of variables reach the jobs that need this one', async () => {
    const job = await newJob();
    const env = (text: string) =>
      upload(gateway, job, gzip(text), { kind: 'dotenv', format: 'gzip', filename: '.env.gz' });
    expect((await env('no equals sign')).body).toEqual({ message: '400 Bad request - Invalid Format' });
    expect((await env(`A=${'x'.repeat(5_121)}`)).status).toBe(400);
    expect((await env(Array.from({ length: 21 }, (_, index) => `K${index}=1`).join('\n'))).status).toBe(400);
    expect(await env('URL=https://x.example/?a=b\n\nQUOTED="two words"\nURL=last\n')).toMatchObject({ status: 201 });
    const { application } = gateway.gateway;
    expect(await variablesOfNeeded(application, [job.id])).toEqual([
      { key: 'QUOTED', value: 'two words' },
      { key: 'URL', value: 'last' },
    ]);
    const [stored] = await sql<{ sealed: Buffer }>('select sealed from ci_reported_variables where job_id = $1', [
      job.id,
    ]);
    expect(stored!.sealed.includes('words')).toBe(false);
  });
});
