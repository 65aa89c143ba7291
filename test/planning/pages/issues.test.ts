import { beforeEach, describe, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { linksOf } from '../../support/pages/page.ts';
import { fillWithChoices, storefront } from '../support/storefront.ts';
import { done, issues, planningPages, titlesOf } from '../support/pages.ts';

/** The pages of issues: their list, and one of them, without its conversation. */

const { gateway, mary, gus, anyone, write, read } = await planningPages();
const shop = storefront;

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
    expect((await press('Add a to-do')).text).toContain('It is on your list.');
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

  test('that is missing leads back to its project, and an address of nothing to signing in', async () => {
    const [mine, others] = await Promise.all([`${issues}/99`, '/demo/nothing'].map((path) => anyone().get(path)));
    expect([mine!.status, others!.status]).toEqual([404, 404]);
    expect(mine!.text).toContain('Go to Storefront Sign in');
    expect(linksOf(mine!.html)).toContain('/demo/storefront');
    expect(others!.text).toContain('Go to the start page Sign in');
    const hidden = await gus.get(`${issues}/3`);
    expect([hidden.status, hidden.text]).toEqual([404, (await gus.get(`${issues}/99`)).text]);
  });

  test('says what a person may not do', async () => {
    const seen = async (who: BrowserSession) => (await who.get(page)).text;
    expect(await seen(anyone())).toContain('Sign in to take part.');
    expect(await seen(gus)).toContain('You need at least the Planner role to change this issue.');
    const buttons = (await gus.get(page)).forms.map(({ button }) => button);
    expect(buttons.filter((button) => !/ (?:for|to) the issue$/.test(button))).toEqual([
      'Sign out',
      'Comment',
      'Add a to-do',
      'Subscribe',
    ]);
    expect((await gus.get(`${page}/edit`)).status).toBe(403);
    expect((await mary.get(`${page}/delete`)).status).toBe(403);
    expect((await anyone().get(`${page}/edit`)).location).toContain('/users/sign_in');
    // The button of another person's page does nothing either.
    const { action, fields } = (await mary.get(page)).form('Close issue');
    expect((await gus.post(action, fields)).status).toBe(403);
    expect(await now()).toMatchObject({ state: 'opened' });
  });

  test('its author changes title and description, and closes it', async () => {
    const made = await press('Create issue', { title: 'By Gus', confidential: 'on' }, gus, `${issues}/new`);
    expect(made.text).toContain('You need at least the Planner role to change labels');
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
    const link = 'issue[title]=From+a+program&issue[description]=Why&issue[due_date]=2031-01-01';
    expect((await mary.get(`${issues}/new?${link}`)).form('Create issue').fields).toMatchObject({
      title: 'From a program',
      description: 'Why',
      due_date: '2031-01-01',
    });
    const label = form.controls.find(({ name }) => name.startsWith('label.'))!.name;
    const [developer] = await gateway.sql<{ id: number }>("select id from users where username = 'developer'");
    const people = `issue[assignee_ids][]=${developer!.id}&issue[assignee_ids][]=1`;
    const labels = `issue[label_ids][]=${label.slice('label.'.length)}&issue[label_ids][]=x`;
    expect((await mary.get(`${issues}/new?${people}&${labels}`)).form('Create issue').fields).toMatchObject({
      assignee: 'developer',
      [label]: 'on',
    });
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
