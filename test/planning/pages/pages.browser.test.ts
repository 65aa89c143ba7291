import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { hasBrowser, launchBrowser, windowOf } from '../../support/pages/browser.ts';
import { newUser } from '../../support/places/people.ts';
import { linksOf } from '../../support/pages/page.ts';
import { storefront } from '../support/storefront.ts';
import { done, issues, planningPages, titlesOf } from '../support/pages.ts';

/**
 * The pages of planning besides those of issues: conversations, labels, milestones, to-dos and epics. One gateway serves the
 * sessions without a browser and the browser.
 */

const { gateway, mary, gus, anyone, write, read, idOf } = await planningPages();
const shop = storefront;

const titlesOfTodos = ({ html }: WebPage) =>
  [...html.matchAll(/<li class="line todo">.*?<bdi>([^<]*)</gs)].map(([, title]) => title);

describe('the conversation of an issue', () => {
  let page: string;
  let api: string;
  const notes = async () => {
    const all = (await read(`${api}/notes?sort=asc`)) as { body: string; system: boolean; internal: boolean }[];
    return all.filter(({ system }) => !system).map(({ body, internal }) => (internal ? `${body} (internal)` : body));
  };
  beforeEach(async () => {
    const { iid } = await write('POST', `${shop}/issues`, { title: 'Talk' });
    page = `${issues}/${String(iid)}`;
    api = `${shop}/issues/${String(iid)}`;
  });
  const press = async (button: string, fields: Record<string, string> = {}, who = mary, at = page) =>
    await done(who, who.press((await who.get(at)).form(button), fields));

  test('takes comments, replies and threads that are resolved', async () => {
    const first = await press('Comment', { body: 'Hello *all*\r\n\r\nBye' }, gus);
    expect(first.html).toContain('Hello <em>all</em>');
    await press('Send the reply', { reply: 'Hello Gus' });
    await press('Comment', { body: 'A question', thread: 'on' });
    expect(await notes()).toEqual(['Hello *all*\n\nBye', 'Hello Gus', 'A question']);
    const talk = await mary.get(page);
    expect(talk.html.match(/class="thread"/g)).toHaveLength(2);
    expect((await press('Resolve the thread')).text).toContain('Resolved by Mary Maintainer');
    expect((await gus.get(page)).forms.map(({ button }) => button)).not.toContain('Open the thread again');
    expect((await press('Open the thread again')).text).not.toContain('Resolved by');
  });

  test('shows what happened', async () => {
    await write('PUT', api, { title: 'Talk more' });
    expect((await anyone().get(page)).text).toMatch(/Mary Maintainer changed title from .* · just now/);
  });

  test('keeps a comment that was refused', async () => {
    const form = (await mary.get(page)).form('Comment');
    const refused = await mary.press(form, { body: ' \n', thread: 'on', internal: 'on' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);
    expect(refused.html.match(/<input [^>]*checked[^>]*>/g)).toHaveLength(2);
    const long = `${'x'.repeat(1_000_000)}y`;
    expect((await mary.press(form, { body: long })).text).toContain('is too long');
    expect(await notes()).toEqual([]);
  });

  test('takes commands, also without a comment', async () => {
    const done = await press('Comment', { body: '/close\n/estimate 2h' });
    expect(done.text).toContain('The commands were carried out.');
    expect(done.text).toContain('Reopen issue');
    expect(await notes()).toEqual([]);
    await press('Comment', { body: 'Again, please.\n/reopen' });
    expect(await notes()).toEqual(['Again, please.']);
    // Nothing to do: it is open.
    const form = (await mary.get(page)).form('Comment');
    const refused = await mary.press(form, { body: '/reopen' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Failed to apply commands.')]);
    expect(refused.html).toContain('>/reopen</textarea>');
    const edit = linksOf((await mary.get(page)).html).find((link) => /\/notes\/\d+\/edit$/.test(link))!;
    expect((await press('Save changes', { body: '/close' }, mary, edit)).text).toContain(
      'The commands were carried out.',
    );
    expect(await notes()).toEqual([]);
  });

  test('has comments that are changed and deleted by their authors and by maintainers', async () => {
    const made = await press('Comment', { body: 'Frist' }, gus);
    const edit = linksOf(made.html).find((link) => link.endsWith('/edit') && link.includes('/notes/'))!;
    await press('Save changes', { body: 'First' }, gus, edit);
    const developer = await signIn(gateway, 'developer');
    expect(linksOf((await developer.get(page)).html)).not.toContain(edit);
    for (const way of [edit, edit.replace('edit', 'delete')]) expect((await developer.get(way)).status).toBe(403);
    const refused = await mary.press((await mary.get(edit)).form('Save changes'), { body: '' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);
    expect((await mary.get(page)).text).toContain('Edited');
    expect(await notes()).toEqual(['First']);
    await press('Delete the comment', {}, mary, edit.replace('edit', 'delete'));
    expect(await notes()).toEqual([]);
    expect((await mary.get(edit)).status).toBe(404);
  });

  test('has emoji on comments, and to-dos that lead to them', async () => {
    const note = await write('POST', `${api}/notes`, { body: '@guest, look' });
    const at = `${page}#note_${String(note.id)}`;
    expect((await gus.get('/dashboard/todos')).html).toContain(`href="${at}"`);
    const reacting = `${page}/notes/${String(note.id)}/award`;
    expect(linksOf((await gus.get(page)).html)).toContain(reacting);
    expect((await anyone().get(reacting)).location).toMatch(/^\/users\/sign_in/);
    const form = (await gus.get(reacting)).form('🚀 rocket for the comment of Mary Maintainer');
    const given = await gus.press(form);
    expect([given.status, given.location]).toEqual([303, at]);
    expect((await mary.get(page)).text).toContain('🚀 rocket 1 : Guy Guest');
    expect((await gus.press((await gus.get(page)).form('🚀 rocket 1'))).location).toBe(at);
    expect((await mary.get(page)).text).not.toContain('🚀 rocket 1');
    const refused = await mary.press(
      (await mary.get(reacting)).form('React with it to the comment of Mary Maintainer'),
      {
        name: 'no-such',
      },
    );
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('is not a valid emoji name')]);
    const token = gateway.tokens.maintainer;
    expect((await gateway.rest('DELETE', `/api/v4${api}/notes/${String(note.id)}`, { token })).status).toBe(204);
    expect((await gus.get('/dashboard/todos?state=done')).html).not.toContain(at);
  });

  test('has internal comments, for reporters only', async () => {
    await press('Comment', { body: 'Between us', internal: 'on' });
    expect(await notes()).toEqual(['Between us (internal)']);
    expect((await mary.get(page)).text).toContain('Internal Edit');
    const seen = await gus.get(page);
    expect(seen.text).not.toContain('Between us');
    expect(seen.form('Comment').controls.map(({ name }) => name)).not.toContain('internal');
  });

  test('says why one can’t comment', async () => {
    expect((await anyone().get(page)).text).toContain('Sign in to comment.');
    const stranger = await newUser(gateway, `stranger-${page.split('/').at(-1)}`, {
      password: inject('passwords').demo,
    });
    const who = await signIn(gateway, stranger.username);
    const form = (await who.get(page)).form('Comment');
    await write('PUT', api, { discussion_locked: true });
    expect((await who.get(page)).text).toContain('The discussion is locked: only members of the project can comment.');
    expect((await who.press(form, { body: 'Still' })).status).toBe(403);
    await press('Comment', { body: 'A member' }, gus);
    expect(await notes()).toEqual(['A member']);
  });

  test('begins with the latest, and leads to earlier ones', async () => {
    for (let at = 1; at <= 23; at++) await write('POST', `${api}/notes`, { body: `Number ${at}.` });
    const texts = ({ text }: WebPage) => [...text.matchAll(/Number (\d+)\./g)].map(([, number]) => Number(number));
    const last = await mary.get(page);
    expect(texts(last)).toEqual(Array.from({ length: 20 }, (_, at) => at + 4));
    const earlier = linksOf(last.html).find((link) => link.includes('before='))!;
    const before = await mary.get(earlier);
    expect(texts(before)).toEqual([1, 2, 3]);
    const later = linksOf(before.html).find((link) => link.includes('after='))!;
    expect(texts(await mary.get(later))).toEqual(texts(last));
  });

  describe('with a long thread', () => {
    let thread: string;
    let ids: number[];
    beforeEach(async () => {
      const { id } = await write('POST', `${api}/discussions`, { body: 'Number 1.' });
      thread = `${page}/discussions/${String(id)}`;
      for (let at = 2; at <= 50; at++)
        await write('POST', `${api}/discussions/${String(id)}/notes`, { body: `Number ${at}.` });
      ids = ((await read(`${api}/notes?sort=asc&per_page=100`)) as { id: number }[]).map((note) => note.id);
    });
    const texts = ({ text }: WebPage) => [...text.matchAll(/Number (\d+)\./g)].map(([, number]) => Number(number));
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const link = ({ html }: WebPage, part: string) =>
      linksOf(html).find((one) => one.startsWith(thread) && one.includes(part))!;

    test('shows its first comment and the latest, and the others on a page of the thread', async () => {
      const opened = await mary.get(page);
      expect(texts(opened)).toEqual([1, 49, 50]);
      expect(opened.text).toContain('47 earlier replies');
      const last = await gus.get(link(opened, ''));
      expect(texts(last)).toEqual([1, ...from(31, 50)]);
      expect(last.text).toContain('50 comments on Talk');
      const before = await mary.get(link(last, 'before='));
      expect(texts(before)).toEqual([1, ...from(11, 30)]);
      expect(texts(await mary.get(link(before, 'after=')))).toEqual(texts(last));
      expect((await mary.get(`${page}/discussions/${'0'.repeat(40)}`)).status).toBe(404);
      // A visitor who isn’t signed in sees all of it at once.
      expect(texts(await anyone().get(page))).toEqual(from(1, 50));
      expect((await anyone().get(thread)).location).toMatch(/^\/users\/sign_in/);
      const other = await write('POST', `${shop}/issues`, { title: 'Other' });
      expect((await mary.get(thread.replace(/issues\/\d+/, `issues/${String(other.iid)}`))).status).toBe(404);
    });

    test('is replied to on its page, which keeps a reply that was refused', async () => {
      const form = (await gus.get(thread)).form('Send the reply');
      const refused = await gus.press(form, { reply: ' ' });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);
      const commands = await mary.press((await mary.get(thread)).form('Send the reply'), { reply: '/reopen' });
      expect([commands.status, commands.html.includes('>/reopen</textarea>')]).toEqual([422, true]);
      const sent = await gus.press(form, { reply: 'Number 51.' });
      expect(sent.location).toMatch(new RegExp(`^${page}#note_\\d+$`));
      expect(texts(await gus.get(page))).toEqual([1, 50, 51]);
    });

    test('links to each of its comments lead to the page that has it', async () => {
      const to = async (id: number) => (await gus.get(`${page}/notes/${id}`)).location!;
      expect(await to(ids[24]!)).toBe(`${thread}?from=20#note_${ids[24]}`);
      const part = await mary.get(await to(ids[24]!));
      expect(texts(part)).toEqual([1, ...from(21, 40)]);
      expect(texts(await mary.get(link(part, 'before=')))).toEqual([1, ...from(2, 20)]);
      expect(texts(await mary.get(link(part, 'after=')))).toEqual([1, ...from(41, 50)]);
      // A part that is empty since comments were deleted leads to the latest.
      expect((await mary.get(`${thread}?from=60`)).location).toBe(thread);
      // One that is gone, or that the visitor doesn't read, leads to what it was on.
      expect(await to(1)).toBe(`${page}#activity`);
      const secret = await write('POST', `${api}/notes`, { body: 'For us', internal: true });
      expect(await to(secret.id as number)).toBe(`${page}#activity`);
      // The part after a comment stays when that is deleted.
      const token = gateway.tokens.maintainer;
      expect((await gateway.rest('DELETE', `/api/v4${api}/notes/${ids[39]}`, { token })).status).toBe(204);
      expect(texts(await mary.get(link(part, 'after=')))).toEqual([1, ...from(41, 50)]);
      // The address of an earlier release, whose cursors differ, leads to the latest.
      expect((await mary.get(`${thread}?after=${Buffer.from('7').toString('base64url')}`)).location).toBe(thread);
    });

    test('leaves out no less than a handful', async () => {
      const token = gateway.tokens.maintainer;
      const shorten = async (left: number) => {
        for (const id of ids.splice(left))
          expect((await gateway.rest('DELETE', `/api/v4${api}/notes/${id}`, { token })).status).toBe(204);
      };
      await shorten(26);
      const long = await mary.get(thread);
      expect(texts(long)).toEqual([1, ...from(7, 26)]);
      expect(texts(await mary.get(link(long, 'before=')))).toEqual(from(1, 6));
      await shorten(25);
      const whole = await mary.get(thread);
      expect([texts(whole), link(whole, 'before=')]).toEqual([from(1, 25), undefined]);
      await shorten(8);
      const opened = await mary.get(page);
      expect([texts(opened), opened.text.includes('5 earlier replies')]).toEqual([[1, 7, 8], true]);
      await shorten(7);
      expect(texts(await mary.get(page))).toEqual(from(1, 7));
    });
  });
});

describe.each([
  ['project', '/demo/storefront/-', shop],
  ['group', '/groups/demo/-', '/groups/demo'],
])('the labels of a %s', (kind, at, api) => {
  const press = async (path: string, button: string, fields: Record<string, string> = {}) =>
    await done(mary, mary.press((await mary.get(at + path)).form(button), fields));
  const label = async (name: string) =>
    ((await read(`${api}/labels?search=${name}`)) as { id: number; name: string }[]).find((one) => one.name === name);

  test('are made, listed, found, changed and deleted', async () => {
    const made = { title: 'fresh', description: 'New & shiny', color: '#123456' };
    const list = await press('/labels/new', 'Create label', made);
    expect(list.text).toContain('The label is saved.');
    expect(list.text).toContain('fresh New & shiny 0 open issues');
    const { id } = (await label('fresh'))!;
    expect(await label('fresh')).toMatchObject({ color: '#123456', description: 'New & shiny' });
    expect((await mary.get(`${at}/labels?search=shiny`)).text).not.toContain('urgent');
    const renamed = { title: 'stale', ...(kind === 'project' && { priority: '3' }) };
    expect((await press(`/labels/${id}/edit`, 'Save changes', renamed)).text).toContain('stale');
    expect(await label('stale')).toMatchObject({
      id,
      color: '#123456',
      description: 'New & shiny',
      ...(kind === 'project' && { priority: 3 }),
    });
    if (kind === 'project') {
      await press(`/labels/${id}/edit`, 'Save changes', { priority: '' });
      expect(await label('stale')).toMatchObject({ priority: null });
    }
    expect((await press('/labels', 'Subscribe to the label stale')).text).toContain('You are subscribed to the label.');
    expect(await label('stale')).toMatchObject({ subscribed: true });
    await press('/labels', 'Unsubscribe from the label stale');
    expect((await press(`/labels/${id}/delete`, 'Delete the label')).text).toContain('The label is deleted.');
    expect(await label('stale')).toBeUndefined();
    expect((await mary.get(`${at}/labels/${id}/edit`)).status).toBe(404);
  });

  test('keep what was typed beside what is wrong with it', async () => {
    const form = (await mary.get(`${at}/labels/new`)).form('Create label');
    const taken = kind === 'project' ? 'bug' : 'urgent';
    const wrong: [Record<string, string>, string][] = [
      [{ title: 'a,b' }, 'The title is invalid.'],
      [{ title: taken }, 'There is a label with this title already.'],
      [{ title: 'new', color: 'no color' }, 'The color must be a valid color code.'],
    ];
    if (kind === 'project') wrong.push([{ title: 'new', priority: '-1' }, 'The priority must be a number from 0 on.']);
    for (const [fields, says] of wrong) {
      const answer = await mary.press(form, { description: 'Typed', ...fields });
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(says)]);
      expect(answer.html).toContain('value="Typed"');
    }
    const { id } = (await label(taken))!;
    const edit = (await mary.get(`${at}/labels/${id}/edit`)).form('Save changes');
    const refused = await mary.press(edit, { title: ' ' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('The title is invalid.')]);
  });

  test('can’t be changed by others, who are told so', async () => {
    expect((await anyone().get(`${at}/labels`)).text).toContain('Sign in to change labels.');
    expect((await gus.get(`${at}/labels`)).text).toContain('You need at least the Planner role to change labels.');
    const { id } = (await label('urgent'))!;
    for (const page of ['/labels/new', `/labels/${id}/edit`, `/labels/${id}/delete`])
      expect([page, (await gus.get(at + page)).status]).toEqual([page, 403]);
    expect((await anyone().get(`${at}/labels/new`)).location).toContain('/users/sign_in');
    const { action, fields } = (await mary.get(`${at}/labels/new`)).form('Create label');
    expect((await gus.post(action, { ...fields, title: 'forged' })).status).toBe(403);
    // A label of a group is changed in the group.
    expect((await mary.get(`${at}/labels/${id}/edit`)).status).toBe(kind === 'group' ? 200 : 404);
    expect((await mary.get(`${at}/labels/99999999999/edit`)).status).toBe(404);
  });
});

test('a label of a project is promoted to its group', async () => {
  const { id } = await write('POST', `${shop}/labels`, { name: 'rising', color: '#123456' });
  const list = await mary.get('/demo/storefront/-/labels');
  expect(linksOf(list.html)).toContain(`/demo/storefront/-/labels/${String(id)}/promote`);
  const form = (await mary.get(`/demo/storefront/-/labels/${String(id)}/promote`)).form('Promote the label');
  expect((await done(mary, mary.press(form))).text).toContain('rising Group label');
  expect((await mary.get('/groups/demo/-/labels')).text).toContain('rising');
});

describe.each([
  ['project', '/demo/storefront/-', shop],
  ['group', '/groups/demo/-', '/groups/demo'],
])('the milestones of a %s', (kind, at, api) => {
  const press = async (path: string, button: string, fields: Record<string, string> = {}) =>
    await done(mary, mary.press((await mary.get(path)).form(button), fields));

  test('are made, listed, changed, closed and deleted', async () => {
    const typed = { title: `Sale ${kind}`, description: 'All *half* price\r\n\r\nReally', start_date: '2031-01-01' };
    const made = await press(`${at}/milestones/new`, 'Create milestone', { ...typed, due_date: '2031-02-01' });
    expect(made.text).toContain('The milestone is saved.');
    expect(made.html).toContain('All <em>half</em> price');
    expect(made.text).toContain('Open Upcoming 1 January 2031 to 1 February 2031 No issues.');
    const path = linksOf(made.html)
      .find((link) => /\/milestones\/\d+\/edit$/.test(link))!
      .replace('/edit', '');
    const iid = Number(path.split('/').at(-1));
    const now = async () => ((await read(`${api}/milestones?iids[]=${iid}`)) as Record<string, unknown>[])[0];
    const { id } = (await now())!;
    await write('POST', `${shop}/issues`, { title: `Sell ${kind}`, milestone_id: id, labels: 'bug' });
    const sold = await write('POST', `${shop}/issues`, { title: `Sold ${kind}`, milestone_id: id });
    await write('PUT', `${shop}/issues/${String(sold.iid)}`, { state_event: 'close' });
    const page = await mary.get(path);
    expect(titlesOf(page)).toEqual([`Sold ${kind}`, `Sell ${kind}`]);
    expect(page.text).toContain('1 of 2 issues closed (50 %)');
    expect((await mary.get(`${at}/milestones`)).text).toContain('1 of 2 issues closed (50 %)');
    const form = (await mary.get(`${path}/edit`)).form('Save changes');
    await write('PUT', `${api}/milestones/${String(id)}`, { description: 'By others' });
    await done(mary, mary.press(form, { due_date: '' }));
    expect(await now()).toMatchObject({
      title: `Sale ${kind}`,
      description: 'By others',
      start_date: '2031-01-01',
      due_date: null,
    });
    expect((await press(path, 'Close milestone')).text).toContain('The milestone is closed.');
    expect((await mary.get(`${at}/milestones`)).text).not.toContain(`Sale ${kind}`);
    expect((await mary.get(`${at}/milestones?state=closed&search=sale`)).text).toContain(`Sale ${kind}`);
    await press(path, 'Reopen milestone');
    expect((await press(`${path}/delete`, 'Delete the milestone')).text).toContain('The milestone is deleted.');
    expect((await mary.get(path)).status).toBe(404);
    expect(await read(`${shop}/issues/${String(sold.iid)}`)).toMatchObject({ milestone: null });
    await gateway.sql('delete from issues where title like $1', [`%${kind}`]);
  });

  test('keep what was typed beside what is wrong with it', async () => {
    const form = (await mary.get(`${at}/milestones/new`)).form('Create milestone');
    for (const [fields, says] of [
      [{ title: ' ' }, "The title can't be blank."],
      [{ title: 'Opening' }, 'The title is already being used for another group or project milestone.'],
      [{ title: 'x', start_date: '2030-02-30' }, 'The start date must be a day.'],
      [
        { title: 'x', start_date: '2030-02-03', due_date: '2030-02-01' },
        'The due date must be greater than start date.',
      ],
    ] as const) {
      const answer = await mary.press(form, { description: 'Typed', ...fields });
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(says)]);
      expect(answer.html).toContain('>Typed</textarea>');
    }
  });

  test('can’t be changed by others, who are told so', async () => {
    expect((await anyone().get(`${at}/milestones`)).text).toContain('Sign in to change milestones.');
    expect((await gus.get(`${at}/milestones`)).text).toContain(
      'You need at least the Planner role to change milestones.',
    );
    expect((await gus.get(`${at}/milestones/new`)).status).toBe(403);
    const { action, fields } = (await mary.get(`${at}/milestones/new`)).form('Create milestone');
    expect((await gus.post(action, { ...fields, title: 'forged' })).status).toBe(403);
  });
});

test('a milestone of a project is promoted to its group, and says to a guest why they can’t change it', async () => {
  const { web_url: url } = await write('POST', `${shop}/milestones`, { title: 'Rising' });
  const path = new URL(String(url)).pathname;
  expect((await gus.get(path)).text).toContain('You need at least the Planner role to change milestones.');
  expect((await gus.get(`${path}/edit`)).status).toBe(403);
  const result = await done(mary, mary.press((await mary.get(`${path}/promote`)).form('Promote the milestone')));
  expect(result.text).toContain('The milestone belongs to the group now.');
  expect((await mary.get('/demo/storefront/-/milestones')).text).toContain('Rising Open Group milestone');
});

describe('my to-dos', () => {
  const list = '/dashboard/todos';
  const press = async (button: string, at = list) => await done(gus, gus.press((await gus.get(at)).form(button)));

  test('are marked as done, restored, and marked all at once', async () => {
    const { iid } = await write('POST', `${shop}/issues`, { title: 'For Gus', assignee_id: await idOf('guest') });
    await write('POST', `${shop}/issues`, { title: 'Also for Gus', description: '@guest look' });
    await write('POST', `${shop}/issues`, { title: '@maintainer' });
    const page = await gus.get(list);
    expect(titlesOfTodos(page)).toEqual(['Also for Gus', 'For Gus']);
    expect(page.text).toContain(`Mary Maintainer assigned you to demo/storefront#${String(iid)}`);
    expect(page.text).toContain('To do 2');
    expect(linksOf(page.html)).toContain(`${issues}/${String(iid)}`);
    const marked = await press('Mark as done For Gus');
    expect(marked.text).toContain('Marked as done.');
    expect(titlesOfTodos(marked)).toEqual(['Also for Gus']);
    expect(titlesOfTodos(await press('Restore For Gus', `${list}?state=done`))).toEqual([]);
    expect(titlesOfTodos(await gus.get(list))).toEqual(['Also for Gus', 'For Gus']);
    const all = await press('Mark all as done');
    expect(all.text).toContain('You have nothing to do.');
    expect(titlesOfTodos(await gus.get(`${list}?state=done`))).toEqual(['Also for Gus', 'For Gus']);
  });

  test('are nobody else’s', async () => {
    expect((await anyone().get(list)).location).toContain('/users/sign_in');
    const form = (await gus.get(`${list}?state=done`)).form('Restore');
    expect(form.action).toMatch(new RegExp(`^${list}/\\d+/restore$`));
    await gateway.sql('update todos set user_id = $1 where id = $2', [await idOf('root'), form.action.split('/')[3]]);
    expect((await gus.press(form)).status).toBe(404);
    await gateway.sql('update todos set user_id = $1 where id = $2', [await idOf('guest'), form.action.split('/')[3]]);
  });
});

test('my issues are those assigned to me, and those that I created', async () => {
  await write('POST', `${shop}/issues`, { title: 'Mine to do', assignee_id: await idOf('developer') });
  const developer = await signIn(gateway, 'developer');
  const assigned = await developer.get('/dashboard/issues?search=mine');
  expect(titlesOf(assigned)).toEqual(['Mine to do']);
  expect(assigned.text).toContain('demo/storefront#');
  expect((await developer.get('/dashboard/issues/created')).text).toContain('No issues here.');
  expect(titlesOf(await mary.get('/dashboard/issues/created?search=mine'))).toEqual(['Mine to do']);
  expect((await anyone().get('/dashboard/issues')).location).toContain('/users/sign_in');
});

test('a list without records leads on: to the first one, or past the filters', async () => {
  const fresh = String((await write('POST', '/projects', { name: 'Fresh', visibility: 'public' })).path_with_namespace);
  const onward = async (path: string, who: BrowserSession = mary) =>
    linksOf(/<p class="empty">(.*?)<\/p>/s.exec((await who.get(path)).html)![1]!);
  const at = (page: string) => `/${fresh}/-/${page}`;
  for (const kind of ['issues', 'labels', 'milestones']) {
    expect(await onward(at(kind))).toEqual([at(`${kind}/new`)]);
    expect(await onward(at(kind), anyone())).toEqual([]);
    const [all] = await onward(`${at(kind)}?search=nothing+like+it`, anyone());
    expect(all).toMatch(new RegExp(`^${at(kind)}(\\?(?!.*search).*)?$`));
  }
  expect(await onward(`${at('pipelines')}?status=failed`)).toEqual([at('pipelines')]);
  expect(await onward(`${at('members')}?search=nothing`)).toEqual([at('members')]);
  expect(await onward(`${at('merge_requests')}?search=nothing`)).toEqual([`${at('merge_requests')}?state=all`]);
  expect(await onward('/dashboard/merge_requests/created')).toEqual(['/explore/projects?scope=mine']);
  const tokens = '/profile/personal_access_tokens';
  expect(await onward(`${tokens}?search=nothing`)).toEqual([tokens]);
  // What is only in another state is a press away.
  const { iid } = await write('POST', `/projects/${encodeURIComponent(fresh)}/issues`, { title: 'Over' });
  await write('PUT', `/projects/${encodeURIComponent(fresh)}/issues/${String(iid)}`, { state_event: 'close' });
  expect(await onward(at('issues'))).toEqual([`${at('issues')}?state=all`]);
});

test('the epics of a group are shown to those who read them, and nobody else finds them', async () => {
  const list = await mary.get('/groups/demo/-/epics');
  expect(list.text).toContain('A new harbour Open &1 · opened');
  expect(linksOf(list.html)).toContain('/groups/demo/-/epics/1');
  expect((await mary.get('/groups/demo/-/epics/1')).text).toContain('With a lighthouse .');
  expect((await mary.get('/groups/demo/-/labels')).text).toContain('Epics');
  expect((await gus.get('/groups/demo/-/labels')).text).not.toContain('Epics');
  for (const path of ['', '/1', '/x'])
    for (const session of [gus, anyone()]) expect((await session.get(`/groups/demo/-/epics${path}`)).status).toBe(404);
  expect((await mary.get('/groups/demo/-/epics/x')).status).toBe(404);
  expect((await mary.get('/demo/storefront/-/epics')).status).toBe(404);
  const epic = '/groups/demo/-/epics/1';
  for (const [button, notice, does] of [
    // She is its author.
    ['Unsubscribe', 'You aren’t subscribed to the epic anymore.', 'Subscribe'],
    ['Subscribe', 'You are subscribed to the epic.', 'Unsubscribe'],
  ] as const) {
    const form = (await mary.get(epic)).form(button);
    const done = await mary.press(form);
    expect([done.status, done.location]).toEqual([303, epic]);
    const shown = await mary.get(epic);
    expect(shown.text).toContain(notice);
    expect(shown.form(does).action).toBe(`${epic}/${does.toLowerCase()}`);
    expect((await mary.get(form.action)).location).toBe(epic);
  }
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('a link to a comment that the page doesn’t show leads to it', async () => {
    const { iid } = await write('POST', `${shop}/issues`, { title: 'Long talk' });
    const api = `${shop}/issues/${String(iid)}/notes`;
    const { id: first } = await write('POST', api, { body: 'The very first.' });
    for (let at = 1; at <= 21; at++) await write('POST', api, { body: `Number ${at}.` });
    const { id: last } = await write('POST', api, { body: 'The last.' });
    const context = await windowOf(browser, gateway.url, mary.cookies);
    const tab = await context.newPage();
    const wrongs: string[] = [];
    tab.on('pageerror', ({ message }) => wrongs.push(message));
    const page = `${gateway.url}${issues}/${String(iid)}`;
    await tab.goto(`${page}#note_${String(first)}`);
    await tab.waitForURL(/\/discussions\/[0-9a-f]{40}/);
    expect(new URL(tab.url()).hash).toBe(`#note_${String(first)}`);
    expect(await tab.locator(`#note_${String(first)}`).textContent()).toContain('The very first.');
    // One that is shown stays where it is, and so does a page without such a link.
    await tab.goto(`${page}#note_${String(last)}`);
    await tab.waitForLoadState('networkidle');
    expect(tab.url()).toBe(`${page}#note_${String(last)}`);
    expect(wrongs).toEqual([]);
    await context.close();
  });

  test('texts of people run nothing and load nothing', async () => {
    const hostile = `"><img src=x onerror=ran()><script>ran()</script><svg onload=ran()>`;
    const markdown = [
      hostile,
      '[a](javascript:ran()) <a href="javascript:ran()">b</a> <iframe src="https://evil.example/"></iframe>',
      '<style>*{display:none}</style><form action="https://evil.example/"><button>x</button></form>',
      '<p style="background:url(https://evil.example/)" onclick="ran()">c</p><base href="https://evil.example/">',
      '<h1 id="content">d</h1> <input type="checkbox" autofocus onfocus="ran()">',
    ].join('\n\n');
    const { id } = await write('POST', `${shop}/milestones`, { title: hostile, description: markdown });
    await write('POST', '/groups/demo/labels', {
      name: `~${hostile.replaceAll(/<[^<>]*>/g, '')}&lt;b&gt;`,
      description: hostile,
      color: '#fff',
    });
    const issue = await write('POST', `${shop}/issues`, {
      title: hostile,
      description: markdown,
      labels: 'bug',
      milestone_id: id,
      assignee_id: await idOf('maintainer'),
    });
    await gateway.sql('update labels set title = $1 where title = $2', [hostile, 'bug']);
    await gateway.sql('update users set name = $1 where username = $2', [hostile, 'maintainer']);
    const page = `${issues}/${String(issue.iid)}`;
    await gateway.rest('POST', `/api/v4${shop}/issues`, {
      token: gateway.tokens.guest,
      json: { title: hostile, description: '@maintainer' },
    });
    await write('POST', `${shop}/issues/${String(issue.iid)}/notes`, { body: markdown });
    await write('PUT', `${shop}/issues/${String(issue.iid)}`, { title: `${hostile} again` });
    const context = await windowOf(browser, gateway.url, mary.cookies);
    const tab = await context.newPage();
    const wrongs: string[] = [];
    tab.on('dialog', (dialog) => void wrongs.push(dialog.message()));
    tab.on('pageerror', ({ message }) => wrongs.push(message));
    tab.on('request', (request) => {
      if (!request.url().startsWith(`${gateway.url}/`)) wrongs.push(`asked ${request.url()}`);
    });
    await tab.addInitScript(() =>
      Object.assign(globalThis, { ran: () => ((globalThis as { has?: boolean }).has = true) }),
    );
    const milestone = (await read(`${shop}/milestones/${String(id)}`)) as { iid: number };
    for (const path of [
      issues,
      `${issues}?label_name=${encodeURIComponent(hostile)}&search=${encodeURIComponent(hostile)}&state=all`,
      page,
      `${page}/edit`,
      '/demo/storefront/-/labels',
      '/demo/storefront/-/milestones',
      `/demo/storefront/-/milestones/${milestone.iid}`,
      `/demo/storefront/-/milestones/${milestone.iid}/delete`,
      '/groups/demo/-/labels',
      '/dashboard/todos',
      '/dashboard/issues',
    ]) {
      await tab.goto(gateway.url + path);
      const found = await tab.evaluate(() => ({
        has: 'has' in globalThis,
        headings: document.querySelectorAll('h1').length,
        foreign: document.querySelectorAll(
          'main :is(script, iframe, style, base, svg[onload], [onerror], [onclick], [onfocus], [autofocus], [style], form[action^="http"], a[href^="javascript"])',
        ).length,
        contents: document.querySelectorAll('#content').length,
        shown:
          document.querySelector('main')!.textContent.includes('onerror=ran()') ||
          document.querySelector('main')!.innerHTML.includes('onerror=ran()'),
      }));
      expect([path, found]).toEqual([path, { has: false, headings: 1, foreign: 0, contents: 1, shown: true }]);
    }
    expect(wrongs).toEqual([]);
    await context.close();
  });
});
