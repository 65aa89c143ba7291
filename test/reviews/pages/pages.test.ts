import { beforeAll, describe, expect, test } from 'vitest';
import { browserSession, signIn, type BrowserSession } from '../../support/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { addMember } from '../../support/people.ts';
import { newCode, type Code } from '../../repository/support/code.ts';

/** The pages of merge requests, without a browser and without JavaScript. */

const gateway = await testGateway();
const { rest, tokens } = gateway;

let mary: BrowserSession;
let dave: BrowserSession;
let guest: BrowserSession;
const anyone = browserSession(gateway);
/** A public project with branches that differ from `main`. */
let code: Code;
const at = (page = '') => `/${code.fullPath}/-/merge_requests${page}`;
let branches = 0;

const hostile = '<b>"&\'</b><script>alert(1)</script>';

/** A branch with a commit that changes a file and adds one. */
async function branch(files: Record<string, string> = {}): Promise<string> {
  const name = `topic-${++branches}`;
  await code.branch(name);
  await code.commit({ [`${name}.txt`]: 'one\ntwo\n', ...files }, { branch: name, commit_message: `Add ${name}` });
  return name;
}

/** Opens a merge request over the API. @returns its number */
async function opened(values: Record<string, unknown> = {}, token = tokens.maintainer): Promise<number> {
  const source = (values.source_branch as string | undefined) ?? (await branch());
  const json = { source_branch: source, target_branch: 'main', title: `Merge ${source}`, ...values };
  const { status, body, text } = await rest('POST', `${code.path}/merge_requests`, { token, json });
  expect(status, text).toBe(201);
  return (body as { iid: number }).iid;
}

beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
  dave = await signIn(gateway, 'developer');
  guest = await signIn(gateway, 'guest');
  code = await newCode(gateway, { visibility: 'public' });
  const [user] = await gateway.sql<{ id: number }>("select id from users where username = 'guest'");
  await addMember(gateway, { id: String(user!.id) }, 'GUEST', { project: String(code.id) });
  await code.commit({ 'README.md': 'one\ntwo\nthree\n' }, { commit_message: 'Begin' });
});

describe('the list', () => {
  test('of a project without any says how to begin, to those who may', async () => {
    const own = await mary.get(at());
    expect(own.status).toBe(200);
    expect(own.text).toContain('No merge requests here.');
    expect(own.text).toContain('git push --set-upstream origin my-change');
    expect(own.html).toContain(`href="${at('/new')}"`);
    for (const other of [anyone, guest]) {
      const { status, text, html } = await other.get(at());
      expect(status).toBe(200);
      expect(text).not.toContain('git push');
      expect(html).not.toContain(`href="${at('/new')}"`);
    }
  });

  test('has tabs with counts, filters in the address, and what each has', async () => {
    const first = await opened({ title: `Faster ${hostile}`, labels: 'speed', description: '- [x] one\n- [ ] two' });
    const second = await opened({ title: 'Draft: Later', assignee_id: 3 });
    const third = await opened({ title: 'Never', reviewer_ids: [3] });
    await gateway.sql("update merge_requests set state = 'CLOSED' where project_id = $1 and iid = $2", [
      code.id,
      third,
    ]);
    const { text, html } = await anyone.get(at());
    expect(text).toMatch(/Open 2 Merged 0 Closed 1 All 3/);
    expect(text).toContain('Merge requests 2 open');
    for (const part of [`!${first}`, `!${second}`, 'Draft', 'speed', '1 of 2 tasks', 'into main'])
      expect(text).toContain(part);
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script>');
    expect(text).not.toContain('Never');
    const shows = async (query: string) => {
      const page = await mary.get(at(`?${query}`));
      expect(page.status).toBe(200);
      return [first, second, third].filter((iid) => page.html.includes(`href="${at(`/${iid}`)}"`));
    };
    expect(await shows('state=all')).toEqual([first, second, third]);
    expect(await shows('state=closed')).toEqual([third]);
    expect(await shows('state=all&label_name=speed')).toEqual([first]);
    expect(await shows('state=all&assignee_username=developer')).toEqual([second]);
    expect(await shows('state=all&reviewer_username=@developer')).toEqual([third]);
    expect(await shows('state=all&reviewer_username=None')).toEqual([first, second]);
    expect(await shows('draft=yes')).toEqual([second]);
    expect(await shows('draft=no')).toEqual([first]);
    expect(await shows('search=Faster')).toEqual([first]);
    expect(await shows('author_username=developer')).toEqual([]);
    expect(await shows('target_branch=other')).toEqual([]);
    expect(await shows('sort=nonsense&state=nonsense')).toEqual([first, second]);
    expect((await mary.get(at('?search=nothing'))).text).toContain('No merge requests match.');
  });

  test('of a person has what they are to do', async () => {
    const { text } = await dave.get('/dashboard/merge_requests');
    expect(text).toContain('Draft: Later');
    expect((await dave.get('/dashboard/merge_requests/reviews?state=all')).text).toContain('Never');
    expect((await mary.get('/dashboard/merge_requests/created')).text).toContain('Draft: Later');
    expect((await anyone.get('/dashboard/merge_requests')).location).toContain('/users/sign_in');
  });

  test('is missing where merge requests are off, and for those who don’t see them', async () => {
    const off = await newCode(gateway, { visibility: 'public', merge_requests_access_level: 'disabled' });
    expect((await mary.get(`/${off.fullPath}/-/merge_requests`)).status).toBe(404);
    expect((await mary.get(`/${off.fullPath}`)).html).not.toContain(`${off.fullPath}/-/merge_requests`);
    const within = await newCode(gateway, { visibility: 'public', merge_requests_access_level: 'private' });
    expect((await anyone.get(`/${within.fullPath}/-/merge_requests`)).status).toBe(404);
    expect((await mary.get(`/${within.fullPath}/-/merge_requests`)).status).toBe(200);
  });
});

describe('one', () => {
  test('shows what it is, to everyone who sees it; its forms are for those who may', async () => {
    const source = await branch();
    const iid = await opened({
      source_branch: source,
      title: `One ${hostile}`,
      description: 'See **this** <script>alert(1)</script>',
    });
    for (const visitor of [anyone, guest, dave, mary]) {
      const { status, text, html } = await visitor.get(at(`/${iid}`));
      expect(status).toBe(200);
      for (const part of [`!${iid}`, 'Open', source, 'main', 'Commits 1', 'Changes 1', 'nothing stands in the way'])
        expect(text).toContain(part);
      expect(html).toContain('<strong>this</strong>');
      expect(html).not.toContain('<script');
    }
    const buttons = async (visitor: BrowserSession) =>
      (await visitor.get(at(`/${iid}`))).forms.map(({ action }) => action.split('/').at(-1)!);
    expect(await buttons(anyone)).toEqual([]);
    const ofGuest = await buttons(guest);
    expect(ofGuest).toContain('notes');
    for (const one of ['merge', 'approve', 'close', 'draft', 'rebase']) expect(ofGuest).not.toContain(one);
    // The default branch is protected: maintainers merge into it.
    expect(await buttons(dave)).toEqual(expect.arrayContaining(['approve', 'close', 'draft', 'notes']));
    expect(await buttons(mary)).toEqual(expect.arrayContaining(['approve', 'close', 'draft', 'notes', 'merge']));
    expect((await anyone.get(at('/999'))).status).toBe(404);
    expect((await anyone.get(at('/none'))).status).toBe(404);
  });

  test('is approved, made a draft, closed, opened again and merged by its forms', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const page = () => mary.get(at(`/${iid}`));
    const press = async (button: string, fields: Record<string, string> = {}) => {
      const answer = await mary.press((await page()).form(button), fields);
      expect([button, answer.status, answer.location]).toEqual([button, 303, at(`/${iid}`)]);
      return (await page()).text;
    };
    expect(await press('Approve')).toContain('Take back your approval');
    expect(await press('Take back your approval')).toContain('Nobody yet.');
    expect(await press('Mark as draft')).toContain('It is a draft. Mark it as ready first.');
    expect((await page()).html).not.toContain(`action="${at(`/${iid}/merge`)}"`);
    await press('Mark as ready');
    await press('Lock the discussion');
    console.log(
      JSON.stringify(await gateway.sql('select discussion_locked from merge_requests where iid = $1', [iid])),
      JSON.stringify(
        await rest('PUT', `${code.path}/merge_requests/${iid}`, {
          token: tokens.maintainer,
          json: { discussion_locked: true },
        }),
      ).slice(0, 3000),
    );
    expect(await press('Close merge request')).toContain('It is closed. Reopen it to merge it.');
    await press('Reopen merge request');
    const merging = (await page()).form('Merge');
    const text = await press('Merge', { squash: 'on', remove: 'on', message: 'Bring it\r\n\r\nin' });
    expect(text).toContain('Merged Opened on');
    expect(text).toContain('The merge request is merged.');
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    expect(body).toMatchObject({ state: 'merged', squash: true });
    expect((await rest('GET', `${code.path}/repository/branches/${source}`)).status).toBe(404);
    const commit = (await rest('GET', `${code.path}/repository/commits/main`)).body as { message: string };
    expect(commit.message).toContain('Bring it\n\nin');
    const again = await mary.press(merging);
    expect(again.status).toBeGreaterThanOrEqual(403);
    expect(again.status).toBeLessThan(500);
  });

  test('isn’t merged at a head that the person didn’t see', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const form = (await mary.get(at(`/${iid}`))).form('Merge');
    await code.commit({ 'later.txt': 'later\n' }, { branch: source });
    const answer = await mary.press(form, { message: 'Kept <text>' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Somebody pushed to the source branch in the meantime.');
    expect(answer.html).toContain('Kept &lt;text>');
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    expect(body).toMatchObject({ state: 'opened' });
  });

  test('says why it can’t be merged, and takes no approval of who may not', async () => {
    const source = await branch({});
    await code.commit(
      {},
      { branch: source, actions: [{ action: 'update', file_path: 'README.md', content: 'here\n' }] },
    );
    await code.commit({}, { actions: [{ action: 'update', file_path: 'README.md', content: `there ${source}\n` }] });
    const iid = await opened({ source_branch: source });
    const { text, form } = await mary.get(at(`/${iid}`));
    expect(text).toContain('It has conflicts with the target branch.');
    expect(text).toMatch(/The target branch has \S+ commits? that the source branch lacks/);
    expect(() => form('Merge')).toThrow();
    const approving = form('Approve');
    const refused = await guest.post(approving.action, {
      form_token: (await guest.get(at(`/${iid}`))).forms[0]!.fields.form_token!,
    });
    expect([403, 422].includes(refused.status) || refused.location !== null).toBe(true);
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}/approvals`, { token: tokens.maintainer });
    expect((body as { approved_by: object[] }).approved_by).toEqual([]);
  });

  test('is discussed in threads, which are resolved, and on lines of its diff', async () => {
    const source = await branch({ 'here/<i>odd</i> & "name".txt': '<u>text</u>\n' });
    const iid = await opened({ source_branch: source });
    const page = () => dave.get(at(`/${iid}`));
    const sent = await dave.press((await page()).form('Comment'), { body: 'A *thread*', thread: 'on' });
    expect(sent.location).toMatch(/#note_\d+$/);
    const reply = await dave.press((await page()).form('Send the reply'), { reply: 'A reply' });
    expect(reply.status).toBe(303);
    expect((await page()).text).toContain('A reply');
    expect((await dave.press((await page()).form('Resolve the thread'))).status).toBe(303);
    expect((await page()).text).toContain('Resolved by');
    const empty = await dave.press((await page()).form('Comment'), { body: '' });
    expect(empty.status).toBe(422);
    const edit = await dave.get(`${at(`/${iid}`)}/notes/${/#note_(\d+)$/.exec(sent.location!)![1]}/edit`);
    expect(edit.text).toContain(`Edit a comment on !${iid}`);
    expect((await dave.press(edit.form('Save changes'), { body: 'Another' })).location).toBe(sent.location);
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    const { diff_refs: refs } = body as { diff_refs: Record<string, string> };
    const position = {
      ...refs,
      position_type: 'text',
      new_path: `${source}.txt`,
      old_path: `${source}.txt`,
      new_line: 2,
    };
    const made = await rest('POST', `${code.path}/merge_requests/${iid}/discussions`, {
      token: tokens.developer,
      json: { body: 'On a line', position },
    });
    expect(made.status, made.text).toBe(201);
    const shown = await anyone.get(at(`/${iid}`));
    expect(shown.text).toContain(`On ${source}.txt , line 2`);
    expect(shown.html).toContain('<td class="text"><span class="sign">+</span>two</td>');
  });
});
