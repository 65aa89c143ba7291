import { describe, expect, test } from 'vitest';
import type { BrowserSession, WebPage } from '../../support/pages/browser-session.ts';
import { storefront } from '../support/storefront.ts';
import { done, planningPages } from '../support/pages.ts';

/** The forms of snippets, and the conversation about one. */

const { gateway, mary, gus, anyone, write, read } = await planningPages();
const project = '/demo/storefront/-/snippets';
const two = {
  title: 'Tides',
  visibility: 'public',
  files: [
    { file_path: 'lib/tides.py', content: '\nprint("low")\n' },
    { file_path: 'README', content: 'Reads tides.' },
  ],
};
const make = async (more: object = {}, of = storefront) =>
  Number((await write('POST', `${of}/snippets`, { ...two, ...more })).id);
const stored = async (id: number | string, of = storefront) =>
  (await read(`${of}/snippets/${id}`)) as Record<string, unknown>;
const textOf = async (id: number | string, path: string) =>
  (
    await gateway.rest('GET', `/api/v4/snippets/${id}/files/main/${encodeURIComponent(path)}/raw`, {
      token: gateway.tokens.maintainer,
    })
  ).text;
const idIn = ({ location }: WebPage) => /\/snippets\/(\d+)$/.exec(location!)![1]!;

describe('the form of a new snippet', () => {
  test.each([
    ['of a project', project, '/demo/storefront', storefront],
    ['of a person', '/dashboard/snippets', '', ''],
  ])('%s creates it, with several files', async (_which, list, below, api) => {
    const page = await mary.get(`${below}/-/snippets/new`);
    expect((await mary.get(list)).html).toContain(`href="${below}/-/snippets/new"`);
    const first = { title: ' Tides ', description: 'Of *today*.', visibility: 'internal' };
    const one = { path_1: 'lib/tides.py', content_1: 'print("low")\r\nprint("high")' };
    const more = await mary.press(page.form('Create snippet'), { ...first, ...one, add: 'file' });
    expect([more.status, more.text.includes('Nothing is saved yet')]).toEqual([200, false]);
    const made = await mary.press(more.form('Create snippet'), { content_2: 'No name' });
    expect([made.status, made.text]).toEqual([303, '']);
    const id = idIn(made);
    expect(made.location).toBe(`${below}/-/snippets/${id}`);
    expect((await mary.get(made.location!)).text).toContain('The snippet is created.');
    expect(await stored(id, api)).toMatchObject({
      title: 'Tides',
      description: 'Of *today*.',
      visibility: 'internal',
      files: [{ path: 'lib/tides.py' }, { path: 'snippetfile1.txt' }],
    });
    expect(await textOf(id, 'lib/tides.py')).toBe('print("low")\nprint("high")');
  });

  test('says what is wrong next to the fields, and keeps what was typed', async () => {
    const form = (await mary.get('/-/snippets/new')).form('Create snippet');
    const cases = [
      [{}, 'A snippet has at least one file with a text.'],
      [{ path_1: 'a.txt' }, 'The file can’t be empty.'],
      [{ path_1: '../a.txt', content_1: 'A' }, 'The path must be that of a file'],
      [{ title: ' ', content_1: 'A' }, 'The title can&#39;t be blank.'],
      [{ path_1: 'a', content_1: 'A', path_2: 'a', content_2: 'B' }, 'A file with this name already exists.'],
    ] as const;
    for (const [fields, says] of cases) {
      const page = await mary.press(form, { title: 'Kept', description: 'Kept, too', ...fields });
      expect([says, page.status]).toEqual([says, 422]);
      expect(page.html.replaceAll('&#39;', "'")).toContain(says.replaceAll('&#39;', "'"));
      expect(page.text).toContain('Nothing is saved yet.');
      expect(page.form('Create snippet').fields).toMatchObject({ description: 'Kept, too', ...fields });
    }
  });

  test('takes as much text as a snippet may have, and keeps more than that for those who typed it', async () => {
    const page = await mary.get(`${project}/new`);
    expect(page.text).toContain('All files together have at most 1 MiB.');
    const form = page.form('Create snippet');
    // As the form is sent, that is 3 MiB.
    const most = 'ü'.repeat(524_288);
    const made = await mary.press(form, { title: 'Long', content_1: most });
    expect([made.status, made.text.slice(0, 200)]).toEqual([303, '']);
    const [path] = (await stored(idIn(made))).files as { path: string }[];
    expect((await textOf(idIn(made), path!.path)).trimEnd()).toBe(most);
    const refused = await mary.press(form, { title: 'Longer', content_1: `${most}é` });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The files must have up to 1048576 bytes together.');
    expect(refused.html.includes(`${most}é`)).toBe(true);
    const edited = await mary.get(`${project}/${idIn(made)}/edit`);
    const again = await mary.press(edited.form('Save changes'), { content_1: `${most}é` });
    expect([again.status, again.html.includes(`${most}é`)]).toEqual([422, true]);
  });

  test('has ten files at most', async () => {
    let page = await mary.get('/-/snippets/new');
    for (let files = 1; files < 10; files++) page = await mary.press(page.form('Create snippet'), { add: 'file' });
    expect(page.text).toContain('File 10');
    expect(page.text).not.toContain('Add another file');
  });

  test('is for those who may, and says why others may not', async () => {
    expect((await anyone().get(`${project}/new`)).location).toContain('/users/sign_in');
    expect((await anyone().get('/-/snippets/new')).location).toContain('/users/sign_in');
    const refused = await gus.get(`${project}/new`);
    expect([refused.status, refused.forms.length > 1]).toEqual([403, false]);
    expect(refused.text).toContain('You need at least the Reporter role to create snippets in this project.');
    expect((await gus.get(project)).text).toContain('You need at least the Reporter role');
    await gateway.sql(`update users set external = true where username = 'guest'`);
    expect((await gus.get('/-/snippets/new')).text).toContain('External users create no snippets of their own.');
    expect((await gus.get('/dashboard/snippets')).html).not.toContain('/-/snippets/new');
    await gateway.sql(`update users set external = false where username = 'guest'`);
  });
});

describe('the form of a snippet', () => {
  const edit = async (id: number, fields: Record<string, string>, who = mary) =>
    await who.press((await who.get(`${project}/${id}/edit`)).form('Save changes'), fields);

  test('changes nothing if it is saved untouched', async () => {
    const id = await make({ description: 'One\nTwo', files: [{ file_path: 'a', content: '\nA\r\nB\rC' }] });
    const before = await stored(id);
    expect((await edit(id, {})).status).toBe(303);
    expect(await stored(id)).toMatchObject({ ...before, updated_at: expect.any(String) as string });
    expect(await textOf(id, 'a')).toBe('\nA\r\nB\rC');
  });

  test('changes, moves, adds and removes files', async () => {
    const id = await make();
    const form = (await mary.get(`${project}/${id}/edit`)).form('Save changes');
    const more = await mary.press(form, { title: 'Ebb', visibility: 'private', path_1: 'ebb.py', add: 'file' });
    const saved = await mary.press(more.form('Save changes'), { remove_2: 'on', path_3: 'README', content_3: 'New' });
    expect([saved.status, saved.text]).toEqual([303, '']);
    expect((await mary.get(saved.location!)).text).toContain('The snippet is saved.');
    const now = await stored(id);
    expect([now.title, now.visibility]).toEqual(['Ebb', 'private']);
    expect([await textOf(id, 'ebb.py'), await textOf(id, 'README')]).toEqual(['\nprint("low")\n', 'New']);
    expect((await edit(id, { content_1: 'print("high")', path_2: 'b' })).status).toBe(303);
    expect([await textOf(id, 'ebb.py'), await textOf(id, 'b')]).toEqual(['print("high")', 'New']);
  });

  test('undoes nothing that others changed in the meantime', async () => {
    const id = await make();
    const { form } = await mary.get(`${project}/${id}/edit`);
    const action = { action: 'update', file_path: 'README', content: 'Other words' };
    await write('PUT', `${storefront}/snippets/${id}`, { title: 'Other title', description: 'Other', files: [action] });
    const refused = await mary.press(form('Save changes'), { content_2: 'Mine' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Someone else changed the file in the meantime.');
    expect(refused.form('Save changes').fields).toMatchObject({ content_2: 'Mine', title: 'Tides' });
    const again = await mary.press(form('Save changes'), { description: 'Mine' });
    expect(again.text).toContain('Someone else changed the description in the meantime.');
    expect((await mary.press(form('Save changes'), { path_1: 'low.py' })).status).toBe(303);
    expect(await stored(id)).toMatchObject({ title: 'Other title', description: 'Other' });
    expect(await textOf(id, 'README')).toBe('Other words');
  });

  test('says that a snippet keeps one file, and which path is wrong', async () => {
    const id = await make();
    expect((await edit(id, { remove_1: 'on', remove_2: 'on' })).text).toContain('must contain at least 1 file.');
    expect((await edit(id, { path_1: '' })).text).toContain('The path must be that of a file');
    expect((await edit(id, { path_1: 'README' })).text).toContain('A file with this name already exists.');
    expect((await stored(id)).files).toMatchObject([{ path: 'lib/tides.py' }, { path: 'README' }]);
  });

  test('and the question before it is deleted are for those who may', async () => {
    const id = await make();
    const own = await make({}, '');
    for (const page of ['edit', 'delete']) {
      expect((await anyone().get(`${project}/${id}/${page}`)).location).toContain('/users/sign_in');
      const refused = await gus.get(`${project}/${id}/${page}`);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('at least the Maintainer role')]);
      expect((await gus.get(`/-/snippets/${own}/${page}`)).text).toContain('Only its author changes this snippet.');
      expect((await mary.get(`/-/snippets/${id}/${page}`)).location).toBe(`${project}/${id}/${page}`);
      for (const missing of ['0', 'x', '99999999999'])
        expect((await mary.get(`/-/snippets/${missing}/${page}`)).status).toBe(404);
    }
    expect((await gus.get(`${project}/${id}`)).html).not.toContain(`/snippets/${id}/edit`);
    await gateway.sql(`update projects set archived = true where path = 'storefront'`);
    expect((await mary.get(`${project}/${id}/edit`)).text).toContain('This project is archived');
    expect((await mary.get(`${project}/new`)).text).toContain('This project is archived');
    await gateway.sql(`update projects set archived = false where path = 'storefront'`);
  });

  test.each([
    ['of a project', storefront, project],
    ['of a person', '', '/dashboard/snippets'],
  ])('%s leads to its removal', async (_which, api, list) => {
    const id = await make({}, api);
    const at = `${api ? '/demo/storefront' : ''}/-/snippets/${id}`;
    expect((await mary.get(at)).html).toContain(`href="${at}/delete"`);
    const gone = await mary.press((await mary.get(`${at}/delete`)).form('Delete the snippet'));
    expect(gone.location).toBe(list);
    expect((await mary.get(list)).text).toContain('The snippet is deleted.');
    expect((await mary.get(at)).status).toBe(404);
  });
});

describe('the conversation about a snippet', () => {
  const notes = async (id: number) =>
    (await read(`${storefront}/snippets/${id}/notes?sort=asc`)) as unknown as { id: number; body: string }[];
  const press = async (id: number, button: string, fields: Record<string, string> = {}, who: BrowserSession = mary) =>
    await done(who, who.press((await who.get(`${project}/${id}`)).form(button), fields));

  test('takes comments, threads and replies', async () => {
    const id = await make();
    expect((await mary.get(`${project}/${id}`)).text).not.toContain('/close');
    expect((await press(id, 'Comment', { body: 'Is it *low*?' }, gus)).html).toContain('Is it <em>low</em>?');
    // A single comment on a snippet takes no replies.
    expect((await mary.get(`${project}/${id}`)).text).not.toContain('Reply');
    await press(id, 'Comment', { body: 'A thread', thread: 'on' });
    expect((await press(id, 'Send the reply', { reply: 'High.' }, gus)).text).toContain('High.');
    expect((await notes(id)).map(({ body }) => body)).toEqual(['Is it *low*?', 'A thread', 'High.']);
    const { text } = await mary.get(`${project}/${id}`);
    expect(text).not.toContain('Resolve the thread');
    const refused = await mary.press((await mary.get(`${project}/${id}`)).form('Comment'), { body: ' ' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Tides')]);
    expect((await anyone().get(`${project}/${id}`)).text).toContain('Sign in to comment.');
  });

  test('has pages of a thread and of a comment, which is changed, deleted and given emoji', async () => {
    const id = await make();
    await press(id, 'Comment', { body: 'Low.', thread: 'on' }, gus);
    const [{ id: note } = { id: 0 }] = await notes(id);
    const at = `${project}/${id}/notes/${note}`;
    const { location } = await mary.get(at);
    expect(location).toMatch(new RegExp(`^${project}/${id}/discussions/[0-9a-f]{40}`));
    expect((await mary.get(location!)).text).toContain(`A thread on $${id}`);
    const saved = await gus.press((await gus.get(`${at}/edit`)).form('Save changes'), { body: 'Lower.' });
    expect(saved.location).toBe(`${project}/${id}#note_${note}`);
    await mary.press((await mary.get(`${at}/award`)).form('🎉'));
    expect((await gus.get(`${project}/${id}`)).text).toMatch(/Lower\..*🎉 tada 1/);
    await mary.press((await mary.get(`${at}/delete`)).form('Delete the comment'));
    expect(await notes(id)).toEqual([]);
  });

  test('has emoji for the snippet itself', async () => {
    const id = await make();
    await press(id, '🎉 tada for the snippet', {}, gus);
    expect((await mary.get(`${project}/${id}`)).text).toContain('🎉 tada 1');
    const refused = await mary.press((await mary.get(`${project}/${id}`)).form('React with it'), { name: 'no such' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Tides')]);
    expect((await press(id, '🎉 tada 1', {}, gus)).text).not.toContain('🎉 tada 1');
  });

  test('is not on personal snippets, whose pages are complete', async () => {
    const own = await make({}, '');
    const page = await mary.get(`/-/snippets/${own}`);
    expect([page.status, page.text.includes('Activity')]).toEqual([200, false]);
  });
});
