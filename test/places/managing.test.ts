import { beforeAll, describe, expect, test } from 'vitest';
import { signIn, type BrowserSession, type WebPage } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';

/** Making, archiving and removing groups and projects on pages, and managing who has a role in them. */

const gateway = await testGateway();
const { rest, tokens } = gateway;
let mary: BrowserSession;
let dave: BrowserSession;
beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
  dave = await signIn(gateway, 'developer');
});

/** Presses a button, and follows the redirect. */
async function pressed(browser: BrowserSession, page: WebPage, button: string, fields: Record<string, string> = {}) {
  const answer = await browser.press(page.form(button), fields);
  expect([answer.status, answer.status === 303 ? '' : answer.text]).toEqual([303, '']);
  return { location: answer.location!, page: await browser.get(answer.location!) };
}

const readOver = async (path: string) =>
  (await rest('GET', `/api/v4${path}`, { token: tokens.root })).body as Record<string, unknown>;
let made = 0;
const newName = () => `Made by hand ${++made}`;

async function newGroup(): Promise<{ path: string; name: string }> {
  const name = newName();
  const { location } = await pressed(mary, await mary.get('/-/groups/new'), 'Create group', {
    name,
    visibility: 'public',
  });
  return { path: location.replace('/groups/', ''), name };
}

describe('making places', () => {
  test('a group, a group in it, and a project in that, each from the page before', async () => {
    const { path, name } = await newGroup();
    expect(path).toBe(name.toLowerCase().replaceAll(' ', '-'));
    expect(await readOver(`/groups/${path}`)).toMatchObject({ name, visibility: 'public', parent_id: null });
    const group = await mary.get(`/groups/${path}`);
    const subgroupForm = await mary.get(/href="([^"]*groups\/new\?in=[^"]*)"/.exec(group.html)![1]!);
    const { location } = await pressed(mary, subgroupForm, 'Create group', { name: 'Inner', path: 'inner' });
    expect(location).toBe(`/groups/${path}/inner`);
    const form = await mary.get(`/-/projects/new?in=${encodeURIComponent(`${path}/inner`)}`);
    const project = await pressed(mary, form, 'Create project', {
      name: 'Thing & Co',
      readme: 'on',
      description: 'A <b>',
    });
    expect(project.location).toBe(`/${path}/inner/thing-co`);
    expect(project.page.text).toContain('It is made.');
    expect(await readOver(`/projects/${encodeURIComponent(`${path}/inner/thing-co`)}`)).toMatchObject({
      name: 'Thing & Co',
      description: 'A <b>',
      visibility: 'private',
      default_branch: 'main',
    });
  });

  test('a group with many groups has them on pages, beside those of its projects', async () => {
    const { path } = await newGroup();
    const { id } = await readOver(`/groups/${path}`);
    const children = Array.from({ length: 32 }, (_one, index) => `child-${String(index).padStart(2, '0')}`);
    for (const name of children)
      await rest('POST', '/api/v4/groups', { token: tokens.root, json: { name, path: name, parent_id: id } });
    const namesOn = ({ html }: WebPage) => html.match(/child-\d\d(?=<\/bdi>)/g) ?? [];
    const link = ({ html }: WebPage, rel: string) =>
      new RegExp(`rel="${rel}" href="([^"]*groups_[^"]*)"`).exec(html)![1]!.replaceAll('&amp;', '&');
    const first = await mary.get(`/groups/${path}?after=`);
    const second = await mary.get(link(first, 'next'));
    expect([...namesOn(first), ...namesOn(second)]).toEqual(children);
    expect(namesOn(second)).toHaveLength(12);
    expect(namesOn(await mary.get(link(second, 'prev')))).toEqual(namesOn(first));
  });

  test('of one’s own, as the overview offers it', async () => {
    const page = await dave.get('/');
    expect(page.html).toContain('href="/-/projects/new"');
    const { location } = await pressed(dave, await dave.get('/-/projects/new'), 'Create project', {
      name: 'Mine Alone',
    });
    expect(location).toBe('/developer/mine-alone');
  });

  test.each([
    ['an empty name', { name: ' ' }, 'The name can’t be blank.'],
    ['a path that is taken', { name: 'Demo', path: 'demo' }, 'has already been taken'],
    ['a path that isn’t one', { name: 'x', path: 'a b' }, 'The path'],
  ])('%s is said beside its field, and what was typed stays', async (_what, fields, says) => {
    const refused = await mary.press((await mary.get('/-/groups/new')).form('Create group'), fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
    expect(refused.form('Create group').fields).toMatchObject({ name: fields.name });
  });

  test('not where one may not, nor without signing in', async () => {
    const refused = await dave.press((await dave.get('/-/groups/new?in=demo')).form('Create group'), {
      name: 'Not mine',
    });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('You may not make one there.')]);
    const anonymous = await fetch(`${gateway.url}/-/projects/new`, { redirect: 'manual' });
    expect(anonymous.headers.get('location')).toContain('/users/sign_in');
  });
});

describe('members', () => {
  test('are added, get another role, and are removed', async () => {
    const { path } = await newGroup();
    const at = `/groups/${path}/-/members`;
    const added = await pressed(mary, await mary.get(at), 'Add', {
      usernames: '@developer, guest',
      role: 'REPORTER',
      expires_at: '2030-01-02',
    });
    expect(added.page.text).toMatch(/Dev Developer.*@developer/);
    const members = async () =>
      (
        (await rest('GET', `/api/v4/groups/${path}/members`, { token: tokens.root })).body as {
          username: string;
          access_level: number;
          expires_at: string | null;
        }[]
      )
        .map(({ username, access_level: level, expires_at: until }) => [username, level, until])
        .toSorted();
    expect(await members()).toEqual([
      ['developer', 20, '2030-01-02'],
      ['guest', 20, '2030-01-02'],
      ['maintainer', 50, null],
    ]);
    await pressed(mary, await mary.get(at), 'Change the role of Dev Developer', { role: 'MAINTAINER', expires_at: '' });
    await pressed(mary, await mary.get(at), 'Remove Guy Guest');
    expect(await members()).toEqual([
      ['developer', 40, null],
      ['maintainer', 50, null],
    ]);
    const seen = await dave.get(at);
    expect(seen.text).not.toContain('Add people');
    expect(seen.text).toContain('Owners add and change members.');
    const left = await pressed(dave, seen, 'Leave Dev Developer');
    expect(left.page.text).toContain('You have left.');
    expect(await members()).toEqual([['maintainer', 50, null]]);
  });

  test.each([
    ['nobody of that name', { usernames: 'nobody-here', role: 'GUEST' }, 'There is no such person.'],
    ['somebody who is one already', { usernames: 'maintainer', role: 'GUEST' }, 'Member already exists'],
    ['a role that isn’t one', { usernames: 'guest', role: 'KING' }, 'Choose a role.'],
    ['an end that isn’t a day', { usernames: 'guest', role: 'GUEST', expires_at: 'soon' }, 'The end must be a day.'],
  ])('%s is refused, and nobody is added', async (_what, fields, says) => {
    const { path } = await newGroup();
    const at = `/groups/${path}/-/members`;
    const refused = await mary.press((await mary.get(at)).form('Add'), fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
    expect((await rest('GET', `/api/v4/groups/${path}/members`, { token: tokens.root })).body).toHaveLength(1);
  });

  test('of whom the page of a place shows some lead to all, on pages', async () => {
    const { path } = await newGroup();
    expect((await mary.get(`/groups/${path}`)).text).not.toContain('There are more members');
    await gateway.sql(
      `with people as (
         insert into users (name, username) select 'Crowd ' || n, 'crowd-' || n from generate_series(1, 60) n returning id
       )
       insert into group_members (user_id, group_id, access_level)
       select people.id, namespaces.id, 10 from people, namespaces where full_path = $1`,
      [path],
    );
    const page = await mary.get(`/groups/${path}`);
    expect(page.text).toContain('There are more members. All members');
    const [, all] = /href="([^"]*)">All members/.exec(page.html)!;
    const first = await mary.get(all!);
    const second = await mary.get(/rel="next" href="([^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&'));
    const names = [first, second].flatMap(({ html }) => html.match(/Crowd \d+(?=<\/bdi>)/g) ?? []);
    expect(new Set(names).size).toBe(60);
    // Whoever is changed or removed on a later page, or after a search, leaves one there.
    const changed = await mary.press(second.form('Change the role of Crowd'), { role: 'REPORTER' });
    expect(changed.location).toMatch(new RegExp(`^${all}\\?after=`));
    const found = await mary.get(`${all}?search=crowd-7`);
    expect((await mary.press(found.form('Remove Crowd 7'))).location).toBe(`${all}?search=crowd-7`);
    const wrong = await mary.press(first.form('Change the role of Crowd'), { expires_at: 'soon' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The end must be a day.')]);
    expect(wrong.form('Add').fields).toMatchObject({ usernames: '', role: 'DEVELOPER', expires_at: '' });
  });

  test('the last owner stays, and those who may not see nothing to press', async () => {
    const { path } = await newGroup();
    const at = `/groups/${path}/-/members`;
    const page = await mary.get(at);
    const leaving = await mary.press(page.form('Leave Mary Maintainer'));
    expect([leaving.status, leaving.text]).toEqual([422, expect.stringContaining('can’t do without an owner.')]);
    expect((await dave.get(at)).forms.filter(({ action }) => action === at && action !== '')).toHaveLength(0);
    const forged = await dave.post(at, { ...(await dave.get(at)).forms[0]?.fields, remove: '2' });
    expect(forged.status).toBeGreaterThanOrEqual(400);
  });
});

describe('requests for access', () => {
  test('are made and withdrawn on the page of a place, and decided on that of its members', async () => {
    const { path, name } = await newGroup();
    const [at, members] = [`/groups/${path}`, `/groups/${path}/-/members`];
    expect((await mary.get(at)).text).not.toContain('Request access');
    expect((await mary.get(members)).text).not.toContain('Access requests');
    const asked = await pressed(dave, await dave.get(at), 'Request access');
    expect([asked.location, asked.page.text]).toEqual([
      at,
      expect.stringMatching(/Your request for access is made\..*You asked for access to this group/),
    ]);
    expect(asked.page.text).not.toContain('Request access');
    expect((await dave.get(members)).text).not.toContain('Access requests');
    const todos = await mary.get('/dashboard/todos');
    expect(todos.html).toContain(`href="${members}#access-requests"`);
    expect(todos.text).toContain(`${name} Dev Developer asks for access to ${path}`);
    expect((await mary.get('/')).html).toContain(`href="${members}#access-requests"`);
    const withdrawn = await pressed(dave, asked.page, 'Withdraw access request');
    expect(withdrawn.page.text).toContain('Your request for access is withdrawn.');
    expect((await mary.get('/dashboard/todos')).html).not.toContain(`${members}#access-requests`);

    await pressed(dave, withdrawn.page, 'Request access');
    const shown = await mary.get(members);
    const denied = await pressed(mary, shown, 'Deny the request of Dev Developer');
    expect(denied.page.text).toContain('The request is denied.');
    expect(denied.page.text).not.toContain('Access requests');
    const late = await mary.press(shown.form('Approve the request of Dev Developer'));
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('The request was withdrawn')]);

    await pressed(dave, await dave.get(at), 'Request access');
    const form = (await mary.get(members)).form('Approve the request of Dev Developer');
    expect(form.fields.role).toBe('DEVELOPER');
    const wrong = await mary.press(form, { role: 'KING' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Choose a role.')]);
    const approved = await pressed(mary, await mary.get(members), 'Approve the request of Dev Developer', {
      role: 'REPORTER',
    });
    expect(approved.page.text).toContain('They have the role now.');
    expect(await readOver(`/groups/${path}/members/3`)).toMatchObject({ username: 'developer', access_level: 20 });
    expect((await dave.get(at)).text).not.toMatch(/(Request|Withdraw) access/);
  });

  test('are offered neither to visitors nor where they aren’t taken', async () => {
    const { path } = await newGroup();
    const anonymous = await (await fetch(`${gateway.url}/groups/${path}`)).text();
    expect(anonymous).not.toContain('Request access');
    const open = await dave.get(`/groups/${path}`);
    await rest('PUT', `/api/v4/groups/${path}`, { token: tokens.root, json: { request_access_enabled: false } });
    expect((await dave.get(`/groups/${path}`)).text).not.toContain('Request access');
    expect((await dave.press(open.form('Request access'))).status).toBe(403);
  });
});

describe('settings', () => {
  async function withCode(): Promise<{ at: string; api: string }> {
    const { location } = await pressed(mary, await mary.get('/-/projects/new'), 'Create project', {
      name: newName(),
      readme: 'on',
    });
    return { at: `${location}/-/edit`, api: `/projects/${encodeURIComponent(location.slice(1))}` };
  }

  test('of a project have its default branch, one that exists', async () => {
    const { at, api } = await withCode();
    const json = { branch: 'next', ref: 'main' };
    expect((await rest('POST', `/api/v4${api}/repository/branches`, { token: tokens.maintainer, json })).status).toBe(
      201,
    );
    const page = await mary.get(at);
    expect([...page.html.matchAll(/<option value="(main|next)"/g)].map(([, name]) => name).toSorted()).toEqual([
      'main',
      'next',
    ]);
    expect(page.form('Save changes').fields.rootRef).toBe('main');
    await pressed(mary, page, 'Save changes', { rootRef: 'next' });
    expect(await readOver(api)).toMatchObject({ default_branch: 'next' });
    const refused = await mary.press((await mary.get(at)).form('Save changes'), {
      rootRef: 'nowhere',
      description: 'Half',
    });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("branch 'nowhere' does not exist.")]);
    expect(refused.form('Save changes').fields).toMatchObject({ rootRef: 'nowhere', description: 'Half' });
    expect(await readOver(api)).toMatchObject({ default_branch: 'next', description: '' });
    const empty = (await pressed(mary, await mary.get('/-/projects/new'), 'Create project', { name: newName() }))
      .location;
    expect((await mary.get(`${empty}/-/edit`)).form('Save changes').fields).not.toHaveProperty('rootRef');
  });

  test('of a project say how it merges; an error opens the section that has it', async () => {
    const { at, api } = await withCode();
    const page = await mary.get(at);
    expect(page.html).toContain('<details class="advanced"><summary><h2>Pipelines</h2>');
    await pressed(mary, page, 'Save changes', {
      mergeMethod: 'ff',
      squashOption: 'always',
      squashCommitTemplate: '%{title}\r\n\r\n%{reference}',
      onlyAllowMergeIfPipelineSucceeds: 'on',
      removeSourceBranchAfterMerge: '',
    });
    expect(await readOver(api)).toMatchObject({
      merge_method: 'ff',
      squash_option: 'always',
      squash_commit_template: '%{title}\n\n%{reference}',
      only_allow_merge_if_pipeline_succeeds: true,
      remove_source_branch_after_merge: false,
    });
    for (const [buildTimeout, says] of [
      ['60', 'Timeout of jobs needs to be between 10 minutes and 1 month.'],
      ['1.5', 'Timeout of jobs must be a whole number.'],
    ] as const) {
      const refused = await mary.press((await mary.get(at)).form('Save changes'), { buildTimeout });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
      expect(refused.html).toContain('<details class="advanced" open><summary><h2>Pipelines</h2>');
    }
  });

  test('of a group refuse what none of the choices is', async () => {
    const { path } = await newGroup();
    const page = await mary.get(`/groups/${path}/-/edit`);
    for (const sharedRunnersSetting of ['', 'sometimes']) {
      const refused = await mary.press(page.form('Save changes'), { sharedRunnersSetting });
      expect([refused.status, refused.text]).toEqual([
        422,
        expect.stringContaining('Runners of the instance must be one of the choices.'),
      ]);
    }
  });

  test('that owners write aren’t offered to maintainers, and stay', async () => {
    const { at, api } = await withCode();
    const json = { username: 'developer', access_level: 40 };
    await rest('POST', `/api/v4${api}/members`, { token: tokens.maintainer, json });
    await pressed(mary, await mary.get(at), 'Save changes', { emailsEnabled: '' });
    const page = await dave.get(at);
    expect(page.form('Save changes').fields).not.toHaveProperty('emailsEnabled');
    expect(page.text).not.toContain('Mail notifications');
    await pressed(dave, page, 'Save changes', { description: 'By a maintainer', emailsEnabled: 'on' });
    expect(await readOver(api)).toMatchObject({ description: 'By a maintainer', emails_enabled: false });
  });

  test('of runners below a group that switches them off are refused beside their field', async () => {
    const { path } = await newGroup();
    await pressed(mary, await mary.get(`/-/groups/new?in=${path}`), 'Create group', { name: 'Below', path: 'below' });
    await pressed(mary, await mary.get(`/groups/${path}/-/edit`), 'Save changes', {
      sharedRunnersSetting: 'disabled_and_unoverridable',
      defaultBranch: 'trunk',
      defaultBranchProtection: '4',
    });
    expect(await readOver(`/groups/${path}`)).toMatchObject({
      shared_runners_setting: 'disabled_and_unoverridable',
      default_branch: 'trunk',
      default_branch_protection: 4,
    });
    const below = await mary.get(`/groups/${path}/below/-/edit`);
    const form = below.form('Save changes');
    expect(form.fields.sharedRunnersSetting).toBe('disabled_and_unoverridable');
    expect(form.controls.find(({ name }) => name === 'sharedRunnersSetting')!.options).toEqual([
      'enabled',
      'disabled_and_overridable',
      'disabled_and_unoverridable',
    ]);
    const refused = await mary.press(form, { sharedRunnersSetting: 'enabled' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(
        'Runners of the instance cannot be enabled because parent group has shared Runners disabled.',
      ),
    ]);
    expect(refused.html).toContain('<details class="advanced" open><summary><h2>Runners</h2>');
  });
});

describe('ends', () => {
  test('a project is archived and taken back, then removed when its path is typed', async () => {
    const { path } = await newGroup();
    const form = await mary.get(`/-/projects/new?in=${path}`);
    const { location } = await pressed(mary, form, 'Create project', { name: 'Short' });
    const settings = `${location}/-/edit`;
    await pressed(mary, await mary.get(settings), 'Archive this project');
    const id = encodeURIComponent(location.slice(1));
    expect(await readOver(`/projects/${id}`)).toMatchObject({ archived: true });
    await pressed(mary, await mary.get(settings), 'Unarchive this project');
    expect(await readOver(`/projects/${id}`)).toMatchObject({ archived: false });
    expect((await mary.get(settings)).html).toContain(`${location}/-/remove`);
    const asked = await mary.get(`${location}/-/remove`);
    const wrong = await mary.press(asked.form('Remove the project'), { path: 'short' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This isn’t its path.')]);
    await pressed(mary, asked, 'Remove the project', { path: location.slice(1) });
    expect((await mary.get(location)).status).toBe(404);
    await pressed(mary, await mary.get(`/groups/${path}/-/remove`), 'Remove the group', { path });
    expect((await mary.get(`/groups/${path}`)).status).toBe(404);
  });

  test('others are refused', async () => {
    for (const page of ['/demo/storefront/-/remove', '/groups/demo/-/remove'])
      expect([page, (await dave.get(page)).status]).toEqual([page, 403]);
  });
});
