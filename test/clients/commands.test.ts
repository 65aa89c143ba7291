import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { commandOf, hasCommand, isInstalled, outcomeOf, type PackagedClient } from '../support/run/packaged.ts';

/** Commands and programs from Debian packages that use GitLab among other things, unmodified. */

let gateway: TestGateway;
const home = mkdtempSync(join(tmpdir(), 'commands-'));
const environment = { PATH: '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8' };
beforeAll(async () => {
  gateway = await testGateway();
  const first = { branch: 'main', content: 'A shop', commit_message: 'Begin' };
  await send('POST', 'projects/demo%2Fstorefront/repository/files/README.md', first);
});
afterAll(() => rmSync(home, { recursive: true }));

/** Sends a request as an administrator. @throws AssertionError if it fails @returns its body */
async function send(method: string, path: string, json?: object) {
  const { status, body, text } = await gateway.rest(method, `/api/v4/${path}`, {
    token: gateway.tokens.root,
    ...(json && { json }),
  });
  expect(status, text).toBeLessThan(300);
  return body as never;
}

/** Runs a command that succeeds. @returns what it writes */
async function textOf(file: string, args: readonly string[], more: Record<string, string> = {}, folder = home) {
  const { code, text } = await outcomeOf(file, args, { ...environment, ...more }, folder);
  expect(code, text).toBe(0);
  return text;
}

const python = '/usr/bin/python-gitlab';
describe.skipIf(!hasCommand('gitlab-cli', python))('python-gitlab, the command', () => {
  const access = () => ({ GITLAB_URL: gateway.url, GITLAB_PRIVATE_TOKEN: gateway.tokens.maintainer });
  /** The words of a line, as a shell reads it. */
  const words = (line: string) => line.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''));
  const run = (line: string) => outcomeOf(python, words(line), { ...environment, ...access() });
  const done = (line: string) => textOf(python, words(line), access());
  const json = async (line: string) => JSON.parse(await done(`-o json ${line}`)) as unknown;
  const inShop = '--project-id maintainer/cli-shop';

  beforeAll(async () => {
    await done('project create --name cli-shop --initialize-with-readme true');
  });

  test('shows records in each of its formats', async () => {
    const [text, verbose, yaml, fields] = await Promise.all([
      done('project get --id demo/storefront'),
      done('-v project get --id demo/storefront'),
      done('-o yaml -f name,path project list --search storefront'),
      json('-f name,default_branch project get --id maintainer/cli-shop'),
    ]);
    expect(text).toMatch(/^id: \d+\npath_with_namespace: demo\/storefront\n$/);
    expect(verbose).toMatch(/^default-branch: main$/m);
    expect(yaml).toBe('- name: Storefront\n  path: storefront\n\n');
    expect(fields).toEqual({ name: 'cli-shop', default_branch: 'main' });
  });

  test('plans: issues, their time and notes', async () => {
    expect(await json(`-f iid,labels project-issue create ${inShop} --title One --labels a,b`)).toEqual({
      iid: 1,
      labels: ['a', 'b'],
    });
    const [time] = await Promise.all([
      json(`project-issue time-estimate ${inShop} --iid 1 --duration 3h`),
      done(`project-issue-note create ${inShop} --issue-iid 1 --body Seen`),
      done(`project-label update ${inShop} --name b --new-name c`),
    ]);
    expect(time).toMatchObject({ human_time_estimate: '3h' });
    const [closed, labels, notes] = await Promise.all([
      done(`-v project-issue update ${inShop} --iid 1 --state-event close`),
      json(`-f name project-label list ${inShop}`),
      json(`-f body project-issue-note list ${inShop} --issue-iid 1`),
    ]);
    expect(closed).toMatch(/^state: closed$/m);
    expect(labels).toEqual([{ name: 'a' }, { name: 'c' }]);
    expect(notes).toContainEqual({ body: 'Seen' });
  });

  test('writes a file on a branch, and merges it', async () => {
    await done(`project-branch create ${inShop} --branch topic --ref main`);
    const file = `${inShop} --file-path a/b.txt`;
    await done(`project-file create ${file} --branch topic --content hello --commit-message Add`);
    const [content] = await Promise.all([
      done(`project-file raw ${file} --ref topic`),
      done(`project-merge-request create ${inShop} --source-branch topic --target-branch main --title Mr`),
    ]);
    expect(content).toBe('hello');
    expect(await json(`project-merge-request changes ${inShop} --iid 1`)).toMatchObject({
      changes: [{ new_path: 'a/b.txt' }],
    });
    expect(await json(`project-merge-request merge ${inShop} --iid 1`)).toMatchObject({ state: 'merged' });
  });

  test('sets variables and schedules, and checks a configuration', async () => {
    const [, schedule, checked] = await Promise.all([
      done(`project-variable create ${inShop} --key STAGE --value test`),
      json(`project-pipeline-schedule create ${inShop} --description nightly --ref main --cron '0 1 * * *'`),
      run('ci-lint validate --content job:'),
    ]);
    expect(schedule).toMatchObject({ description: 'nightly', cron: '0 1 * * *', active: true });
    expect(checked).toEqual({ code: 1, text: expect.stringMatching(/^CI YAML Lint failed \(/) as string });
    expect(await json(`project-variable update ${inShop} --key STAGE --value live`)).toMatchObject({ value: 'live' });
    await done(`project-variable delete ${inShop} --key STAGE`);
  });

  test('says what it was refused', async () => {
    const refused = [
      [`project-pipeline create ${inShop} --ref main`, "(400: {'base': ['Missing CI config file']})"],
      [`project-export create ${inShop}`, '(404: 404 Not Found)'],
      ['user create --username x --email x@example.com --name X --reset-password true', '(403: 403 Forbidden)'],
      ['project get --id nowhere/nothing', '(404: 404 Project Not Found)'],
    ] as const;
    const outcomes = await Promise.all(refused.map(([line]) => run(line)));
    expect(outcomes).toEqual(
      refused.map(([, refusal]) => ({ code: 1, text: expect.stringContaining(refusal) as string })),
    );
  });
});

const bugwarrior = '/usr/bin/bugwarrior-pull';
describe.skipIf(!hasCommand('bugwarrior', bugwarrior))('bugwarrior', () => {
  const settings = { BUGWARRIORRC: join(home, 'bugwarriorrc'), TASKRC: join(home, 'taskrc') };

  test('makes tasks of issues, merge requests and to-dos, once', async () => {
    await send('POST', 'projects/demo%2Fplatform%2Fapi/issues', {
      title: 'Too slow',
      labels: 'urgent',
      due_date: '2031-01-01',
      assignee_id: ((await send('GET', 'users?username=maintainer')) as { id: number }[])[0]!.id,
    });
    await send('POST', 'projects/demo%2Fplatform%2Fapi/issues/1/notes', { body: 'Measured' });
    const access = `gitlab.host = ${gateway.url.replace('http://', '')}\ngitlab.use_https = false
gitlab.login = maintainer\ngitlab.token = ${gateway.tokens.maintainer}`;
    const choice =
      'gitlab.include_repos = demo/platform/api\ngitlab.include_todos = true\ngitlab.import_labels_as_tags = true';
    writeFileSync(settings.BUGWARRIORRC, `[general]\ntargets = here\n[here]\nservice = gitlab\n${access}\n${choice}\n`);
    writeFileSync(settings.TASKRC, `data.location=${home}/tasks\n`);
    mkdirSync(join(home, 'tasks'));
    expect(await textOf(bugwarrior, [], settings)).toContain('Adding 2 tasks');
    expect(await textOf(bugwarrior, [], settings)).toMatch(/Adding 0 tasks[^]*Updating 0 tasks[^]*Closing 0 tasks/);
    const tasks = JSON.parse(await textOf('/usr/bin/task', ['rc.verbose=nothing', 'export'], settings)) as object[];
    expect(tasks.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length)).toMatchObject([
      { gitlabtype: 'todo', gitlaburl: `${gateway.url}/demo/platform/api/-/issues/1` },
      {
        gitlabtype: 'issue',
        gitlabtitle: 'Too slow',
        gitlabassignee: 'maintainer',
        gitlabauthor: 'root',
        gitlabnamespace: 'demo/platform',
        gitlaburl: `${gateway.url}/demo/platform/api/issues/1`,
        tags: ['urgent'],
        annotations: expect.arrayContaining([expect.objectContaining({ description: '@root - Measured' })]) as object[],
      },
    ]);
  });
});

const composer = '/usr/bin/composer';
describe.skipIf(!hasCommand('composer', composer))('composer', () => {
  test('installs a package of a private project, as an archive and by cloning', async () => {
    await send('POST', 'projects', {
      name: 'lib',
      namespace_id: ((await send('GET', 'groups/demo')) as { id: number }).id,
    });
    const actions = [
      { file_path: 'composer.json', content: JSON.stringify({ name: 'demo/lib', description: 'A library' }) },
      { file_path: 'src/Lib.php', content: '<?php' },
    ].map((file) => ({ action: 'create', ...file }));
    await send('POST', 'projects/demo%2Flib/repository/commits', { branch: 'main', commit_message: 'Begin', actions });
    await send('POST', 'projects/demo%2Flib/repository/tags', { tag_name: 'v1.2.0', ref: 'main' });
    const { host, hostname } = new URL(gateway.url);
    const token = gateway.tokens.maintainer;
    const shop = join(home, 'composed');
    mkdirSync(shop);
    const wanted = {
      repositories: [{ type: 'gitlab', url: `${gateway.url}/demo/lib` }, { 'packagist.org': false }],
      require: { 'demo/lib': '^1.0' },
      config: {
        'gitlab-domains': [hostname],
        'gitlab-token': { [hostname]: token, [host]: token },
        // This gateway serves no SSH.
        'gitlab-protocol': 'http',
        'secure-http': false,
      },
    };
    writeFileSync(join(shop, 'composer.json'), JSON.stringify(wanted));
    const more = { COMPOSER_HOME: join(home, 'composer'), COMPOSER_ALLOW_SUPERUSER: '1' };
    const installed = join(shop, 'vendor/demo/lib');
    const install = (...args: string[]) => textOf(composer, ['install', '--no-interaction', ...args], more, shop);
    expect(await install()).toContain('Installing demo/lib (v1.2.0): Extracting archive');
    expect([existsSync(join(installed, 'src/Lib.php')), existsSync(join(installed, '.git'))]).toEqual([true, false]);
    rmSync(join(shop, 'vendor'), { recursive: true });
    await install('--prefer-source');
    expect([existsSync(join(installed, 'src/Lib.php')), existsSync(join(installed, '.git'))]).toEqual([true, true]);
  });
});

const uscan = '/usr/bin/uscan';
describe.skipIf(!hasCommand('devscripts', uscan))('uscan', () => {
  test('finds the newest version among the tags of a public project, and downloads it', async () => {
    await send('POST', 'groups', { name: 'Tools', path: 'tools', visibility: 'public' });
    const { id } = (await send('GET', 'groups/tools')) as { id: number };
    const project = { name: 'tool', namespace_id: id, visibility: 'public', initialize_with_readme: true };
    await send('POST', 'projects', project);
    for (const tag of ['v1.0', 'v1.10.0', 'v1.9'])
      await send('POST', 'projects/tools%2Ftool/repository/tags', { tag_name: tag, ref: 'main' });
    const folder = join(home, 'tool');
    mkdirSync(join(folder, 'debian'), { recursive: true });
    const pages = `${gateway.url}/tools/tool/-/tags?sort=updated_desc`;
    const watch = `version=4\n${pages} .*/-/archive/v?\\d[\\d.]*/tool-v?@ANY_VERSION@@ARCHIVE_EXT@\n`;
    writeFileSync(join(folder, 'debian/watch'), watch);
    const entry =
      'tool (1.0-1) unstable; urgency=low\n\n  * Begin.\n\n -- A <a@example.com>  Thu, 01 Jan 2026 00:00:00 +0000\n';
    writeFileSync(join(folder, 'debian/changelog'), entry);
    expect(await textOf(uscan, ['--destdir', home], {}, folder)).toContain(
      'Newest version of tool on remote site is 1.10.0',
    );
    expect(existsSync(join(home, 'tool_1.10.0.orig.tar.gz'))).toBe(true);
  });
});

const gitforge: PackagedClient = {
  name: 'libapi-gitforge-perl',
  language: 'perl',
  module: 'API::GitForge::GitLab',
  script: 'perl-gitforge.pl',
};
describe.skipIf(!isInstalled(gitforge))('API::GitForge', () => {
  /** It speaks HTTPS only: what the gateway answers, over that. */
  async function overHttps() {
    const [key, certificate] = [join(home, 'key.pem'), join(home, 'certificate.pem')];
    const made = [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=127.0.0.1',
      '-keyout',
      key,
      '-out',
      certificate,
    ];
    await textOf('/usr/bin/openssl', ['req', ...made]);
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (received, answer) => {
      const { method = 'GET', url = '/', headers } = received;
      const sent = request(new URL(url, gateway.url), { method, headers }, (got) => {
        answer.writeHead(got.statusCode!, got.headers);
        got.pipe(answer);
      });
      received.pipe(sent);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  test('makes repositories and forks with nothing in them, and removes a fork', async () => {
    const server = await overHttps();
    const domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const token = gateway.tokens.maintainer;
    writeFileSync(
      join(home, '.gitconfig'),
      `[user]\n\tname = A\n\temail = a@example.com\n[init]\n\tdefaultBranch = master
[url "${gateway.url.replace('//', `//oauth2:${token}@`)}/"]\n\tinsteadOf = https://${domain}/\n`,
    );
    const [command, args] = commandOf(gitforge);
    const run = (...more: string[]) => textOf(command, [...args, ...more], { DOMAIN: domain, TOKEN: token });
    const fork = `https://${domain}/maintainer/storefront.git\n`;
    const text = await run();
    expect(text).toContain(fork.repeat(3));
    expect(text).toContain('invalid project namespace nowhere\n');
    expect(await send('GET', 'projects/maintainer%2Fforged')).toMatchObject({ issues_access_level: 'disabled' });
    expect(await send('GET', 'projects/maintainer%2Fstorefront')).toMatchObject({
      default_branch: 'gitforge',
      description: 'Temporary fork for merge request(s)',
      issues_access_level: 'disabled',
      merge_requests_access_level: 'enabled',
      forked_from_project: { path_with_namespace: 'demo/storefront' },
    });
    const branches = await send('GET', 'projects/maintainer%2Fstorefront/repository/branches');
    expect(branches).toMatchObject([{ name: 'gitforge' }]);
    await run('nuke');
    const gone = await gateway.rest('GET', '/api/v4/projects/maintainer%2Fstorefront', { token });
    expect(gone.status).toBe(404);
    server.close();
  });
});

const ticketing: PackagedClient = {
  name: 'schleuder-gitlab-ticketing',
  language: 'ruby',
  module: 'schleuder-gitlab-ticketing',
  script: 'ruby-ticketing.rb',
};
describe.skipIf(!isInstalled(ticketing))('schleuder-gitlab-ticketing', () => {
  test('opens an issue for a mail, and closes and reopens it for the answers', async () => {
    const [command, args] = commandOf(ticketing);
    const access = { GATEWAY: gateway.url, TOKEN: gateway.tokens.root };
    const outcomes = JSON.parse(await textOf(command, args, access)) as unknown[];
    const subject = /^Printer on fire \[gl\/Storefront#(\d+)\]$/.exec(String(outcomes.pop()));
    expect(outcomes).toEqual([true, true, true, true, false, 'config-error']);
    const path = `projects/demo%2Fstorefront/issues/${subject![1]}`;
    expect(await send('GET', path)).toMatchObject({
      title: 'Printer on fire',
      state: 'opened',
      assignee: { username: 'developer' },
      labels: ['inprocess'],
      user_notes_count: 3,
    });
    expect(await send('GET', `${path}/resource_state_events`)).toMatchObject([
      { state: 'closed' },
      { state: 'reopened' },
    ]);
  });
});
