import { randomBytes } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../src/schema/repository/writing/reconcile.ts';
import { gitClient, plainGit } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember } from '../support/people.ts';
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
    expect(begun.text).toContain('remote: A default branch (e.g. main) does not yet exist');
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
    expect(await gitClient(folder, ['push', remote, 'main:refs/heads/three'])).toMatchObject({ code: 0 });
    expect(refsIn(gateway, project)).toEqual({
      'refs/heads/main': first,
      'refs/heads/three': git('rev-parse', 'main'),
    });
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
