import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { commandOf, environmentOf, isInstalled, type PackagedClient } from '../support/run/packaged.ts';
import { png } from '../support/places/pictures.ts';

/**
 * The GitLab modules of Ansible, which read a record, compare it with the playbook and write only what differs. A
 * record that lacks a key stops them; one that shows something else than was written makes every run report a change.
 */

const client: PackagedClient = {
  name: 'ansible',
  language: 'ansible',
  module: 'community.general.plugins.modules.gitlab_project',
  script: 'ansible.yml',
};

/** What Ansible's callback `json` prints. */
interface Report {
  plays: {
    tasks: { task: { name: string }; hosts: { localhost: { changed: boolean; failed?: boolean; msg?: string } } }[];
  }[];
  stats: { localhost: Record<'changed' | 'failures' | 'ok' | 'unreachable', number> };
}

describe.skipIf(!isInstalled(client))('Ansible', () => {
  let gateway: TestGateway;
  const folder = mkdtempSync(join(tmpdir(), 'ansible-'));
  const runs: { changed: string[]; failed: [task: string, message: string][]; ok: number }[] = [];

  /** Runs the playbook. A failed task is a result, not an error. */
  async function play(at = gateway) {
    const { stdout } = await promisify(execFile)(...commandOf(client), {
      maxBuffer: 2 ** 26,
      env: {
        ...environmentOf(client),
        GATEWAY: at.url,
        ADMINISTRATOR_TOKEN: at.tokens.root,
        PICTURE: join(folder, 'picture.png'),
      },
    }).catch((error: { stdout: string }) => {
      if (error.stdout === '') throw error;
      return error;
    });
    const { plays, stats } = JSON.parse(stdout) as Report;
    const results = plays.flatMap(({ tasks }) =>
      tasks.map(({ task: { name }, hosts: { localhost: result } }) => ({ name, ...result })),
    );
    return {
      changed: results.filter(({ changed }) => changed).map(({ name }) => name),
      failed: results.filter(({ failed }) => failed).map(({ name, msg = '' }) => [name, msg] as [string, string]),
      ok: stats.localhost.ok,
    };
  }

  beforeAll(async () => {
    gateway = await testGateway();
    writeFileSync(join(folder, 'picture.png'), png());
    runs.push(await play(), await play());
    // Its modules do other things with other versions.
    runs.push(await play(await testGateway({ CAUSEWAY_REPORTED_VERSION: '17.11.0' }, gateway)));
    // Each of its tasks starts Python several times.
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('sets up people, groups, projects and members', () => {
    expect(runs[0]!.failed).toEqual([]);
    expect(runs[0]!.changed).toHaveLength(runs[0]!.ok);
  });
  test('has nothing to change in its second run, nor in a third where a newer version is reported', () => {
    const unchanged = { changed: [], failed: [], ok: runs[0]!.ok };
    expect(runs.slice(1)).toEqual([unchanged, unchanged]);
  });
});
