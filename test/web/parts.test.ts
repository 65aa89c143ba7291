import { beforeAll, describe, expect, inject, test } from 'vitest';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { linksOf } from '../support/pages/page.ts';
import { sentBy } from '../support/databases/statements.ts';

/** What pages have in common, and pages of those who have much. */

const gateway = await testGateway();
const { rest, tokens, sql } = gateway;
let mary: BrowserSession;
let dave: BrowserSession;
beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
  dave = await signIn(gateway, 'developer');
});

/** The part of a page between a tag and its end. */
const partOf = ({ html }: WebPage, opening: string, closing: string) => {
  const begin = html.indexOf(opening);
  return begin < 0 ? '' : html.slice(begin, html.indexOf(closing, begin));
};

describe('the account menu', () => {
  const menuOf = async (who: BrowserSession) =>
    linksOf(partOf(await who.get('/'), 'aria-label="Account menu"', '</nav>'));
  const own = [
    '/profile',
    '/profile/password',
    '/profile/second_factor',
    '/profile/personal_access_tokens',
    '/profile/keys',
    '/profile/sessions',
    '/dashboard/snippets',
    '/profile/applications',
    '/profile/authorized_applications',
  ];

  test('has what people look for, the administration only for administrators, and every link of it leads on', async () => {
    expect(await menuOf(dave)).toEqual(['/developer', ...own]);
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect(await menuOf(root)).toEqual(['/root', ...own, '/admin']);
    for (const path of ['/developer', ...own]) expect([path, (await dave.get(path)).status]).toEqual([path, 200]);
  });

  test('signs out, and opens without a script', async () => {
    const other = await signIn(gateway, 'developer');
    const page = await other.get('/profile');
    expect(page.html).toContain('popovertarget="account"');
    expect((await other.press(page.form('Sign out'))).status).toBe(303);
    expect((await other.get('/profile')).location).toContain('/users/sign_in');
  });

  test('is a link to sign in for others, which leads back', async () => {
    const page = await browserSession(gateway).get('/groups/demo');
    expect(page.html).not.toContain('Account menu');
    expect(linksOf(page.html)).toContain('/users/sign_in?return_to=%2Fgroups%2Fdemo');
    // Tokens that a client put into the address stay out of it.
    const tokens = 'private_token=secret-1&access_token[]=secret-2&token=secret-3&%74oken=secret-4&job_token=secret-5';
    const other = await browserSession(gateway).get(`/groups/demo?${tokens}&page=2`);
    expect(linksOf(other.html)).toContain('/users/sign_in?return_to=%2Fgroups%2Fdemo%3Fpage%3D2');
    expect(other.html).not.toContain('secret-');
    const led = await browserSession(gateway).get('/profile?private_token=secret-1');
    expect([led.status, led.location]).toEqual([303, '/users/sign_in?return_to=%2Fprofile']);
  });
});

describe('the breadcrumbs', () => {
  const crumbsOf = async (path: string) => {
    const crumbs = partOf(await mary.get(path), 'aria-label="Breadcrumbs"', '</nav>');
    return { links: linksOf(crumbs), isHere: crumbs.includes('aria-current="page"') };
  };

  test.each([
    ['/groups/demo', ['/groups/demo'], true],
    ['/groups/demo/platform', ['/demo', '/groups/demo/platform'], true],
    ['/demo/platform/api', ['/demo', '/groups/demo/platform', '/demo/platform/api'], true],
    ['/demo/platform/api/-/issues', ['/demo', '/groups/demo/platform', '/demo/platform/api'], false],
    ['/demo/platform/api/-/edit', ['/demo', '/groups/demo/platform', '/demo/platform/api'], false],
  ])('of %s have the whole way', async (path, links, isHere) => {
    expect(await crumbsOf(path)).toEqual({ links, isHere });
    for (const link of links) {
      const { status, location } = await mary.get(link);
      expect([link, status === 303 ? (await mary.get(location!)).status : status]).toEqual([link, 200]);
    }
  });
});

describe('the settings of a place', () => {
  const settings = ['/edit', '/sharing', '/transfer', '/remove'];
  test.each([
    ...settings.map((page) => `/groups/demo/platform/-${page}`),
    ...[...settings, '/settings/error_tracking'].map((page) => `/demo/platform/api/-${page}`),
  ])('%s is below Settings in its navigation', async (path) => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    const page = await root.get(path);
    const navigation = partOf(page, 'id="sections"', '</nav>');
    expect(navigation).toMatch(/\/-\/edit" aria-current="page">Settings</);
    expect(linksOf(navigation).length).toBeGreaterThan(3);
  });

  test('have no hint of the same words as the label', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    for (const path of ['/groups/demo/-/edit', '/demo/platform/api/-/edit']) {
      const { html } = await root.get(path);
      const fields = [...html.matchAll(/<label><span>([^<]*)<(?:(?!<label>).)*? class="hint" id="\w+-hint">([^<]*)/gs)];
      expect(fields.length).toBeGreaterThan(3);
      for (const [, label, hint] of fields) {
        const known = ['who', 'has', 'the', 'what', 'happens', ...wordsOf(label!)];
        expect(
          wordsOf(hint!).filter((word) => !known.includes(word)),
          hint,
        ).not.toEqual([]);
      }
    }
  });

  test('are in the navigation only of those who change them', async () => {
    expect((await mary.get('/demo/platform/api')).html).toContain('/demo/platform/api/-/edit');
    expect((await dave.get('/demo/storefront/-/issues')).html).not.toContain('/-/edit');
  });
});

test('the inbox is in the navigation of administrators only where mail is kept', async () => {
  const root = await signIn(gateway, 'root', inject('passwords').root);
  expect((await root.get('/admin/users')).html).not.toContain('/-/mail');
});

describe('fields for codes', () => {
  const fieldOf = ({ html }: WebPage, name: string) => new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(html)![0];

  test('of an authenticator bring up digits, and browsers fill them in', async () => {
    await dave.press((await dave.get('/profile/second_factor')).form('Enable two-factor'));
    const field = fieldOf(await dave.get('/profile/second_factor/new'), 'code');
    for (const attribute of ['inputmode="numeric"', 'autocomplete="one-time-code"', 'autocapitalize="none"'])
      expect(field.toLowerCase()).toContain(attribute);
  });

  test('of a device bring up capitals', async () => {
    const field = fieldOf(await dave.get('/oauth/device'), 'user_code').toLowerCase();
    expect(field).toContain('autocapitalize="characters"');
    expect(field).not.toContain('inputmode');
  });

  test('that take letters too bring up no digits', async () => {
    for (const [path, name] of [['/users/sign_in', 'login']] as const) {
      const field = fieldOf(await browserSession(gateway).get(path), name).toLowerCase();
      expect(field).toContain('autocapitalize="none"');
      expect(field).not.toContain('inputmode');
    }
  });
});

test('where no mail is sent, an unconfirmed address leads to whom to ask', async () => {
  await sql(
    `insert into emails (user_id, address) select id, 'unseen@example.com' from users where username = 'developer'`,
  );
  const page = await dave.get('/');
  expect(page.text).toContain(
    'unseen@example.com isn’t confirmed yet, so nothing is sent there. This gateway sends no mail: an administrator can confirm it for you.',
  );
  expect(page.text).not.toContain('Confirm it');
  expect((await dave.get('/profile/emails')).forms.map(({ button }) => button)).not.toContain('Send the link again');
  await sql(`delete from emails where address = 'unseen@example.com'`);
});

describe('who has many groups', () => {
  const many = 120;
  const name = (at: number) => `part-${String(at).padStart(3, '0')}`;
  const paths = Array.from({ length: many }, (_none, at) => `many/${name(at)}`);
  const pages = [
    '/',
    '/groups/many',
    '/-/groups/new',
    '/-/projects/new',
    '/profile/notifications',
    '/profile/notifications/preferences',
    '/search?search=many',
  ];
  const costs = async () => {
    const all: [page: string, statements: number][] = [];
    for (const page of pages) {
      const sent = await sentBy(async () => void expect([page, (await mary.get(page)).status]).toEqual([page, 200]));
      all.push([page, sent.length]);
    }
    return all;
  };
  let costsOfFew: [page: string, statements: number][];

  beforeAll(async () => {
    const make = async (json: object) => {
      const { status, body, text } = await rest('POST', '/api/v4/groups', { token: tokens.maintainer, json });
      if (status !== 201) throw new Error(text);
      return (body as { id: number }).id;
    };
    await sql(
      `insert into emails (user_id, address, verified_at) select id, 'work@example.com', now() from users where username = 'maintainer'`,
    );
    const parent_id = await make({ name: 'Many', path: 'many', visibility: 'public' });
    await make({ name: 'few', path: 'few', parent_id, visibility: 'public' });
    // The first visits also read what is kept.
    await costs();
    costsOfFew = await costs();
    for (let at = 0; at < many; at++) await make({ name: name(at), path: name(at), parent_id, visibility: 'public' });
  });

  /** The pages of a list, by the links to the next one. */
  async function following(path: string): Promise<WebPage[]> {
    const found: WebPage[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const page = await mary.get(next);
      expect([next, page.status]).toEqual([next, 200]);
      found.push(page);
      next = /<a [^>]*rel="next" href="([^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    }
    return found;
  }

  test('gets pages that aren’t large and cost as much as with few', async () => {
    const sizes = await Promise.all(pages.map(async (page) => [page, (await mary.get(page)).html.length] as const));
    expect(sizes.filter(([, size]) => size >= 100_000)).toEqual([]);
    expect(await costs()).toEqual(costsOfFew);
  });

  test('finds every subgroup on the pages of the group, also on the way back', async () => {
    const shown = await following('/groups/many');
    const links = shown.map(({ html }) => linksOf(partOf({ html } as WebPage, '<h2>Groups</h2>', '</ul>')));
    expect(links.flat()).toEqual(['/groups/many/few', ...paths.map((path) => `/groups/${path}`)]);
    expect(links[0]!.length).toBeLessThan(50);
    const back = /<a [^>]*rel="prev" href="([^"]*)"/.exec(shown.at(-1)!.html)![1]!.replaceAll('&amp;', '&');
    expect(linksOf(partOf(await mary.get(back), '<h2>Groups</h2>', '</ul>'))).toEqual(links.at(-2));
  });

  test.each([
    ['project', '/-/projects/new'],
    ['group', '/-/groups/new'],
  ])('makes a %s in one that the form doesn’t offer at first, without a script', async (kind, path) => {
    const page = await mary.get(path);
    const offered = ({ forms }: WebPage) =>
      forms.find(({ action }) => action === path)!.controls.find((control) => control.name === 'in')!.options;
    expect(offered(page).length).toBeLessThan(60);
    expect(offered(page)).not.toContain(paths.at(-1));
    expect(page.html).toContain('name="search"');
    const found = await mary.get(`${path}?search=${name(many - 1)}`);
    expect(offered(found)).toEqual([paths.at(-1)]);
    const form = found.form(`Create ${kind}`);
    // It is chosen, and stays so beside what is wrong.
    expect(form.fields.in).toBe(paths.at(-1));
    const refused = await mary.press(form, { name: ' ' });
    expect([refused.status, refused.form(`Create ${kind}`).fields]).toEqual([
      422,
      expect.objectContaining({ in: paths.at(-1), search: name(many - 1) }),
    ]);
    const { status, location } = await mary.press(refused.form(`Create ${kind}`), { name: `Made in a ${kind} form` });
    expect([status, location]).toEqual([303, expect.stringContaining(`/${paths.at(-1)}/made-in-a-${kind}-form`)]);
    expect((await mary.get(`${path}?search=nowhere-at-all`)).text).toContain(
      `None of the groups in which you can create a ${kind} matches.`,
    );
  });

  test('chooses the address of any of them', async () => {
    const path = '/profile/notifications/preferences';
    const labels = (page: WebPage) =>
      [...page.html.matchAll(/Address for the group ([^<]*)</g)].map(([, label]) => label!);
    const all = await following(path);
    const shown = all.flatMap(labels);
    for (const one of paths) expect(shown.filter((label) => label.includes(`(${one})`))).toHaveLength(1);
    const found = await mary.get(`${path}?search=${name(77)}`);
    expect(labels(found)).toEqual([`${name(77)} (${paths[77]})`]);
    const field = Object.keys(found.form('Save changes').fields).find((one) => one.startsWith('address.'))!;
    const saved = await mary.press(found.form('Save changes'), { [field]: 'work@example.com' });
    expect([saved.status, saved.location]).toEqual([303, `${path}?search=${name(77)}`]);
    expect((await mary.get(saved.location!)).form('Save changes').fields[field]).toBe('work@example.com');
    expect((await mary.get(`${path}?search=nowhere`)).text).toContain('None of your groups matches “ nowhere ”.');
  });
});
