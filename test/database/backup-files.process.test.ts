import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/backups.ts';
import { repositoryFacts } from '../../src/maintenance.ts';
import { readConfig } from '../../src/config/index.ts';
import { maintain } from '../../src/git/storage/index.ts';
import { plainGit } from '../git/support/engine.ts';
import { clone, filledProject, gitUrl } from '../repository/support/clone.ts';
import { expectSound, folderOf, refsIn } from '../repository/support/journal.ts';
import { dropDatabase, makeDatabase } from '../support/databases/database.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { runs } from '../support/run/runs.ts';

/** Repositories and the files of jobs are in a backup, as the rows of the same moment name them. */

const quiet = () => undefined;
let place: string;
let gateway: TestGateway;
const databases: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'backup-files-'));
  gateway = await testGateway();
});
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
  await rm(place, { recursive: true, force: true });
});

const given = ({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) =>
  readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, CAUSEWAY_SECRET_KEY: secretKey });

let made = 0;

/** A new database and a new data folder. */
async function empty() {
  const { name, url } = await makeDatabase('empty');
  databases.push(name);
  return { databaseUrl: url, dataDir: join(place, `data-${++made}`) };
}

const restore = (to: { databaseUrl: string; dataDir: string }, file: string, further = {}) =>
  restoreDatabase(given(to), file, { otherKey: false, signOut: false, progress: quiet, onNotice: quiet, ...further });

/** A gateway over what was restored. */
const over = (restored: { databaseUrl: string; dataDir: string }) => testGateway({}, { ...gateway, ...restored });

describe('a backup of repositories', () => {
  const file = () => join(place, 'whole.gz');
  let to: { databaseUrl: string; dataDir: string };

  test('is restored with every branch, tag and hidden reference, forks too; people clone, push and go on', async () => {
    const { project, commit, push, git, folder } = await filledProject(gateway);
    git('checkout', '--quiet', '-b', 'topic');
    commit('second', Buffer.from([0, 255, 10, 13]));
    git('tag', '-a', 'v1', '-m', 'One');
    git('tag', 'light');
    expect((await push('topic', 'v1', 'light')).code).toBe(0);
    const name = '0a/0a000000-0000-4000-8000-000000000001';
    await gateway.gateway.application.files.write(name, 0, Buffer.from('a log'));
    const kept = plainGit(folder, ['rev-parse', 'HEAD']);
    plainGit(folderOf(gateway, project), ['update-ref', `refs/keep-around/${kept}`, kept]);
    // A fork has no journal of what it began with.
    const { status, body } = await gateway.rest('POST', `/api/v4/projects/${project.id}/fork`, {
      token: gateway.tokens.maintainer,
      json: { path: 'kept-fork', name: 'kept-fork' },
    });
    expect(status).toBe(201);
    const fork = { id: (body as { id: number }).id };
    await expect
      .poll(() => existsSync(folderOf(gateway, fork)) && Object.keys(refsIn(gateway, fork)).length, { timeout: 20_000 })
      .toBe(4);
    const before = [project, fork].map((one) => refsIn(gateway, one));

    expect((await backUpDatabase(given(gateway), file(), quiet)).files).toBe(true);
    to = await empty();
    // A file where the data folder is wanted: neither rows nor files are kept.
    const broken = { ...to, dataDir: join(place, 'broken') };
    await writeFile(broken.dataDir, '');
    await expect(restore(broken, file())).rejects.toThrow();
    await restore(to, file());
    expect((await readdir(to.dataDir)).sort()).toEqual(['job-files', 'repositories']);
    expect(await repositoryFacts(given(to))).toMatchObject({ belongs: true, missing: [] });

    const restored = await over(to);
    expect([project, fork].map((one) => refsIn(restored, one))).toEqual(before);
    expect(plainGit(folderOf(restored, project), ['fsck', '--strict', '--no-dangling'])).toBe('');
    expect(await restored.gateway.application.files.size(name)).toBe(5);
    const remote = gitUrl(restored, project, gateway.tokens.maintainer);
    const copy = await clone(remote);
    expect(plainGit(copy.folder, ['rev-parse', 'origin/topic'])).toBe(kept);
    git('remote', 'set-url', 'origin', remote);
    git('checkout', '--quiet', 'main');
    commit('third');
    expect((await push('main')).code).toBe(0);
  });

  test('is refused for a data folder that isn’t empty, or that belongs to another database', async () => {
    const again = { ...(await empty()), dataDir: to.dataDir };
    await expect(restore(again, file())).rejects.toThrow(/(?:repositories|job-files) isn't empty/);
    // The rows alone, with a folder that was copied otherwise.
    await restore(again, file(), { databaseOnly: true });
    expect(await repositoryFacts(given(again))).toMatchObject({ belongs: true, missing: [] });

    const stranger = { ...to, dataDir: join(place, 'stranger') };
    await expect(backUpDatabase(given(stranger), join(place, 'stranger.gz'), quiet)).rejects.toThrow(
      /don’t belong to this database/,
    );
    const rows = join(place, 'rows.gz');
    expect((await backUpDatabase(given(stranger), rows, quiet, { databaseOnly: true })).files).toBe(false);
    const { belongs, missing, count } = await repositoryFacts(given(stranger));
    expect([belongs, missing.length]).toEqual([false, count]);
  });

  test('fits its rows, while people write and the repository is put in order', async () => {
    const { project } = await filledProject(gateway);
    const path = `/api/v4/projects/${project.id}/repository`;
    let stop = false;
    let written = 0;
    const send = (where: string, json: object, method = 'POST') =>
      gateway.rest(method, `${path}/${where}`, { token: gateway.tokens.maintainer, json });
    const writing = (async () => {
      for (; !stop; written++) {
        const branch = `b${written % 5}`;
        await send('branches', { branch, ref: 'main' });
        await send(`files/f${written}`, { branch: 'main', content: 'x', commit_message: 'More' });
        if (written % 3 === 0) await send(`branches/${branch}`, {}, 'DELETE');
        if (written % 4 === 3) await maintain(gateway.gateway.application.git.repository(project.id), 'usual');
      }
    })();
    const files: string[] = [];
    while (written < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    for (let round = 0; round < runs; round++) {
      files.push(join(place, `busy-${round}.gz`));
      await backUpDatabase(given(gateway), files.at(-1)!, quiet);
    }
    stop = true;
    await writing;
    for (const busy of files) {
      const there = await empty();
      await restore(there, busy);
      const restored = await over(there);
      // Settles what was recorded and not made at the moment of the backup.
      const json = { branch: 'after', ref: 'main' };
      const { status } = await restored.rest('POST', `${path}/branches`, { token: gateway.tokens.maintainer, json });
      expect(status).toBe(201);
      await expectSound(restored, project);
    }
  });
});
