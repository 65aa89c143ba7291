import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { notificationEvents } from '../../../src/values/kinds/notification-events.ts';
import {
  focusedOn,
  scriptsOf,
  signIn,
  type BrowserSession,
  type WebPage,
} from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

let gateway: TestGateway;
let make: Workspace;
let mary: BrowserSession;
let guest: BrowserSession;
let root: BrowserSession;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  mary = await signIn(gateway, 'maintainer');
  guest = await signIn(gateway, 'guest');
  root = await signIn(gateway, 'root', inject('passwords').root);
});

const page = '/profile/notifications';
const idOf = async (path: string): Promise<string> => {
  const [row] = await gateway.sql<{ id: number }>(
    'select coalesce(project_id, namespace_id) as id from routes where path = $1',
    [path],
  );
  return String(row!.id);
};
const overRest = async (path: string, token = gateway.tokens.maintainer) =>
  (await gateway.rest('GET', `/api/v4${path}/notification_settings`, { token })).body as {
    level: string;
    events?: Record<string, boolean>;
  };

/** Presses a button, and follows the redirect to the page with the result. */
async function done(browser: BrowserSession, answer: Promise<WebPage>): Promise<WebPage> {
  const { status, location, text } = await answer;
  expect([status, status === 303 ? '' : text]).toEqual([303, '']);
  return await browser.get(location!);
}

async function forgetAll(): Promise<void> {
  await gateway.sql(
    `with a as (delete from global_notification_settings), b as (delete from group_notification_settings)
     delete from project_notification_settings`,
  );
}

describe('the notifications page', () => {
  let demo: string;
  let storefront: string;
  beforeAll(async () => {
    demo = `g${await idOf('demo')}`;
    storefront = `p${await idOf('demo/storefront')}`;
  });
  beforeEach(forgetAll);

  const form = async (browser = mary, path = page) => (await browser.get(path)).form('Save changes');
  const save = async (fields: Record<string, string>, browser = mary) =>
    await done(browser, browser.press(await form(browser), fields));

  test('shows every place with its effective level and source', async () => {
    await save({ 'level.global': 'WATCH' });
    const inherited = await mary.get(page);
    expect(inherited.text).toMatch(
      /Demo Group demo .* Watch, your global level .* Platform Group demo\/platform .* Storefront Project demo\/storefront/,
    );
    await save({ [`level.${demo}`]: 'MENTION' });
    const { html, text } = await mary.get(page);
    expect(text).toContain('On mention, from Demo');
    // A group's contents are in its list.
    expect(html).toMatch(
      /Group demo<\/span>.*<ul class="tree"><li>.*Group demo\/platform<\/span>.*<ul class="tree"><li>.*Project demo\/platform\/api/s,
    );
  });

  test('changes several places at once, visible over REST', async () => {
    const saved = await save({
      'level.global': 'MENTION',
      [`level.${demo}`]: 'WATCH',
      [`level.${storefront}`]: 'CUSTOM',
      [`on.${storefront}.NEW_NOTE`]: 'on',
    });
    expect(saved.text).toContain('Your notification settings are saved.');
    expect(await overRest('')).toMatchObject({ level: 'mention' });
    expect(await overRest('/groups/demo')).toMatchObject({ level: 'watch' });
    expect(await overRest('/projects/demo%2Fstorefront')).toMatchObject({
      level: 'custom',
      events: { new_note: true, moved_project: true, new_issue: false },
    });
  });

  test('saves only changed fields, so concurrent changes to others survive', async () => {
    await save({ [`level.${storefront}`]: 'CUSTOM' });
    const shown = await form();
    await gateway.rest('PUT', `/api/v4/projects/demo%2Fstorefront/notification_settings?new_issue=true`, {
      token: gateway.tokens.maintainer,
    });
    await gateway.rest('PUT', `/api/v4/groups/demo/notification_settings?level=watch`, {
      token: gateway.tokens.maintainer,
    });
    await done(mary, mary.press(shown, { [`on.${storefront}.NEW_NOTE`]: 'on' }));
    expect(await overRest('/projects/demo%2Fstorefront')).toMatchObject({
      events: { new_note: true, new_issue: true },
    });
    expect(await overRest('/groups/demo')).toMatchObject({ level: 'watch' });
    expect((await gateway.sql('select from project_notification_settings')).length).toBe(1);
  });

  test('describes each event beside its box, and names it as the API does', async () => {
    const { html } = await mary.get('/profile/notifications');
    for (const [name, { label, description }] of Object.entries(notificationEvents).filter(
      ([, { premium }]) => !premium,
    )) {
      expect(html).toContain(`<input type="checkbox" name="on.global.${name}"`);
      expect(html).toContain(`<b>${label}</b><span>${description}</span>`);
      expect(html).toContain(`<dt>${label} <code>${name.toLowerCase()}</code></dt>`);
    }
    const ofProject = await mary.get('/demo/storefront');
    expect(ofProject.html).toContain(
      `<b>${notificationEvents.FIXED_PIPELINE.label}</b><span>${notificationEvents.FIXED_PIPELINE.description}</span>`,
    );
  });

  test('turns events off when their box is unchecked', async () => {
    await save({ [`level.${storefront}`]: 'CUSTOM', [`on.${storefront}.NEW_NOTE`]: 'on' });
    const shown = await form();
    const {
      [`on.${storefront}.NEW_NOTE`]: _note,
      [`on.${storefront}.MOVED_PROJECT`]: _moved,
      ...fields
    } = shown.fields;
    await done(mary, mary.post(shown.action, fields));
    expect(await overRest('/projects/demo%2Fstorefront')).toMatchObject({
      level: 'custom',
      events: { new_note: false, moved_project: false },
    });
  });

  test('shows failed and fixed pipelines as on until they are set, which REST doesn’t', async () => {
    await save({ [`level.${storefront}`]: 'CUSTOM' });
    const shown = await form();
    expect(shown.fields).toMatchObject({
      [`on.${storefront}.FAILED_PIPELINE`]: 'on',
      [`on.${storefront}.FIXED_PIPELINE`]: 'on',
    });
    expect(shown.fields).not.toHaveProperty(`on.${storefront}.SUCCESS_PIPELINE`);
    const events = async () => (await overRest('/projects/demo%2Fstorefront')).events;
    expect(await events()).toMatchObject({ failed_pipeline: false, fixed_pipeline: false });
    const { [`on.${storefront}.FAILED_PIPELINE`]: _failed, ...fields } = shown.fields;
    await done(mary, mary.post(shown.action, fields));
    expect(await gateway.sql('select events from project_notification_settings')).toEqual([
      { events: { FAILED_PIPELINE: false } },
    ]);
    await gateway.rest('PUT', '/api/v4/projects/demo%2Fstorefront/notification_settings?fixed_pipeline=true', {
      token: gateway.tokens.maintainer,
    });
    expect(await events()).toMatchObject({ failed_pipeline: false, fixed_pipeline: true });
  });

  test('a place set to inherit loses its settings', async () => {
    await save({ [`level.${storefront}`]: 'CUSTOM', [`on.${storefront}.NEW_NOTE`]: 'on', [`level.${demo}`]: 'WATCH' });
    await save({ [`level.${storefront}`]: 'GLOBAL' });
    expect(await gateway.sql('select from project_notification_settings')).toEqual([]);
    expect((await mary.get(page)).text).toContain('Watch, from Demo');
  });

  test('names what loses its level when a setting is given to everything below', async () => {
    expect((await mary.get(page)).text).toMatch(/it loses levels of its own(?!, like)/);
    await save({ [`level.${storefront}`]: 'WATCH' });
    const { text } = await mary.get(page);
    expect(text).toContain('they lose levels of their own, like demo/storefront (Watch)');
    expect(text).toContain('it loses levels of its own, like demo/storefront (Watch)');
    await save({ [`level.${demo}`]: 'MENTION', [`below.${demo}`]: 'on' });
    expect(await overRest('/projects/demo%2Fstorefront')).toMatchObject({ level: 'global' });
  });

  test('says so when nothing was changed', async () => {
    expect((await save({})).text).toContain('No changes to save');
    expect(await gateway.sql('select from global_notification_settings')).toEqual([]);
  });

  test('an address that was removed is refused next to its field, and other input is kept', async () => {
    await save({ email: 'maintainer@work.example.com' });
    expect((await mary.get(page)).html).toMatch(
      /<option value="maintainer@work.example.com" selected>|<option selected value="maintainer@work.example.com">/,
    );
    const refused = await mary.press(await form(), {
      email: 'other@example.com',
      [`level.${demo}`]: 'WATCH',
      [`on.${demo}.NEW_NOTE`]: 'on',
    });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('aria-invalid="true" aria-describedby="email-error"');
    expect(refused.text).toContain('The address must be an email you have verified.');
    expect(focusedOn(refused)).toEqual([expect.stringMatching(/^<select[^>]* name="email"/)]);
    expect(await overRest('/groups/demo')).toMatchObject({ level: 'global' });
    const again = refused.form('Save changes');
    expect(again.fields).toMatchObject({ [`level.${demo}`]: 'WATCH', [`on.${demo}.NEW_NOTE`]: 'on' });
    await done(mary, mary.press(again, { email: '' }));
    expect(await overRest('/groups/demo')).toMatchObject({ level: 'watch' });
    expect(await overRest('')).toMatchObject({ notification_email: 'maintainer@example.com' });
  });

  test('nothing is saved if a place has become hidden, and other input is kept', async () => {
    await make.group('fleeting');
    await make.user('fay');
    const { id } = (await gateway.sql<{ id: number }>(`select id from users where username = 'maintainer'`))[0]!;
    await gateway.sql(`insert into group_members (user_id, group_id, access_level) values ($1, $2, 10)`, [
      id,
      await idOf('fleeting'),
    ]);
    const shown = await form();
    await gateway.sql('delete from group_members where group_id = $1', [await idOf('fleeting')]);
    const refused = await mary.press(shown, {
      [`level.g${await idOf('fleeting')}`]: 'WATCH',
      [`level.${demo}`]: 'DISABLED',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('no longer exists');
    expect(focusedOn(refused)).toEqual([expect.stringMatching(/^<p class="warning" role="alert" tabindex="-1"/)]);
    expect(refused.form('Save changes').fields).toMatchObject({ [`level.${demo}`]: 'DISABLED' });
    expect(await overRest('/groups/demo')).toMatchObject({ level: 'global' });
  });

  test.each([
    ['levels that don’t exist', { 'level.global': 'LOUD' }],
    [
      'settings that the page doesn’t show',
      { 'was.user': 'GLOBAL', 'level.user': 'WATCH', 'was.g99999999999': 'GLOBAL', 'level.g99999999999': 'WATCH' },
    ],
    ['events that don’t exist', { 'on.global.new_thing': 'on' }],
  ])('%s change nothing', async (_what, fields) => {
    expect((await save(fields)).text).toContain('No changes to save');
  });

  test('the event for epics is shown only on the higher tier', async () => {
    expect((await guest.get(page)).html).not.toContain('NEW_EPIC');
    await gateway.sql(`update users set tier = 'PREMIUM' where username = 'guest'`);
    expect((await guest.get(page)).html).toContain('on.global.NEW_EPIC');
    await gateway.sql(`update users set tier = 'FREE' where username = 'guest'`);
  });

  test('hundreds of places are paginated and searchable, and no page is larger than 60 kB', async () => {
    const [user] = await gateway.sql<{ id: number }>(`select id from users where username = 'guest'`);
    await make.group('many', 'PUBLIC');
    for (let index = 100; index < 160; index++) await make.project(`many/project-${index}`, 'PUBLIC');
    await gateway.sql(
      `insert into project_notification_settings (user_id, project_id, level, events)
      select $1, id, 'CUSTOM', '{"NEW_NOTE": true}' from projects where full_path like 'many/%'`,
      [user!.id],
    );
    const seen = new Set<string>();
    let path: string | undefined = page;
    for (let pages = 0; path && pages < 10; pages++) {
      const { html } = await guest.get(path);
      expect(html.length).toBeLessThan(60_000);
      for (const [project] of html.matchAll(/many\/project-\d+(?=<)/g)) seen.add(project);
      path = /rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.size).toBe(60);

    const found = await guest.get(`${page}?search=Project-15`);
    expect(new Set(found.html.match(/many\/project-\d+(?=<)/g)).size).toBe(10);
    // Saving returns to the same page, and changes nothing on other pages.
    const back = await guest.press(found.form('Save changes'), { 'level.global': 'WATCH' });
    expect(back.location).toBe(`${page}?search=Project-15`);
    expect(await gateway.sql(`select from project_notification_settings where level = 'CUSTOM'`)).toHaveLength(60);
    expect((await guest.get(`${page}?search=nowhere`)).text).toContain(
      'None of your groups and projects matches “ nowhere ”',
    );
  });

  test.each(['after', 'before'])('an invalid cursor (%s) is refused', async (cursor) => {
    expect((await mary.get(`${page}?${cursor}=x`)).status).toBe(400);
  });

  test('requires signing in', async () => {
    expect((await fetch(gateway.url + page, { redirect: 'manual' })).headers.get('location')).toBe(
      `/users/sign_in?return_to=${encodeURIComponent(page)}`,
    );
  });
});

describe('the page of a group or a project', () => {
  beforeEach(forgetAll);

  test.each([
    ['/groups/demo', 'Group', '/groups/demo'],
    ['/demo/storefront', 'Project', '/projects/demo%2Fstorefront'],
  ])('%s has the viewer’s notification level, which can be changed there', async (path, kind, api) => {
    const shown = await mary.get(path);
    expect(shown.text).toContain(`Notification level for this ${kind.toLowerCase()}`);
    const form = shown.form('Save');
    const level = Object.keys(form.fields).find((name) => name.startsWith('level.'))!;
    const answer = await mary.press(form, { [level]: 'WATCH' });
    expect(answer.location).toBe(path);
    expect((await mary.get(path)).text).toContain('saved');
    expect(await overRest(api)).toMatchObject({ level: 'watch' });
  });

  test('sends visitors to sign in, and back', async () => {
    const { html } = await (async () => ({ html: await (await fetch(`${gateway.url}/demo/storefront`)).text() }))();
    expect(html).toContain('href="/users/sign_in?return_to=%2Fdemo%2Fstorefront"');
    expect(html).not.toContain('<select');
  });

  test('a group lists its visible projects', async () => {
    expect((await mary.get('/groups/demo/platform')).text).toContain('API');
    expect(await (await fetch(`${gateway.url}/groups/demo`)).text()).toContain('href="/demo/storefront"');
    await make.project('demo/secret');
    expect(await (await fetch(`${gateway.url}/groups/demo`)).text()).not.toContain('secret');
  });

  test('a group lists its visible subgroups and members', async () => {
    const { text } = await mary.get('/groups/demo');
    expect(text).toMatch(/Groups P Platform .*Members M Mary Maintainer maintainer Maintainer/);
    const anyone = await (await fetch(`${gateway.url}/groups/demo`)).text();
    expect(anyone).not.toContain('Platform');
    expect((await mary.get('/demo/storefront')).text).toMatch(/Members .*Guy Guest guest Guest/);
  });

  test('shows error tracking of a project to its maintainers only', async () => {
    expect((await mary.get('/demo/storefront')).text).toMatch(/Error tracking Off Change/);
    for (const html of [
      (await guest.get('/demo/storefront')).html,
      await (await fetch(`${gateway.url}/demo/storefront`)).text(),
    ]) {
      expect(html).not.toMatch(/error_tracking"|>Error tracking</);
    }
  });
});

describe('error tracking of a project', () => {
  const path = (project: string) => `/${project}/-/settings/error_tracking`;
  const state = async (project: string) =>
    (
      await gateway.rest('GET', `/api/v4/projects/${encodeURIComponent(project)}/error_tracking/settings`, {
        token: gateway.tokens.root,
      })
    ).body;

  test('can be configured, changed and switched by a maintainer', async () => {
    const blank = await mary.get(path('demo/platform/api'));
    const configured = await done(
      mary,
      mary.press(blank.form('Configure'), {
        api_url: 'https://sentry.example/api/0/projects/team/my-shop/',
        active: 'on',
      }),
    );
    expect(configured.text).toContain('Saved. Error tracking is on.');
    expect(await state('demo/platform/api')).toMatchObject({ active: true, project_name: 'My Shop' });

    const form = configured.form('Save changes');
    const { active: _active, ...off } = form.fields;
    expect(form.fields).toMatchObject({ active: 'on', project_name: 'My Shop' });
    const switched = await done(
      mary,
      mary.post(form.action, { ...off, api_url: 'https://sentry.example/api/0/projects/team/other/' }),
    );
    expect(switched.text).toContain('Saved. Error tracking is off.');
    // The default name follows the address.
    expect(await state('demo/platform/api')).toMatchObject({ active: false, project_name: 'Other' });

    await done(mary, mary.press(switched.form('Save changes'), { project_name: 'Chosen' }));
    expect(await state('demo/platform/api')).toMatchObject({ project_name: 'Chosen' });
  });

  test('an invalid address is refused next to its field, and the input is kept', async () => {
    const before = await state('demo/storefront');
    const shown = await mary.get(path('demo/storefront'));
    const refused = await mary.press(shown.form('Save changes'), {
      api_url: 'ftp://sentry.example/',
      project_name: 'x'.repeat(256),
      active: 'on',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The API URL must be an http or https URL.');
    expect(refused.text).toContain('The name is too long (maximum is 255 characters).');
    expect(refused.form('Save changes').fields).toMatchObject({ api_url: 'ftp://sentry.example/', active: 'on' });
    expect(await state('demo/storefront')).toEqual(before);
  });

  test('answers users who aren’t maintainers as the API does', async () => {
    expect((await guest.get(path('demo/storefront'))).status).toBe(403);
    await make.group('apart');
    await make.project('apart/shop');
    expect((await guest.get(path('apart/shop'))).status).toBe(404);
    expect((await guest.get(path('demo/none'))).status).toBe(404);
    expect((await root.get(path('demo/storefront'))).status).toBe(200);
    for (const project of ['demo/storefront', 'apart/shop', 'apart/none']) {
      const { status, headers } = await fetch(gateway.url + path(project), { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([
        303,
        `/users/sign_in?return_to=${encodeURIComponent(path(project))}`,
      ]);
    }
  });

  test('a form sent by a user who isn’t a maintainer changes nothing', async () => {
    const before = await state('demo/storefront');
    const shown = (await root.get(path('demo/storefront'))).form('Save changes');
    const { form_token: _token, ...fields } = shown.fields;
    const own = (await guest.get('/profile')).form('Save changes').fields.form_token!;
    expect((await guest.post(shown.action, { ...fields, form_token: own, active: 'on' })).status).toBe(403);
    expect(await state('demo/storefront')).toEqual(before);
  });
});

describe('the profile page', () => {
  const path = '/profile';

  test('changes what others see', async () => {
    const saved = await done(
      mary,
      mary.press((await mary.get(path)).form('Save changes'), {
        name: ' Mary M. ',
        public_email: 'maintainer@work.example.com',
      }),
    );
    expect(saved.text).toContain('Your profile is saved.');
    const seen = await guest.get('/maintainer');
    expect(seen.text).toMatch(/Mary M\..*maintainer@work\.example\.com/);
    expect((await mary.get('/')).text).toContain('Hello, Mary M.');
    const [namespace] = await gateway.sql<{ name: string }>(
      `select name from namespaces where full_path = 'maintainer'`,
    );
    expect(namespace!.name).toBe('Mary M.');
    await done(
      mary,
      mary.press((await mary.get(path)).form('Save changes'), { name: 'Mary Maintainer', public_email: '' }),
    );
    expect((await guest.get('/maintainer')).html).not.toContain('mailto:');
  });

  test('holds what people say about themselves, and whether others see since when they are here', async () => {
    const about = {
      pronouns: 'she/her',
      jobTitle: 'Engineer',
      organization: 'Shop',
      location: 'Bergen',
      bio: 'Maintains <b>things</b>.',
      websiteUrl: 'https://mary.example',
      github: 'mary-m',
      privateProfile: 'on',
    };
    await done(mary, mary.press((await mary.get(path)).form('Save changes'), about));
    const { text, html } = await guest.get('/maintainer');
    expect(text).toMatch(/Maintains things\..*she\/her.*Engineer at Shop.*Bergen.*https:\/\/mary\.example.*mary-m/);
    expect(text).not.toContain('Member since');
    expect(html).toContain('<a href="https://mary.example" rel="nofollow');
    const { body } = await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.maintainer });
    expect(body).toMatchObject({ pronouns: 'she/her', private_profile: true, work_information: 'Engineer at Shop' });
    const none = Object.fromEntries(Object.keys(about).map((name) => [name, '']));
    await done(mary, mary.press((await mary.get(path)).form('Save changes'), none));
    const seen = await guest.get('/maintainer');
    expect(seen.text).toMatch(/Member since/);
    // The API asks for ids.
    expect(seen.html).toMatch(/<dt>ID<\/dt><dd><code class="copyable">\d+<\/code>/);
    expect(scriptsOf(seen)).toEqual(['copy']);
  });

  test('sets a status by name or emoji, and removes it', async () => {
    const set = async (fields: Record<string, string>) =>
      await done(mary, mary.press((await mary.get(path)).form('Set status'), fields));
    expect(
      (await set({ emoji: ':coffee:', message: 'Back <soon>', busy: 'on', clear_status_after: 'ONE_DAY' })).text,
    ).toContain('Your status is set.');
    const page = await guest.get('/maintainer');
    expect(page.text).toMatch(/☕ Back <soon> Busy/);
    expect(page.html).toContain('role="img" aria-label="coffee"');
    const [before] = await gateway.sql<{ clear_status_at: Date }>('select clear_status_at from user_statuses');
    await set({ emoji: '🎉', message: '' });
    expect(
      await gateway.sql(
        'select emoji, message, availability::text as availability, clear_status_at from user_statuses',
      ),
    ).toEqual([{ emoji: 'tada', message: null, availability: 'BUSY', clear_status_at: before!.clear_status_at }]);
    await set({ clear_status_after: 'NEVER' });
    expect(await gateway.sql('select clear_status_at from user_statuses')).toEqual([{ clear_status_at: null }]);
    expect((await set({ remove: 'on' })).text).toContain('Your status is removed.');
    expect(await gateway.sql('select from user_statuses')).toEqual([]);
  });

  test.each([
    ['Set status', { emoji: 'no-such' }, 'The emoji is not a valid emoji name.'],
    ['Set status', { message: 'x'.repeat(101) }, 'The status is too long (maximum is 100 characters).'],
    ['Save changes', { websiteUrl: 'javascript:alert(1)' }, 'Website is not a valid URL.'],
    ['Save changes', { bio: 'x'.repeat(256) }, 'Bio is too long (maximum is 255 characters).'],
  ])('%s refuses %o', async (button, fields, says) => {
    const refused = await mary.press((await mary.get(path)).form(button), fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
    expect(refused.form(button).fields).toMatchObject(fields);
  });

  test.each([
    ['an empty name', { name: ' ' }, 'The name can’t be blank.'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'The name is too long (maximum is 255 characters).'],
    [
      'another user’s address',
      { public_email: 'guest@example.com' },
      'The address must be an email you have verified.',
    ],
  ])('%s is refused next to its field', async (_what, fields, says) => {
    const refused = await mary.press((await mary.get(path)).form('Save changes'), fields);
    expect(refused.status).toBe(422);
    expect(refused.text.replaceAll("'", '’')).toContain(says);
    expect((await guest.get('/maintainer')).text).toContain('Mary Maintainer');
  });

  test('an unverified address isn’t offered', async () => {
    expect((await mary.get(path)).html).not.toContain('unverified');
  });
});

describe('the overview', () => {
  test('shows the user’s places, recent events and unconfirmed addresses', async () => {
    expect((await mary.get('/')).text).toMatch(
      /Hello, Mary Maintainer .*Demo Group demo .*Storefront Project demo\/storefront/,
    );
    const { text } = await mary.get('/');
    expect(text).toMatch(/Recent activity .*You were added to the group demo/);
    expect(text.slice(text.indexOf('Recent activity'))).not.toContain('You signed in.');
    expect((await root.get('/')).text).toContain('You aren’t a member of a group or project yet.');
    expect((await guest.get('/')).text).not.toContain('isn’t confirmed');
    await gateway.sql(
      `insert into emails (user_id, address) select id, 'other@example.com' from users where username = 'guest'`,
    );
    expect((await guest.get('/')).text).toContain('other@example.com isn’t confirmed yet');
  });

  test('says what waits for the user', async () => {
    const dave = await signIn(gateway, 'developer');
    const before = (await dave.get('/')).text;
    expect(before).toContain('Turn on two-factor authentication');
    const issue = await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
      token: gateway.tokens.maintainer,
      json: { title: 'Waits for Dave', assignee_ids: [3] },
    });
    expect(issue.status).toBe(201);
    await gateway.sql(
      `update personal_access_tokens set expires_at = current_date + 2 where user_id = (select id from users where username = 'developer')`,
    );
    const { text, html } = await dave.get('/');
    expect(text).toMatch(/Renew .* The token expires on/);
    const [, renews] = /href="([^"]+)">Renew /.exec(html.replaceAll(/\s+/g, ' ').replaceAll('> Renew', '>Renew'))!;
    expect((await dave.get(renews!)).status).toBe(200);
    expect(text).toMatch(/To-dos: \d+ .*Waits for Dave demo\/storefront#\d+/);
    expect(text).toMatch(/\d+ open issues? assigned to you/);
  });

  test('sets the level of a place at once', async () => {
    const { id } = (
      await gateway.rest('GET', '/api/v4/projects/demo%2Fstorefront', {
        token: gateway.tokens.maintainer,
      })
    ).body as { id: number };
    const form = (await mary.get('/')).form('Save levels');
    const saved = await done(mary, mary.press(form, { [`level.p${id}`]: 'WATCH' }));
    expect(saved.text).toContain('Your notification settings are saved.');
    expect(saved.text).toContain('Hello, Mary Maintainer');
    expect((await overRest('/projects/demo%2Fstorefront')).level).toBe('watch');
  });

  test('invites visitors to sign in', async () => {
    expect(await (await fetch(gateway.url)).text()).toContain('This is Causeway');
  });
});
