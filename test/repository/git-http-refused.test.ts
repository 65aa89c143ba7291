import { randomBytes } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../src/schema/repository/writing/reconcile.ts';
import { gitClient, plainGit } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember } from '../support/places/people.ts';
import { runSync } from '../support/run/programs.ts';
import { runs } from '../support/run/runs.ts';
import { filledProject, gitUrl } from './support/clone.ts';
import { expectSound, folderOf, refsIn } from './support/journal.ts';
import { newProject } from './support/project.ts';

// Without jobs: whoever waits for a row here is a push.
const gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
const { tokens, sql } = gateway;
const token = tokens.maintainer;
const filled = () => filledProject(gateway);

async function developerOf(project: { fullPath: string }): Promise<string> {
  const [user] = await sql<{ id: string }>(`select id::text from users where username = 'developer'`);
  await addMember(gateway, user!, 'DEVELOPER', { project: project.fullPath });
  return gitUrl(gateway, project, tokens.developer);
}

describe('a push is refused', () => {
  test('as a whole, in words that the person sees', async () => {
    const { project, push, git, commit, first } = await filled();
    git('checkout', '--quiet', '-b', 'topic');
    commit('topic');
    const hexadecimal = 'a'.repeat(40);
    const refused = await push('topic', `topic:refs/heads/${hexadecimal}`);
    expect(refused.code).toBe(1);
    expect(refused.text).toMatch(
      /remote: You cannot create a branch with a 40-character hexadecimal branch name\. *\n/,
    );
    expect(refused.text).toContain('[remote rejected] topic -> topic (pre-receive hook declined)');
    expect((await push('--delete', 'main')).text).toContain(
      'remote: The default branch of a project cannot be deleted.',
    );
    git('checkout', '--quiet', 'main');
    git('commit', '--quiet', '--amend', '-m', 'Again');
    expect((await push('--force', 'main')).text).toContain(
      'remote: You are not allowed to force push code to a protected branch on this project.',
    );
    expect((await push('main:refs/tags/main')).text).toContain(
      'remote: You cannot use default branch name to create a tag',
    );
    for (const ref of ['refs/heads/-x', 'refs/heads/HEAD', 'refs/heads/refs/heads/x'])
      expect((await push(`main:${ref}`)).text).toContain('remote: You cannot create a branch with an invalid name.');
    expect((await push('main:refs/tags/-x')).text).toContain(
      'remote: You cannot create a tag with a prohibited pattern.',
    );
    expect((await push('main:refs/keep-around/x')).text).toContain('deny updating a hidden ref');
    expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': first });
    await expectSound(gateway, project);
  });

  test('to developers, on a protected branch and on the first one', async () => {
    const { project, commit, folder, git, first } = await filled();
    const url = await developerOf(project);
    commit('second');
    const refused = await gitClient(folder, ['push', url, 'main']);
    expect(refused.text).toContain('remote: You are not allowed to push code to protected branches on this project.');
    expect(await gitClient(folder, ['push', url, 'main:refs/heads/topic'])).toMatchObject({ code: 0 });
    expect(refsIn(gateway, project)).toEqual({
      'refs/heads/main': first,
      'refs/heads/topic': git('rev-parse', 'main'),
    });
    const empty = await newProject(gateway);
    const begun = await gitClient(folder, ['push', await developerOf(empty), 'main']);
    expect(begun.text).toContain(`remote: A default branch (e.g. main) does not yet exist for ${empty.fullPath}`);
    expect(begun.text).toContain(`${gateway.url}/${empty.fullPath}/-/members`);
    await expectSound(gateway, project);
  });

  test('when a token is revoked or a right withdrawn while it is on its way', async () => {
    const { project, commit, git, folder, first } = await filled();
    const [user] = await sql<{ id: string }>(`select id::text from users where username = 'developer'`);
    await addMember(gateway, user!, 'DEVELOPER', { project: project.fullPath });
    const own = await gateway.personalToken('developer', ['write_repository']);
    const remote = gitUrl(gateway, project, own);
    commit('late');
    const late = async (ref: string, meanwhile: () => Promise<unknown>) => {
      const lock = await holdRow(project.id);
      const pushing = gitClient(folder, ['push', remote, `main:refs/heads/${ref}`]);
      await lock.awaited();
      await meanwhile();
      await lock.release();
      return await pushing;
    };
    const demoted = await late('one', () =>
      sql('update project_members set access_level = 20 where project_id = $1 and user_id = $2', [
        project.id,
        user!.id,
      ]),
    );
    expect(demoted.text).toContain('remote: You are not allowed to push code to this project.');
    await sql('update project_members set access_level = 30 where project_id = $1 and user_id = $2', [
      project.id,
      user!.id,
    ]);
    const archived = await late('two', () => sql('update projects set archived = true where id = $1', [project.id]));
    expect(archived.code).toBe(1);
    await sql('update projects set archived = false where id = $1', [project.id]);
    const access = async (level: string) => {
      // What stands on the repository can't be wider.
      const json = { repository_access_level: level, merge_requests_access_level: level, builds_access_level: level };
      expect((await gateway.rest('PUT', project.path, { token, json })).body).toMatchObject(json);
    };
    const switchedOff = await late('off', () => access('disabled'));
    expect(switchedOff.code).toBe(1);
    expect(switchedOff.text).toContain('remote: ');
    expect((await gitClient(folder, ['ls-remote', remote])).text).toMatch(/error: 403/);
    await access('enabled');
    expect(await gitClient(folder, ['push', remote, 'main:refs/heads/three'])).toMatchObject({ code: 0 });
    expect(refsIn(gateway, project)).toEqual({
      'refs/heads/main': first,
      'refs/heads/three': git('rev-parse', 'main'),
    });
    const revoked = await late('four', () =>
      sql(
        'update personal_access_tokens set revoked_at = now() where id = (select max(id) from personal_access_tokens where user_id = $1)',
        [user!.id],
      ),
    );
    expect(revoked.code).toBe(1);
    expect((await gitClient(folder, ['ls-remote', remote])).text).toContain('Authentication failed');
    expect(Object.keys(refsIn(gateway, project))).toHaveLength(2);
    await expectSound(gateway, project);
  });

  test('if it breaks off, and leaves nothing', async () => {
    const { project, first, commit, folder } = await filled();
    commit('large', randomBytes(20_000_000));
    const gone = new AbortController();
    const pushing = gitClient(folder, ['push', gitUrl(gateway, project, token), 'main'], {}, gone.signal);
    const { runner } = gateway.gateway.application.git.engine;
    const before = runner.jobs;
    await expect.poll(() => runner.jobs, { timeout: 10_000, interval: 5 }).toBeGreaterThan(before);
    gone.abort();
    expect((await pushing).code).not.toBe(0);
    await expect
      .poll(() => plainGit(folderOf(gateway, project), ['count-objects', '-v']), { timeout: 15_000 })
      .toContain('garbage: 0');
    expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': first });
    await expectSound(gateway, project);
  });
});

describe('after a crash', () => {
  /** What a writer leaves that dies between the commit of its transaction and git's. */
  const leave = async (ref: string, after: string) => {
    const made = await filled();
    const next = made.commit('next');
    await made.push('main:refs/heads/elsewhere');
    await sql(
      `insert into ref_changes (project_id, ref, before, after, created_at)
       values ($1, $2, $3, $4, now() - interval '31 seconds')`,
      [made.project.id, ref, ref === 'refs/heads/main' ? made.first : null, after === 'next' ? next : after],
    );
    return { ...made, next };
  };
  const reconcileNow = async () => {
    const { database, git } = gateway.gateway.application;
    const problems: unknown[] = [];
    const settled = await reconcile(database, git, {
      signal: new AbortController().signal,
      report: (...problem) => problems.push(problem),
    });
    expect(problems).toEqual([]);
    return settled;
  };

  test('the reconciler finishes what was recorded, and removes locks that nobody holds', async () => {
    const { project, next } = await leave('refs/heads/main', 'next');
    const locks = ['refs/heads/main.lock', 'refs/heads/fresh.lock'].map((name) =>
      join(folderOf(gateway, project), name),
    );
    for (const lock of locks) writeFileSync(lock, '');
    utimesSync(locks[0]!, 1, 1);
    expect(await reconcileNow()).toBe(1);
    expect(locks.map((lock) => existsSync(lock))).toEqual([false, true]);
    expect(refsIn(gateway, project)['refs/heads/main']).toBe(next);
    await expectSound(gateway, project);
    expect(await reconcileNow()).toBe(0);
  });

  test('the next push finishes it first', async () => {
    const { project, next, push, commit } = await leave('refs/heads/main', 'next');
    commit('more');
    // The client saw the former value: it is told, and fetches.
    expect((await push('main')).code).toBe(1);
    expect(refsIn(gateway, project)['refs/heads/main']).toBe(next);
    expect(await push('main')).toMatchObject({ code: 0 });
    await expectSound(gateway, project);
  });

  test('a lock that a killed git left ends at the next push', async () => {
    const { project, push, commit } = await filled();
    const lock = join(folderOf(gateway, project), 'refs/heads/main.lock');
    writeFileSync(lock, '');
    commit('second');
    expect((await push('main')).text).toContain('failed to update ref');
    utimesSync(lock, 1, 1);
    expect(await push('main')).toMatchObject({ code: 0 });
    await expectSound(gateway, project);
  });
});

/** Locks the row of a repository, as a writer does. */
async function holdRow(id: number) {
  const { database } = gateway.gateway.application;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let locked: () => void = () => undefined;
  const isLocked = new Promise<void>((resolve) => (locked = resolve));
  const transaction = database.prisma.$transaction(
    async (client) => {
      await client.$executeRaw`select from repositories where project_id = ${id} for update`;
      locked();
      await released;
    },
    { timeout: 20_000 },
  );
  await isLocked;
  return {
    /** Waits until a writer waits for the row. */
    awaited: () =>
      expect
        .poll(
          async () =>
            (await sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
              .length,
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0),
    async release() {
      release();
      await transaction;
    },
  };
}

describe('broken packets and packs', () => {
  /** A request of a push that is right but for its pack: some bytes of it differ, or are missing. */
  test('change nothing, whatever is wrong with them', async () => {
    const { project, first, commit, folder } = await filled();
    const next = commit('broken', randomBytes(3_000));
    const pack = runSync('git', ['pack-objects', '--revs', '--stdout', '--quiet'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      input: `${next}\n^${first}\n`,
    });
    const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
    const command = (old: string, now: string, ref: string) =>
      `${line(`${old} ${now} ${ref}\0report-status side-band-64k`)}0000`;
    const none = '0'.repeat(40);
    const whole = Buffer.concat([Buffer.from(command(none, next, 'refs/heads/x')), pack]);
    const want = Buffer.from(`0011command=fetch0001${line(`want ${first}\n`)}${line('done\n')}0000`);
    const nonsense = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constant(whole), fc.nat(whole.length - 1), fc.nat(255)).map(changed) },
      fc.nat(whole.length - 1).map((end) => whole.subarray(0, end)),
      fc.tuple(fc.constant(want), fc.nat(want.length - 1), fc.nat(255)).map(changed),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          '../../../etc/passwd',
          'refs/heads/../x',
          'refs/heads/-x',
          'HEAD',
          'refs/heads/a\nb',
          'refs/tmp/x',
        )
        .map((ref) => Buffer.concat([Buffer.from(command(none, next, ref)), pack])),
      fc.constantFrom('ffff', '0001', '0002', '0003', '-004', '000g').map((length) => Buffer.from(`${length}x`)),
    );
    const service = fc.constantFrom('git-receive-pack', 'git-upload-pack');
    await fc.assert(
      fc.asyncProperty(service, nonsense, async (name, body) => {
        const answer = await fetch(`${gateway.url}/${project.fullPath}.git/${name}`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
            'content-type': `application/x-${name}-request`,
            'git-protocol': 'version=2',
          },
          body: new Uint8Array(body),
        }).then(
          async (response) => ({ status: response.status, text: await response.text().catch(() => 'cut') }),
          () => ({ status: 200, text: 'cut' }),
        );
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toContain(gateway.dataDir);
      }),
      { numRuns: 25 * runs },
    );
    // A changed byte may be one that nothing depends on, or that of the branch's name; nothing else gets through.
    const { 'refs/heads/main': main, ...made } = refsIn(gateway, project);
    expect(main).toBe(first);
    for (const [ref, tip] of Object.entries(made)) {
      expect(ref).toMatch(/^refs\/heads\/[^-]$/u);
      expect(tip).toBe(next);
    }
    await expectSound(gateway, project);
    const { runner } = gateway.gateway.application.git.engine;
    await expect.poll(() => runner.jobs, { timeout: 20_000 }).toBeLessThan(10);
  });
});

/** The bytes, of which one is another. */
function changed([bytes, at, value]: [Buffer, number, number]): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}
