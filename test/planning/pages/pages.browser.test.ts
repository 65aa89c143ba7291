import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../../support/browser-session.ts';
import { hasBrowser, launchBrowser } from '../../support/browser.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { newUser } from '../../support/people.ts';
import { linksOf } from '../../support/page.ts';
import { fillWithChoices, fillWithPlanning, storefront } from '../support/storefront.ts';

/**
 * The pages of planning, in the project `demo/storefront`: Mary is its maintainer, Gus a guest. One gateway serves the
 * sessions without a browser and the browser.
 */

let gateway: TestGateway;
let mary: BrowserSession;
let gus: BrowserSession;
const anyone = () => browserSession(gateway);
beforeAll(async () => {
  gateway = await testGateway();
  mary = await signIn(gateway, 'maintainer');
  gus = await signIn(gateway, 'guest');
  await fillWithPlanning(gateway);
});

const shop = storefront;
const write = async (method: string, path: string, json: object): Promise<Record<string, unknown>> => {
  const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.maintainer, json });
  expect([method, path, status, body]).toEqual([method, path, method === 'POST' ? 201 : 200, body]);
  return body as Record<string, unknown>;
};
const read = async (path: string): Promise<unknown> =>
  (await gateway.rest('GET', `/api/v4${path}`, { token: gateway.tokens.maintainer })).body;
const idOf = async (username: string) => {
  const [user] = await gateway.sql<{ id: number }>('select id from users where username = $1', [username]);
  return user!.id;
};

/** The titles of a list, in its order. */
const titlesOf = ({ html }: WebPage) =>
  [...html.matchAll(/<li class="line"><div><a href="[^"]*"><bdi>([^<]*)</g)].map(([, title]) => title);

const titlesOfTodos = ({ html }: WebPage) =>
  [...html.matchAll(/<li class="line todo">.*?<bdi>([^<]*)</gs)].map(([, title]) => title);

const issues = '/demo/storefront/-/issues';

describe('the list of issues', () => {
  const listed = async (query = '', who: BrowserSession = mary) => titlesOf(await who.get(issues + query));

  test('has open issues, the newest first, and counts of all states', async () => {
    const page = await mary.get(issues);
    expect(page.status).toBe(200);
    expect(titlesOf(page)).toEqual(['Greeting is wrong', 'Prices without cents', 'Cart loses an item']);
    expect(page.text).toContain('Open 3 Closed 1 All 4');
    expect(page.text).toContain('1 of 2 tasks');
  });

  test('hides confidential issues, also from the counts', async () => {
    for (const who of [gus, anyone()]) {
      const page = await who.get(`${issues}?state=all`);
      expect(titlesOf(page)).toEqual(['Done long ago', 'Prices without cents', 'Cart loses an item']);
      expect(page.text).toContain('Open 2 Closed 1 All 3');
    }
  });

  test.each([
    ['?state=closed', ['Done long ago']],
    ['?search=cart', ['Prices without cents', 'Cart loses an item']],
    ['?label_name=bug', ['Prices without cents', 'Cart loses an item']],
    ['?label_name=bug,+urgent', ['Cart loses an item']],
    ['?label_name%5B%5D=bug&label_name%5B%5D=urgent', ['Cart loses an item']],
    ['?label_name=None', ['Greeting is wrong']],
    ['?milestone_title=Opening', ['Cart loses an item']],
    ['?milestone_title=None&search=cart', ['Prices without cents']],
    ['?milestone_title=%23upcoming', ['Cart loses an item']],
    ['?assignee_username=developer', ['Cart loses an item']],
    ['?assignee_username=None', ['Greeting is wrong', 'Prices without cents']],
    ['?assignee_id=Any', ['Cart loses an item']],
    ['?author_username=maintainer&state=closed', ['Done long ago']],
    ['?author_username=guest', []],
    ['?sort=title_asc', ['Cart loses an item', 'Greeting is wrong', 'Prices without cents']],
    ['?state=nonsense&sort=nonsense&page=7', ['Greeting is wrong', 'Prices without cents', 'Cart loses an item']],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test('keeps its filters in tabs, in labels and in the form', async () => {
    const { html } = await mary.get(`${issues}?label_name=bug&sort=title_asc&assignee_username=developer`);
    const kept = 'label_name=bug&assignee_username=developer&sort=title_asc';
    expect(linksOf(html)).toContain(`${issues}?state=closed&${kept}`);
    expect(linksOf(html)).toContain(`${issues}?${kept.replace('bug', 'bug%2Curgent')}`);
    expect(html).toMatch(/<option (?=[^>]*value="title_asc")[^>]*selected/);
    expect(html).toMatch(/name="assignee_username"[^>]* value="developer"/);
  });

  test('says why there is no button', async () => {
    expect((await anyone().get(issues)).text).toContain('Sign in to create an issue.');
    expect((await gus.get(issues)).text).toContain('New issue');
  });

  test('has the first labels of an issue that has many', async () => {
    const { id, path_with_namespace: place } = await write('POST', '/projects', { name: 'Chandlery' });
    const labels = Array.from({ length: 15 }, (_, index) => `label-${index}`).join(',');
    await write('POST', `/projects/${String(id)}/issues`, { title: 'Rope', labels });
    const { html, text } = await mary.get(`/${String(place)}/-/issues`);
    expect(html.match(/<a class="label"/g)).toHaveLength(12);
    expect(text).toContain('and more');
    expect((await mary.get(`/${String(place)}/-/issues/1`)).html.match(/<a class="label"/g)).toHaveLength(15);
  });

  test('is missing where the project is', async () => {
    expect((await anyone().get('/demo/nothing/-/issues')).status).toBe(404);
    expect((await anyone().get('/demo/platform/api/-/issues')).status).toBe(404);
    expect((await mary.get('/demo/storefront/-/nothing')).status).toBe(404);
  });

  test('of a group has those of everything below it, with their projects', async () => {
    const page = await mary.get('/groups/demo/-/issues?search=cents');
    expect(titlesOf(page)).toEqual(['Prices without cents']);
    expect(page.text).toContain('demo/storefront#2');
  });
});

/** Presses a button, and follows the redirect to the page with the result. */
async function done(browser: BrowserSession, answer: Promise<WebPage>): Promise<WebPage> {
  const { status, location, text } = await answer;
  expect([status, status === 303 ? '' : text]).toEqual([303, '']);
  return await browser.get(location!);
}

describe('an issue', () => {
  let page: string;
  const now = async () => await read(`${shop}/issues/${page.split('/').at(-1)}`);
  beforeEach(async () => {
    const { iid } = await write('POST', `${shop}/issues`, { title: 'Lamp', description: 'Is *off*.', labels: 'bug' });
    page = `${issues}/${String(iid)}`;
  });
  const press = async (button: string, fields: Record<string, string> = {}, who = mary, at = page) =>
    await done(who, who.press((await who.get(at)).form(button), fields));

  test('is closed, reopened, hidden, locked, assigned and subscribed to by buttons', async () => {
    expect((await press('Close issue')).text).toContain('The issue is closed. ');
    expect(await now()).toMatchObject({ state: 'closed' });
    expect((await press('Reopen issue')).text).toContain('The issue is open again.');
    expect((await press('Make it confidential')).text).toContain('Confidential');
    expect((await press('Lock the discussion')).text).toContain('Discussion locked');
    await press('Assign to me');
    await press('Unsubscribe');
    expect(await now()).toMatchObject({
      state: 'opened',
      confidential: true,
      discussion_locked: true,
      assignee: { username: 'maintainer' },
      subscribed: false,
    });
    await press('Turn off confidentiality');
    await press('Unlock the discussion');
    await press('Subscribe');
    expect(await now()).toMatchObject({ confidential: false, discussion_locked: false, subscribed: true });
  });

  test('is put onto one’s to-do list, and taken off', async () => {
    const todos = async () =>
      (await gateway.rest('GET', '/api/v4/todos', { token: gateway.tokens.maintainer })).body as {
        target: { iid: number };
      }[];
    const lamps = async () =>
      (await todos()).filter(({ target }) => String(target.iid) === page.split('/').at(-1)).length;
    expect((await press('Add a to do')).text).toContain('It is on your list.');
    expect(await lamps()).toBe(1);
    expect((await press('Mark as done')).text).toContain('It isn’t on your list.');
    expect(await lamps()).toBe(0);
    expect((await anyone().get(page)).text).not.toContain('on your list');
  });

  test('gets emoji, one for each person and name, and shows who gave them', async () => {
    const awards = async () =>
      ((await read(`${shop}/issues/${page.split('/').at(-1)}/award_emoji`)) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect((await press('🎉 tada for the issue', {}, gus)).text).toContain('🎉 tada 1 : Guy Guest');
    await press('React with it to the issue', { name: '🐸' });
    await press('React with it to the issue', { name: ':+1:' });
    expect(await awards()).toEqual(['tada', 'frog', 'thumbsup']);
    expect((await press('🎉 tada 1')).text).toContain('🎉 tada 2 : Guy Guest, Mary Maintainer');
    await press('🎉 tada 2');
    await press('🎉 tada 1', {}, gus);
    expect(await awards()).toEqual(['frog', 'thumbsup']);
    const refused = await mary.press((await mary.get(page)).form('React with it to the issue'), { name: 'no-such' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('is not a valid emoji name')]);
    expect(refused.html).toContain('value="no-such"');
    const visitor = await anyone().get(page);
    expect(visitor.text).toContain('frog 1 : Mary Maintainer');
    expect(visitor.forms.map(({ action }) => action)).not.toContain(`${page}/award`);
    const form = (await gus.get(page)).form('🎉 tada for the issue');
    await write('PUT', `${shop}/issues/${page.split('/').at(-1)}`, { confidential: true });
    expect((await gus.press(form)).status).toBe(404);
  });

  test('is changed by its form, which writes only what was changed', async () => {
    const form = (await mary.get(`${page}/edit`)).form('Save changes');
    await write('PUT', `${shop}/issues/${page.split('/').at(-1)}`, { description: 'Is *on*.', add_labels: 'urgent' });
    const bug = form.controls.find(({ name }) => name.startsWith('label.') && form.fields[name] === 'on')!.name;
    const { [bug]: _unticked, ...fields } = form.fields;
    const changes = { title: 'Lamp of the shop', assignee: '@developer', due_date: '2030-02-03', milestone: '1' };
    const result = await done(mary, mary.post(form.action, { ...fields, ...changes }));
    expect(result.text).toContain('Your changes are saved.');
    expect(await now()).toMatchObject({
      title: 'Lamp of the shop',
      description: 'Is *on*.',
      labels: ['urgent'],
      assignee: { username: 'developer' },
      due_date: '2030-02-03',
      milestone: { title: 'Opening' },
    });
    const cleared = { assignee: '', due_date: '', milestone: '', description: 'a\r\nb' };
    await press('Save changes', cleared, mary, `${page}/edit`);
    expect(await now()).toMatchObject({ assignee: null, due_date: null, milestone: null, description: 'a\nb' });
  });

  test('keeps what was typed beside what is wrong with it', async () => {
    const form = (await mary.get(`${page}/edit`)).form('Save changes');
    const wrong = async (fields: Record<string, string>) => {
      const answer = await mary.press(form, { description: 'Typed', ...fields });
      expect(answer.status).toBe(422);
      expect(answer.html).toContain('>Typed</textarea>');
      expect(answer.html).toContain('<title>Error: ');
      return answer.text;
    };
    expect(await wrong({ title: ' ' })).toContain("The title can't be blank.");
    expect(await wrong({ assignee: 'no-one' })).toContain('No user has this username.');
    expect(await wrong({ due_date: '2030-02-31' })).toContain('The due date must be a day.');
    await write('PUT', `${shop}/issues/${page.split('/').at(-1)}`, { description: 'Others' });
    expect(await wrong({})).toContain('Someone else changed the description in the meantime.');
    expect(await now()).toMatchObject({ title: 'Lamp', description: 'Others', assignee: null });
  });

  test('keeps what others changed while a mistake was corrected', async () => {
    const form = (await mary.get(`${page}/edit`)).form('Save changes');
    const refused = await mary.press(form, { assignee: 'no-one', description: 'Typed' });
    expect(refused.status).toBe(422);
    await write('PUT', `${shop}/issues/${page.split('/').at(-1)}`, {
      title: 'Lamp by another',
      due_date: '2030-05-06',
    });
    const again = await mary.press(refused.form('Save changes'), { assignee: 'no-one' });
    await done(mary, mary.press(again.form('Save changes'), { assignee: 'developer' }));
    expect(await now()).toMatchObject({
      title: 'Lamp by another',
      description: 'Typed',
      due_date: '2030-05-06',
      assignee: { username: 'developer' },
    });
    // Whose description is outdated stays so, until the form is opened again.
    const other = (await mary.get(`${page}/edit`)).form('Save changes');
    await write('PUT', `${shop}/issues/${page.split('/').at(-1)}`, { description: 'Others' });
    const outdated = await mary.press(other, { description: 'Mine' });
    expect((await mary.press(outdated.form('Save changes'))).status).toBe(422);
    expect(await now()).toMatchObject({ description: 'Others' });
  });

  test('finds labels and milestones beyond the first hundred, and loses nothing that was typed', async () => {
    const { id, path_with_namespace: place } = await write('POST', '/projects', { name: 'Warehouse' });
    await fillWithChoices(gateway, id as number);
    const at = `/${String(place)}/-/issues`;
    const opened = await mary.get(`${at}/new`);
    expect(opened.text).toContain('The first 100 are below.');
    const of = (title: string, { html }: WebPage) =>
      new RegExp(`name="label\\.(\\d+)"[^>]*>(?:(?!</label>).)*<bdi>${title}</bdi>`, 's').exec(html)?.[1];
    expect(of('Label 130', opened)).toBeUndefined();
    const typed = { title: 'Shelf', description: 'Is\r\nbent', [`label.${of('Label 001', opened)}`]: 'on' };
    const found = await mary.press(opened.form('Create issue'), { ...typed, find: 'labels', find_labels: '130' });
    expect([found.status, found.text]).toEqual([200, expect.stringContaining('One matches. Nothing is saved yet.')]);
    // The one that was chosen before stays, beside those that match.
    const shown = ['001', '002', '130'].filter((number) => of(`Label ${number}`, found) !== undefined);
    expect(shown).toEqual(['001', '130']);
    expect(found.html).toContain('>Is\nbent</textarea>');
    // Enter in the search presses the form's own button: other words are a search all the same.
    const words = { find_milestones: 'milestone 127', [`label.${of('Label 130', found)}`]: 'on' };
    const both = await mary.press(found.form('Create issue'), words);
    expect([both.status, both.text]).toEqual([200, expect.stringContaining('One matches. Nothing is saved yet.')]);
    const milestone = /<option value="(\d+)">Milestone 127</.exec(both.html)![1]!;
    const many = await mary.press(both.form('Create issue'), { find_labels: 'label' });
    expect(many.text).toContain('More than 100 match.');
    const none = await mary.press(both.form('Create issue'), { milestone, find_labels: 'no such label' });
    expect(none.text).toContain('None matches.');
    // What was chosen stays offered after a mistake too.
    const wrong = await mary.press(none.form('Create issue'), { assignee: 'no-one' });
    expect(wrong.status).toBe(422);
    const made = await done(mary, mary.press(wrong.form('Create issue'), { assignee: '' }));
    expect(made.text).toContain('The issue is created.');
    const iid = /#(\d+)/.exec(made.text)![1];
    expect(await read(`/projects/${String(id)}/issues/${iid}`)).toMatchObject({
      title: 'Shelf',
      description: 'Is\nbent',
      labels: ['Label 001', 'Label 130'],
      milestone: { title: 'Milestone 127' },
    });
    // The filter of the list takes any milestone.
    const list = await mary.get(`${at}?milestone_title=Milestone+127`);
    expect(titlesOf(list)).toEqual(['Shelf']);
    expect(list.html).toMatch(/<input name="milestone_title"[^>]* value="Milestone 127"/);
  });

  test('has time tracking', async () => {
    expect((await press('Add', { duration: '1h 30m', summary: 'Changed the bulb' })).text).toContain('Spent: 1h 30m');
    expect((await press('Save the estimate', { estimate: '2d' })).text).toContain('Estimated: 2d');
    for (const [button, fields, says] of [
      ['Add', { duration: 'soon' }, 'Enter a time, such as 1h 30m.'],
      ['Add', { duration: '-3h' }, 'Time to subtract exceeds the total time spent.'],
      ['Save the estimate', { estimate: 'soon' }, 'Time estimate must have a valid format'],
    ] as const) {
      const answer = await mary.press((await mary.get(page)).form(button), fields);
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(says)]);
      expect(answer.html).toContain(`value="${Object.values(fields)[0]}"`);
    }
    expect(await now()).toMatchObject({ time_stats: { time_estimate: 57_600, total_time_spent: 5_400 } });
  });

  test('is linked with another one, and the link is taken away', async () => {
    const { html, text } = await press('Link it', { reference: `${gateway.url}${issues}/2` });
    expect(text).toContain('The issues are linked.');
    expect(html).toContain('<bdi>Prices without cents</bdi>');
    expect(await read(`${shop}/issues/${page.split('/').at(-1)}/links`)).toMatchObject([{ iid: 2 }]);
    for (const [reference, says] of [
      ['#2', 'They are linked already.'],
      ['demo/storefront#2', 'They are linked already.'],
      [`#${page.split('/').at(-1)}`, 'An issue can’t be linked with itself.'],
      ['#999', 'You see no such issue.'],
      ['nowhere/at-all#1', 'You see no such issue.'],
      ['the lamp', 'You see no such issue.'],
    ] as const) {
      const answer = await mary.press((await mary.get(page)).form('Link it'), { reference });
      expect([reference, answer.status, answer.text]).toEqual([reference, 422, expect.stringContaining(says)]);
      expect(answer.html).toContain(`value="${reference}"`);
    }
    expect((await press('Unlink demo/storefront#2')).text).toContain('The issues aren’t linked anymore.');
    expect(await read(`${shop}/issues/${page.split('/').at(-1)}/links`)).toEqual([]);
  });

  test('is moved to another project, once', async () => {
    for (const [project, says] of [
      ['demo/storefront', 'Cannot move issue to project it originates from!'],
      ['nowhere/at-all', 'You see no such project.'],
    ] as const) {
      const answer = await mary.press((await mary.get(page)).form('Move the issue'), { project });
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(says)]);
    }
    const moved = await press('Move the issue', { project: 'demo/platform/api' });
    expect(moved.text).toContain('The issue was moved here.');
    expect(moved.text).toContain('Lamp');
    const left = await mary.get(page);
    expect(left.text).toMatch(/This issue was moved to demo\/platform\/api#\d+/);
    expect(left.forms.map(({ button }) => button)).not.toContain('Move the issue');
    expect(await now()).toMatchObject({ state: 'closed' });
  });

  test('says what a person may not do', async () => {
    const seen = async (who: BrowserSession) => (await who.get(page)).text;
    expect(await seen(anyone())).toContain('Sign in to take part.');
    expect(await seen(gus)).toContain('You need at least the Reporter role to change this issue.');
    const buttons = (await gus.get(page)).forms.map(({ button }) => button);
    expect(buttons.filter((button) => !/ (?:for|to) the issue$/.test(button))).toEqual([
      'Sign out',
      'Comment',
      'Add a to do',
      'Subscribe',
    ]);
    expect((await gus.get(`${page}/edit`)).status).toBe(403);
    expect((await mary.get(`${page}/delete`)).status).toBe(403);
    expect((await anyone().get(`${page}/edit`)).location).toContain('/users/sign_in');
    // The button of somebody else's page does nothing either.
    const { action, fields } = (await mary.get(page)).form('Close issue');
    expect((await gus.post(action, fields)).status).toBe(403);
    expect(await now()).toMatchObject({ state: 'opened' });
  });

  test('its author changes title and description, and closes it', async () => {
    const made = await press('Create issue', { title: 'By Gus', confidential: 'on' }, gus, `${issues}/new`);
    expect(made.text).toContain('You need at least the Reporter role to change labels');
    page = `${issues}/${/#(\d+)/.exec(made.text)![1]}`;
    expect(await now()).toMatchObject({ title: 'By Gus', confidential: true, author: { username: 'guest' } });
    const form = (await gus.get(`${page}/edit`)).form('Save changes');
    expect(form.controls.map(({ name }) => name).filter((name) => !/^(was|form)/.test(name))).toEqual([
      'title',
      'description',
    ]);
    await done(gus, gus.press(form, { title: 'Gus wrote it' }));
    await press('Close issue', {}, gus);
    expect(await now()).toMatchObject({ title: 'Gus wrote it', state: 'closed', confidential: true });
    expect((await anyone().get(page)).status).toBe(404);
  });

  test('is created with all it has, and deleted by owners', async () => {
    const form = (await mary.get(`${issues}/new?title=From+a+link`)).form('Create issue');
    expect(form.fields.title).toBe('From a link');
    const label = form.controls.find(({ name }) => name.startsWith('label.'))!.name;
    const typed = { description: '# Big\n\nText', assignee: 'developer', milestone: '1', due_date: '2031-01-01' };
    const made = await done(mary, mary.press(form, { ...typed, [label]: 'on' }));
    expect(made.html).toContain('<h3>Big</h3>');
    page = `${issues}/${/#(\d+)/.exec(made.text)![1]}`;
    expect(await now()).toMatchObject({
      title: 'From a link',
      labels: ['bug'],
      assignee: { username: 'developer' },
      milestone: { title: 'Opening' },
      due_date: '2031-01-01',
    });
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect((await press('Delete the issue', {}, root, `${page}/delete`)).text).toContain('The issue is deleted.');
    expect((await mary.get(page)).status).toBe(404);
  });

  test('in an archived project can’t be changed', async () => {
    await gateway.sql(`update projects set archived = true where path = 'storefront'`);
    try {
      expect((await mary.get(page)).text).toContain('This project is archived, so its issues can’t be changed.');
      expect((await mary.get(issues)).text).toContain('This project is archived');
      expect((await mary.get(`${page}/edit`)).status).toBe(403);
      expect((await mary.get(`${issues}/new`)).status).toBe(403);
    } finally {
      await gateway.sql(`update projects set archived = false where path = 'storefront'`);
    }
  });

  test.each(['0', '99', 'x', '1.5', '99999999999'])('%s is missing', async (iid) => {
    expect((await mary.get(`${issues}/${iid}`)).status).toBe(404);
  });

  test.each(['%E2%82%AC', '%0A'])('%j is missing, also where an address only leads to it', async (iid) => {
    const leads = [
      ['award', ''],
      ['notes/1', '#activity'],
    ] as const;
    for (const [below, end] of leads) {
      const { status, location } = await mary.get(`${issues}/${iid}/${below}`);
      expect([status, location]).toEqual([303, `${issues}/${iid}${end}`]);
    }
    expect((await mary.get(`${issues}/${iid}`)).status).toBe(404);
  });
});

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
      // There is no part after a comment that was deleted meanwhile.
      const token = gateway.tokens.maintainer;
      expect((await gateway.rest('DELETE', `/api/v4${api}/notes/${ids[39]}`, { token })).status).toBe(204);
      expect((await mary.get(link(part, 'after='))).location).toBe(thread);
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
    expect((await gus.get(`${at}/labels`)).text).toContain('You need at least the Reporter role to change labels.');
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
      'You need at least the Reporter role to change milestones.',
    );
    expect((await gus.get(`${at}/milestones/new`)).status).toBe(403);
    const { action, fields } = (await mary.get(`${at}/milestones/new`)).form('Create milestone');
    expect((await gus.post(action, { ...fields, title: 'forged' })).status).toBe(403);
  });
});

test('a milestone of a project is promoted to its group, and says to a guest why they can’t change it', async () => {
  const { web_url: url } = await write('POST', `${shop}/milestones`, { title: 'Rising' });
  const path = new URL(String(url)).pathname;
  expect((await gus.get(path)).text).toContain('You need at least the Reporter role to change milestones.');
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
    const context = await browser.newContext();
    await context.addCookies([...mary.cookies].map(([name, value]) => ({ name, value, url: gateway.url })));
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
    const context = await browser.newContext();
    await context.addCookies([...mary.cookies].map(([name, value]) => ({ name, value, url: gateway.url })));
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
