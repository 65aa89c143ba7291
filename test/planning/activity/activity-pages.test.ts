import { beforeAll, describe, expect, test } from 'vitest';
import { linksOf } from '../../support/pages/page.ts';
import { planningPages } from '../support/pages.ts';

/** The pages of what people did: in a project, in a group, by a person, and in one's projects. */

const { gateway, mary, gus, anyone, write } = await planningPages();
const project = '/demo/storefront/-/activity';
const api = '/projects/demo%2Fstorefront';
beforeAll(async () => {
  await write('POST', `${api}/issues/1/notes`, { body: 'It drips <b>here</b>.\n\nSecond line' });
  await write('PUT', `${api}/issues/1`, { state_event: 'close' });
  await write('POST', `${api}/milestones`, { title: 'Spring' });
  await write('POST', `${api}/repository/commits`, {
    branch: 'harbor',
    start_branch: 'main',
    commit_message: 'Paint the pump',
    actions: [{ action: 'create', file_path: 'pump.txt', content: 'red' }],
  });
});

describe('activity of a project', () => {
  test('says who did what, with links, and when', async () => {
    const { status, text, html } = await mary.get(project);
    expect(status).toBe(200);
    expect(text).toMatch(/created the branch harbor/);
    expect(text).toMatch(/opened milestone Spring/);
    expect(text).toMatch(/closed issue #1 Cart loses an item/);
    expect(text).toMatch(/commented on issue #1 Cart loses an item It drips <b>here<\/b>\. just now/);
    expect(text).not.toContain('Second line');
    expect(html).toMatch(/<time dateTime="[^"]+" title="[^"]+ UTC">just now<\/time>/i);
    const links = linksOf(html);
    expect(links).toContain('/maintainer');
    expect(links).toContain('/demo/storefront/-/issues/1');
    expect(links).toContain('/demo/storefront/-/tree/harbor');
    expect(html).toMatch(/href="\/demo\/storefront\/-\/issues\/1#note_\d+"/);
    for (const link of links.filter((one) => one.startsWith('/demo/storefront/-/')))
      expect([link, (await mary.get(link)).status]).toEqual([
        link,
        expect.toSatisfy((status) => status === 200 || status === 303),
      ]);
  });

  test('is limited to one kind, and says where nothing is of it', async () => {
    const comments = await mary.get(`${project}?event_filter=comments`);
    expect(comments.text).toContain('commented on issue');
    expect(comments.text).not.toContain('closed issue');
    const merged = await mary.get(`${project}?event_filter=merged`);
    expect(merged.text).toContain('No activity of this kind.');
    expect(linksOf(merged.html)).toContain(project);
    expect((await mary.get(`${project}?event_filter=nonsense`)).text).toContain('closed issue');
  });

  test('hides what a visitor doesn’t read', async () => {
    const secret = 'opened issue #3 Greeting is wrong';
    expect((await mary.get(`${project}?event_filter=issue`)).text).toContain(secret);
    for (const who of [gus, anyone()]) {
      const page = await who.get(`${project}?event_filter=issue`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('closed issue #1');
      expect(page.text).not.toContain('Greeting is wrong');
    }
  });

  test('is found from the menu and at GitLab’s address', async () => {
    expect(linksOf((await mary.get('/demo/storefront')).html)).toContain(project);
    expect(await mary.get('/demo/storefront/activity')).toMatchObject({
      location: expect.stringMatching(/\/-\/activity$/),
    });
  });

  test('has pages of twenty', async () => {
    await gateway.sql(
      `insert into events (kind, project_id, actor_id, subject_kind, subject_id, at)
       select kind, project_id, actor_id, subject_kind, subject_id, at from events, generate_series(1, 25)
       where kind = 'issue.closed' and id = (select max(id) from events where kind = 'issue.closed')`,
    );
    const first = await mary.get(project);
    const older = linksOf(first.html).find((link) => link.includes('after='))!;
    const second = await mary.get(older);
    expect(second.text).toContain('commented on issue');
    expect(linksOf(second.html).some((link) => link.includes('before='))).toBe(true);
  });
});

describe('activity of a group', () => {
  const group = '/groups/demo/-/activity';

  test('has that of its projects and of those below it, as far as one reads them', async () => {
    await write('POST', '/projects/demo%2Fplatform%2Fapi/issues', { title: 'Answer faster' });
    await write('POST', '/projects/demo%2Fplatform%2Fapi/issues', { title: 'Leak of keys', confidential: true });
    await write('POST', `${api}/issues`, { title: 'Secret berth', confidential: true });
    await gateway.sql(`update projects set visibility = 'PRIVATE' where full_path = 'demo/platform/api'`);
    const all = await mary.get(`${group}?event_filter=issue`);
    expect(all.text).toMatch(/opened issue #\d+ Leak of keys in /);
    expect(all.text).toMatch(
      /opened issue #\d+ Secret berth in .*opened issue #\d+ Answer faster in .*closed issue #1 /,
    );
    expect(linksOf(all.html)).toContain('/demo/platform/api');
    const below = await mary.get('/groups/demo/platform/-/activity');
    expect(below.text).toContain('Answer faster');
    expect(below.text).not.toContain('Cart loses an item');
    const seen = await anyone().get(`${group}?event_filter=issue`);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain('closed issue #1 Cart loses an item in ');
    expect(linksOf(seen.html)).toContain('/demo/storefront');
    for (const hidden of ['Leak of keys', 'Answer faster', 'Secret berth']) expect(seen.text).not.toContain(hidden);
  });

  test('is in its menu and at GitLab’s address, by kind and in pages', async () => {
    expect(linksOf((await mary.get('/groups/demo')).html)).toContain(group);
    const merged = await mary.get(`${group}?event_filter=merged`);
    expect(merged.text).toContain('No activity of this kind.');
    const first = await mary.get(group);
    const older = linksOf(first.html).find((link) => link.includes('after='))!;
    const second = await mary.get(older);
    expect(second.status).toBe(200);
    expect(linksOf(second.html).some((link) => link.includes('before='))).toBe(true);
    const hidden = await anyone().get('/groups/nowhere/-/activity');
    expect(hidden.status).toBe((await anyone().get('/groups/nowhere')).status);
  });

  test('leads on where nothing has happened', async () => {
    await write('POST', '/groups', { name: 'Quiet', path: 'quiet' });
    const page = await mary.get('/groups/quiet/-/activity');
    expect(page.text).toContain('Nothing has happened in its projects yet.');
    expect(linksOf(page.html)).toContain('/groups/quiet');
  });
});

describe('activity of a person', () => {
  test('is on their page, with a link to all of it', async () => {
    const page = await gus.get('/maintainer');
    expect(page.text).toMatch(/Activity All activity/);
    expect(page.text).toMatch(/closed issue #1 Cart loses an item in /);
    expect(linksOf(page.html)).toContain('/users/maintainer/activity');
    const all = await gus.get('/users/maintainer/activity?event_filter=comments');
    expect(all.text).toMatch(/commented on issue #1 Cart loses an item in /);
    expect(all.text).not.toContain('Greeting is wrong');
  });

  test('is for those who are signed in, and of no one who is unknown', async () => {
    expect((await anyone().get('/users/maintainer/activity')).location).toContain('/users/sign_in');
    expect((await gus.get('/users/nobody-here/activity')).status).toBe(404);
  });

  test('stays hidden with a private profile', async () => {
    await gateway.sql(`update users set private_profile = true where username = 'maintainer'`);
    const page = await gus.get('/users/maintainer/activity');
    expect(page.text).toContain('This profile is private.');
    expect((await gus.get('/maintainer')).text).toContain('This profile is private.');
    expect((await mary.get('/users/maintainer/activity')).text).toContain('closed issue #1');
    await gateway.sql(`update users set private_profile = false where username = 'maintainer'`);
  });
});

describe('activity in one’s projects', () => {
  test('has what everybody did, and leads on where there is nothing', async () => {
    expect((await gus.get('/dashboard/activity')).text).toMatch(/closed issue #1 Cart loses an item in /);
    expect((await anyone().get('/dashboard/activity')).location).toContain('/users/sign_in');
    expect((await mary.get('/activity')).location).toBe('/dashboard/activity');
    expect(linksOf((await mary.get('/')).html)).toContain('/dashboard/activity');
  });
});
