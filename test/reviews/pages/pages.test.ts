import { beforeAll, describe, expect, test, vi } from 'vitest';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { fillWithChoices } from '../../planning/support/storefront.ts';
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
    const { text } = await dave.get('/dashboard/merge_requests/assigned');
    expect(text).toContain('Draft: Later');
    expect((await dave.get('/dashboard/merge_requests/reviews?state=all')).text).toContain('Never');
    expect((await mary.get('/dashboard/merge_requests/created')).text).toContain('Draft: Later');
    expect((await anyone.get('/dashboard/merge_requests')).location).toContain('/users/sign_in');
  });

  test('of a person begins with the reviews that wait, and says how many merge requests wait where', async () => {
    const root = '/dashboard/merge_requests';
    const newcomer = await newUser(gateway, 'newcomer', { password: 'password of newcomer' });
    const page = async (path: string, who: BrowserSession) => {
      const { location } = await who.get(path);
      return location?.replace(gateway.url, '');
    };
    const me = await signIn(gateway, 'newcomer', 'password of newcomer');
    // Nothing waits.
    expect(await page(root, me)).toBe(`${root}/assigned`);
    const empty = (await me.get(`${root}/assigned`)).html;
    expect(empty).toContain('href="/explore/projects?scope=mine"');
    await addMember(gateway, newcomer, 'DEVELOPER', { project: String(code.id) });
    await opened({ title: 'Look at this', reviewer_ids: [Number(newcomer.id)] });
    expect(await page(root, me)).toBe(`${root}/reviews`);
    const { html } = await me.get(`${root}/assigned`);
    expect(html).toMatch(/Reviews asked of you <span class="count">1<[^]*Assigned to you <span class="count">0</);
    expect(html).toContain(`<a href="${root}/reviews">reviews asked of you (1)</a>`);
    expect((await me.get(`${root}/reviews`)).text).toContain('Look at this');
    // As GitLab's links and bookmarks have it.
    expect(await page(`${root}?reviewer_username=newcomer&state=all`, me)).toBe(`${root}/reviews?state=all`);
    expect(await page(`${root}?assignee_username=newcomer`, me)).toBe(`${root}/assigned?assignee_username=newcomer`);
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
    expect(await press('Take back your approval')).toContain('No one yet.');
    expect(await press('Mark as draft')).toContain('It is a draft. Mark it as ready first.');
    expect((await page()).html).not.toContain(`action="${at(`/${iid}/merge`)}"`);
    await press('Mark as ready');
    expect(await press('Lock the discussion')).toContain('Discussion locked');
    expect(await press('Close merge request')).toContain('It is closed. Reopen it to merge it.');
    await press('Reopen merge request');
    const merging = (await page()).form('Merge');
    const text = await press('Merge', { squash: 'on', remove: 'on', message: 'Bring it\r\n\r\nin' });
    expect(text).toContain('Its changes are in main');
    expect(text).toContain('The merge request is merged.');
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    expect(body).toMatchObject({ state: 'merged' });
    const removed = async () => (await rest('GET', `${code.path}/repository/branches/${source}`)).status === 404;
    await vi.waitUntil(removed, 10_000);
    const commit = (await rest('GET', `${code.path}/repository/commits/main`)).body as { message: string };
    expect(commit.message).toContain('Bring it\n\nin');
    const again = await mary.press(merging);
    expect(again.status).toBeGreaterThanOrEqual(403);
    expect(again.status).toBeLessThan(500);
  });

  test('is watched, put on one’s list, and takes time, by the forms beside it', async () => {
    const iid = await opened();
    const page = () => mary.get(at(`/${iid}`));
    const press = async (button: string, fields: Record<string, string> = {}) => {
      const answer = await mary.press((await page()).form(button), fields);
      expect([button, answer.status, answer.location]).toEqual([button, 303, at(`/${iid}`)]);
      return (await page()).text;
    };
    expect((await page()).text).toContain('You are subscribed.');
    expect(await press('Unsubscribe')).toContain('You aren’t subscribed.');
    expect(await press('Subscribe')).toContain('You are subscribed to the merge request.');
    expect(await press('Add a to-do')).toContain('It is on your list.');
    expect(await press('Mark as done')).toContain('It isn’t on your list.');
    expect(await press('Add', { duration: '1h 30m' })).toContain('Spent: 1h 30m');
    expect(await press('Save the estimate', { estimate: '2h' })).toContain('Estimated: 2h');
    const wrong = await mary.press((await page()).form('Save the estimate'), { estimate: 'soon' });
    expect(wrong.status).toBe(422);
    expect((await anyone.get(at(`/${iid}`))).text).not.toContain('Add a to-do');
  });

  test('has what the link of another program says', async () => {
    const source = await branch();
    const query = new URLSearchParams({
      'merge_request[source_branch]': source,
      'merge_request[target_branch]': 'main',
      'merge_request[title]': 'From a program',
      'merge_request[description]': 'It says why.',
    });
    const { fields } = (await mary.get(at(`/new?${query}`))).form('Create merge request');
    expect(fields).toMatchObject({
      source_branch: source,
      target_branch: 'main',
      title: 'From a program',
      description: 'It says why.',
    });
    const only = await mary.get(at(`/new?merge_request[source_branch]=${source}`));
    expect(only.form('Create merge request').fields.title).toBe(`Add ${source}`);
  });

  test('has the people, the labels and the milestone of such a link, of which a form takes one person of each kind', async () => {
    const source = await branch();
    const [developer] = await gateway.sql<{ id: number }>("select id from users where username = 'developer'");
    const json = { name: 'of-a-link', color: '#123456' };
    const label = await rest('POST', `${code.path}/labels`, { token: tokens.maintainer, json });
    const milestone = await rest('POST', `${code.path}/milestones`, {
      token: tokens.maintainer,
      json: { title: 'Of a link' },
    });
    const query = new URLSearchParams([
      ['merge_request[source_branch]', source],
      ['merge_request[assignee_ids][]', String(developer!.id)],
      ['merge_request[assignee_ids][]', '1'],
      ['merge_request[reviewer_ids][]', String(developer!.id)],
      ['merge_request[reviewer_ids][]', '99999'],
      ['merge_request[label_ids][]', String(label.body.id)],
      ['merge_request[label_ids][]', 'x'],
      ['merge_request[milestone_id]', String(milestone.body.id)],
    ]);
    const page = await mary.get(at(`/new?${query}`));
    expect(page.status, page.text).toBe(200);
    expect(page.form('Create merge request').fields).toMatchObject({
      source_branch: source,
      assignee: 'developer',
      reviewer: 'developer',
      [`label.${label.body.id}`]: 'on',
      milestone: String(milestone.body.id),
    });
    const unknown = await mary.get(at('/new?merge_request[assignee_ids][]=99999&merge_request[label_ids]=1'));
    expect(unknown.form('Create merge request').fields.assignee).toBe('');
    expect((await mary.get(at('/new?merge_request[title]=a&merge_request[title]=b'))).status).toBe(400);
  });

  test('of a fork is offered what the target has', async () => {
    const label = { name: 'only-of-the-target', color: '#123456' };
    const made = await rest('POST', `${code.path}/labels`, { token: tokens.maintainer, json: label });
    const json = { path: 'a-fork-with-a-form', name: 'A fork with a form' };
    const fork = await rest('POST', `${code.path}/fork`, { token: tokens.developer, json });
    expect(fork.status, fork.text).toBe(201);
    await vi.waitFor(async () => {
      const { body } = await rest('GET', `/api/v4/projects/${fork.body.id}`, { token: tokens.developer });
      expect(body.import_status).toBe('finished');
    }, 15_000);
    const path = `/${fork.body.path_with_namespace}/-/merge_requests/new`;
    const form = await dave.get(`${path}?source=main`);
    expect(form.text).toContain(`What is offered below is that of ${code.fullPath} .`);
    expect(form.html).toContain(`name="label.${made.body.id}"`);
    const own = await dave.get(`${path}?source=main&target_project=${fork.body.id}`);
    expect(own.text).toContain(`What is offered below is that of ${fork.body.path_with_namespace} .`);
    expect(own.html).not.toContain(`name="label.${made.body.id}"`);
    // The fork says that its merge requests are its own business.
    const self = { mr_default_target_self: true };
    await rest('PUT', `/api/v4/projects/${fork.body.id}`, { token: tokens.developer, json: self });
    expect((await dave.get(`${path}?source=main`)).text).toContain(
      `What is offered below is that of ${fork.body.path_with_namespace} .`,
    );
    const target = await dave.get(`${path}?source=main&target_project=${code.id}`);
    expect(target.text).toContain(`What is offered below is that of ${code.fullPath} .`);
  });

  test('isn’t merged at a head that the person didn’t see', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const form = (await mary.get(at(`/${iid}`))).form('Merge');
    await code.commit({ 'later.txt': 'later\n' }, { branch: source });
    const answer = await mary.press(form, { message: 'Kept <text>' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Someone pushed to the source branch in the meantime.');
    expect(answer.html).toContain('Kept &lt;text>');
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    expect(body).toMatchObject({ state: 'opened' });
  });

  test('isn’t merged by a comment at a head that the person didn’t see', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const form = (await mary.get(at(`/${iid}`))).form('Comment');
    await code.commit({ 'even-later.txt': 'later\n' }, { branch: source });
    expect((await mary.press(form, { body: '/merge' })).status).toBe(422);
    const again = (await mary.get(at(`/${iid}`))).form('Comment');
    expect((await mary.press(again, { body: '/merge' })).status).toBe(303);
    expect((await mary.get(at(`/${iid}`))).text).toContain('Its changes are in main');
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
    const done = await dave.press((await page()).form('Comment'), { body: '/draft' });
    expect([done.status, done.location]).toEqual([303, at(`/${iid}#activity`)]);
    expect((await page()).text).toContain('The commands were carried out.');
    const again = await dave.press((await page()).form('Comment'), { body: '/draft', thread: 'on' });
    expect([again.status, again.text.includes('Failed to apply commands.')]).toEqual([422, true]);
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

  test('is reviewed by drafts, which only their author sees until they publish all of them', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const path = at(`/${iid}`);
    const page = (as = dave, end = '') => as.get(`${path}${end}`);
    const review = { review: 'on' };
    await mary.press((await page(mary)).form('Comment'), { body: 'Why?', thread: 'on' });
    const notes = `${code.path}/merge_requests/${iid}/notes?activity_filter=only_comments`;
    const comments = async () => (await rest('GET', notes, { token: tokens.maintainer })).body as object[];
    // About the whole, as a reply, and on a line.
    expect((await page()).text).not.toContain('Publish review');
    const whole = await dave.press((await page()).form('Comment'), { ...review, body: 'All *in* all' });
    expect([whole.status, whole.location]).toEqual([303, expect.stringMatching(/#draft_note_\d+$/)]);
    expect((await page()).text).toContain('The comment is added to your review.');
    const reply = await dave.press((await page()).form('Send the reply'), { ...review, reply: 'Because.' });
    expect(reply.location).toMatch(/#draft_note_\d+$/);
    const line = `?${new URLSearchParams({ file: `${source}.txt`, line: '-2' }).toString()}`;
    const onLine = (await page(dave, `/diffs${line}`)).form('Comment');
    const sent = await dave.press(onLine, { ...review, body: `Here ${hostile}` });
    expect(sent.location).toMatch(/\/diffs#draft_note_\d+$/);
    const mine = await page();
    expect(mine.html.match(/Draft, only you see it/g)).toHaveLength(3);
    expect(mine.html).toContain('All <em>in</em> all');
    expect(mine.html).not.toContain('<script>alert');
    expect(mine.text).toContain(`On ${source}.txt , line 2`);
    expect(mine.text).toContain('Publish review (3)');
    // The reply is below its thread, before the form of the next reply.
    const inOrder = ({ html }: { html: string }, parts: readonly string[]) => {
      const places = parts.map((part) => html.indexOf(part));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    };
    inOrder(mine, ['Why?', 'Because.', 'name="reply"', 'All <em>in</em> all']);
    // The page of the thread has it too, and adds to the review.
    const thread = /action="[^"]*(\/discussions\/\w+)\/reply"/.exec(mine.html)![1]!;
    const ofThread = await page(dave, thread);
    inOrder(ofThread, ['Why?', 'Because.', 'Add to review']);
    expect(ofThread.html.match(/Draft, only you see it/g)).toHaveLength(1);
    for (const other of [await page(mary, thread), await page(anyone, thread)])
      expect(other.text).not.toContain('Because.');
    const second = await dave.press(ofThread.form('Send the reply'), { ...review, reply: 'Moreover.' });
    expect((await page(dave, thread)).text).toContain('Moreover.');
    const { 1: deleting } = /#draft_note_(\d+)$/.exec(second.location!)!;
    await dave.press((await page(dave, `/draft_notes/${deleting}/delete`)).form('Delete the draft'));
    const changes = await page(dave, '/diffs');
    expect(changes.text).toContain('Publish review (3)');
    expect(changes.html.match(/Draft, only you see it/g)).toHaveLength(1);
    expect(await comments()).toHaveLength(1);
    const id = /#draft_note_(\d+)$/.exec(whole.location!)![1]!;
    for (const other of [mary, guest, anyone]) {
      for (const end of ['', '/diffs']) {
        const { text } = await page(other, end);
        expect(text).not.toContain('Publish review');
        expect(text).not.toContain('only you see it');
      }
      if (other !== anyone) expect((await page(other, `/draft_notes/${id}/edit`)).status).toBe(404);
    }
    // What is refused is shown again.
    const form = (await page()).form('Comment');
    expect((await dave.press(form, { ...review, body: ' ' })).status).toBe(422);
    const internal = await dave.press(form, { ...review, body: 'For us', internal: 'on' });
    expect([internal.status, internal.text]).toEqual([422, expect.stringContaining('can’t be internal in a review')]);
    expect((await dave.press(onLine, { ...review, body: '' })).status).toBe(422);
    // They are edited and deleted.
    const edit = await page(dave, `/draft_notes/${id}/edit`);
    expect((await dave.press(edit.form('Save changes'), { body: ' ' })).status).toBe(422);
    expect((await dave.press(edit.form('Save changes'), { body: 'Fine' })).location).toBe(whole.location);
    const other = await page(dave, `/draft_notes/${/(\d+)$/.exec(sent.location!)![1]}/delete`);
    expect((await dave.press(other.form('Delete the draft'))).location).toBe(`${path}#activity`);
    expect((await page()).text).toContain('Publish review (2)');
    // All are published, or none: the thread of a reply may be gone.
    const publish = (await page()).form('Publish review');
    await gateway.sql(
      "update draft_notes set discussion_id = decode(repeat('ab', 20), 'hex') where discussion_id is not null",
    );
    const refused = await dave.press(publish);
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/Draft note \d+ can.*t be published/)]);
    expect(await comments()).toHaveLength(1);
    await gateway.sql('update draft_notes set discussion_id = null');
    expect((await dave.press(publish)).location).toBe(`${path}#activity`);
    expect((await page()).text).toContain('Your review is published.');
    expect(await comments()).toHaveLength(3);
    expect((await page(anyone)).text).toContain('Because.');
    expect((await page()).text).not.toContain('Publish review');
    expect((await page(dave, `/draft_notes/${id}/edit`)).status).toBe(404);
  });

  test('is reviewed without a draft of commands that do nothing, which stays and says so', async () => {
    const iid = await opened();
    const path = at(`/${iid}`);
    const draft = (body: string) =>
      rest('POST', `${code.path}/merge_requests/${iid}/draft_notes`, { token: tokens.developer, json: { note: body } });
    expect((await draft('/reopen')).status).toBe(201);
    const alone = await dave.press((await dave.get(path)).form('Publish review'));
    expect([alone.status, alone.text]).toEqual([422, expect.stringContaining('Failed to apply commands.')]);
    await draft('Looks good');
    const { status, location } = await dave.press((await dave.get(path)).form('Publish review'));
    expect([status, location]).toEqual([303, expect.stringMatching(/#draft_note_\d+$/)]);
    const after = await dave.get(path);
    expect(after.text).toContain('What has only commands, none of which does anything now, stays a draft');
    expect(after.text).toContain('Publish review (1)');
    expect((await mary.get(path)).text).toContain('Looks good');
    await draft('Really');
    const publish = `${code.path}/merge_requests/${iid}/draft_notes/bulk_publish`;
    expect((await rest('POST', publish, { token: tokens.developer })).status).toBe(204);
    expect((await mary.get(path)).text).toContain('Really');
    expect((await dave.get(path)).text).toContain('Publish review (1)');
  });
});

test('to-dos of merge requests say why they arose', async () => {
  const iid = await opened({ title: 'Look at it', reviewer_ids: [3] });
  const list = await dave.get('/dashboard/todos');
  expect(list.text).toContain(`Mary Maintainer asked you to review ${code.fullPath}!${iid}`);
  const own = await opened({ title: 'Clash', assignee_id: 2 });
  await gateway.sql(
    `update todos set action = 'UNMERGEABLE' where merge_request_id = (select id from merge_requests where project_id = $1 and iid = $2)`,
    [code.id, own],
  );
  expect((await mary.get('/dashboard/todos')).text).toContain(`It can’t be merged any more: ${code.fullPath}!${own}`);
  await rest('PUT', `${code.path}/merge_requests/${iid}/merge`, { token: tokens.maintainer });
  const lists = [await dave.get('/dashboard/todos'), await dave.get('/dashboard/todos?state=done')];
  expect(lists.map(({ text }) => text).join(' ')).toContain('Look at it Merged');
});

describe('the forms', () => {
  test('propose a title by the commit of the branch, and create one', async () => {
    const source = await branch();
    const form = (await mary.get(at(`/new?source=${source}`))).form('Create merge request');
    expect(form.fields).toMatchObject({ source_branch: source, target_branch: 'main', title: `Add ${source}` });
    const missing = await mary.press(form, { source_branch: 'nowhere', assignee: 'nobody-at-all' });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain('No user has this username.');
    expect((await mary.press(form, { source_branch: '<b>nowhere' })).text).toContain('This branch isn’t there.');
    expect((await mary.press(form, { title: ' ' })).text).toContain('The title can');
    const made = await mary.press(form, {
      title: 'A new one',
      description: 'Line\r\nLine',
      draft: 'on',
      assignee: '@developer',
      reviewer: 'maintainer',
    });
    expect(made.status).toBe(303);
    const iid = made.location!.split('/').at(-1)!;
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    expect(body).toMatchObject({
      title: 'Draft: A new one',
      description: 'Line\nLine',
      assignee: { username: 'developer' },
      reviewers: [{ username: 'maintainer' }],
    });
    const second = await mary.press(form);
    expect(second.status).toBe(422);
    expect(second.text).toContain('Another open merge request already exists');
    expect((await anyone.get(at('/new'))).location).toContain('/users/sign_in');
    expect((await guest.get(at('/new'))).status).toBe(403);
    expect((await dave.get(at('/new'))).status).toBe(200);
    for (const [role, status] of [
      ['PLANNER', 403],
      ['REPORTER', 200],
    ] as const) {
      const password = `password of a ${role}`;
      await addMember(gateway, await newUser(gateway, `a-${role.toLowerCase()}`, { password }), role, {
        project: String(code.id),
      });
      const member = await signIn(gateway, `a-${role.toLowerCase()}`, password);
      expect([role, (await member.get(at('/new'))).status]).toEqual([role, status]);
    }
  });

  test('change one, and only what the person changed', async () => {
    const iid = await opened({ labels: 'speed' });
    const edit = (await mary.get(at(`/${iid}/edit`))).form('Save changes');
    const token = tokens.maintainer;
    await rest('PUT', `${code.path}/merge_requests/${iid}`, { token, json: { title: 'By another' } });
    const label = Object.keys(edit.fields).find((name) => name.startsWith('label.'))!;
    const saved = await mary.press(
      { ...edit, fields: Object.fromEntries(Object.entries(edit.fields).filter(([name]) => name !== label)) },
      { description: 'New', squash: 'on' },
    );
    expect(saved.location).toBe(at(`/${iid}`));
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token });
    expect(body).toMatchObject({ title: 'By another', description: 'New', squash: true, labels: [] });
    const outdated = await mary.press(edit, { description: 'Other' });
    expect(outdated.status).toBe(422);
    expect(outdated.text).toContain('Someone else changed the description');
    expect((await guest.get(at(`/${iid}/edit`))).status).toBe(403);
  });

  test('find labels and milestones beyond the first hundred', async () => {
    const { id, path, fullPath, ...other } = await newCode(gateway, {});
    await other.commit({ 'README.md': 'one\n' }, { commit_message: 'Begin' });
    await other.branch('shelf');
    await other.commit({ 'shelf.txt': 'bent\n' }, { branch: 'shelf', commit_message: 'Add a shelf' });
    await fillWithChoices(gateway, id);
    const form = (await mary.get(`/${fullPath}/-/merge_requests/new?source=shelf`)).form('Create merge request');
    const found = await mary.press(form, { description: 'Typed', find_labels: '130', find_milestones: '130' });
    expect([found.status, found.text]).toEqual([200, expect.stringContaining('One matches. Nothing is saved yet.')]);
    const label = found.form('Create merge request').controls.find(({ name }) => name.startsWith('label.'));
    const milestone = /<option value="(\d+)">Milestone 130</.exec(found.html)![1]!;
    const made = await mary.press(found.form('Create merge request'), { [label!.name]: 'on', milestone });
    expect(made.status).toBe(303);
    const written = async () => (await rest('GET', `${path}/merge_requests/1`, { token: tokens.maintainer })).body;
    const all = { description: 'Typed', labels: ['Label 130'], milestone: { title: 'Milestone 130' } };
    expect(await written()).toMatchObject(all);
    const edit = (await mary.get(`${made.location!}/edit`)).form('Save changes');
    const more = await mary.press(edit, { find_labels: '129', find: 'labels' });
    const next = more.form('Save changes').controls.find(({ name }) => name.startsWith('label.') && !edit.fields[name]);
    expect((await mary.press(more.form('Save changes'), { [next!.name]: 'on' })).status).toBe(303);
    expect(await written()).toMatchObject({ ...all, labels: ['Label 129', 'Label 130'] });
  });

  test('are offered on the page of branches and after a comparison', async () => {
    const source = await branch();
    const href = `href="${at(`/new?source=${source}`)}"`;
    expect((await mary.get(`/${code.fullPath}/-/branches`)).html).toContain(href);
    expect((await anyone.get(`/${code.fullPath}/-/branches`)).html).not.toContain(href);
    const compared = `/${code.fullPath}/-/compare/main...${source}`;
    expect((await mary.get(compared)).html).toContain(`${at('/new')}?source=${source}&amp;target=main`);
    expect((await guest.get(compared)).html).not.toContain(at('/new'));
  });
});

describe('the changes', () => {
  test('are shown unified and side by side, and are commented on line by line', async () => {
    const odd = 'here/<i>odd</i> & "name".txt';
    const source = await branch({ [odd]: '<u>text</u>\n' });
    await code.commit(
      {},
      { branch: source, actions: [{ action: 'update', file_path: 'README.md', content: `one\n2 & <3>\n${source}\n` }] },
    );
    const iid = await opened({ source_branch: source });
    const path = at(`/${iid}/diffs`);
    const unified = await anyone.get(path);
    expect(unified.status).toBe(200);
    expect(unified.html).toContain('&lt;u>text&lt;/u>');
    expect(unified.html).toContain('here/&lt;i>odd&lt;/i> &amp; &quot;name&quot;.txt');
    expect(unified.html).not.toContain('<u>text');
    expect(unified.html).not.toContain('<i>odd');
    expect(unified.text).toContain('3 changed files');
    expect(unified.html).not.toContain('Comment on line');
    const parallel = await anyone.get(`${path}?view=parallel`);
    expect(parallel.html).toContain('class="hunks parallel"');
    const line = new URLSearchParams({ file: odd, line: '-1' }).toString();
    const asked = await dave.get(`${path}?${line}`);
    expect(asked.text).toContain(`Comment on line 1 of ${odd}`);
    const form = asked.form('Comment');
    expect((await dave.press(form, { body: '' })).status).toBe(422);
    // No line has the form then: what was typed goes to that about the whole.
    const wrongs: Record<string, string>[] = [{ line: '-77' }, { line: '-77', review: 'on' }, { head: '0'.repeat(40) }];
    for (const wrong of wrongs) {
      const gone = await dave.press({ ...form, fields: { ...form.fields, ...wrong } }, { body: 'Where?' });
      expect([gone.status, gone.text]).toEqual([422, expect.stringContaining('The line isn’t part of the changes')]);
      expect(gone.html).toContain('>Where?</textarea>');
    }
    const commanded = await dave.press(form, { body: '/todo' });
    expect([commanded.status, commanded.location]).toEqual([303, path]);
    expect((await dave.press(form, { body: '/estimate 2h' })).location).toBe(path);
    const nothing = await dave.press(form, { body: '/reopen' });
    expect([nothing.status, nothing.text]).toEqual([422, expect.stringContaining('Failed to apply commands.')]);
    const sent = await dave.press(form, { body: 'About *this* line' });
    expect(sent.location).toMatch(/\/diffs#note_\d+$/);
    const shown = await guest.get(path);
    expect(shown.html).toContain('About <em>this</em> line');
    expect((await anyone.get(`${path}?${line}`)).text).not.toContain('Comment on line 1 of');
    // A push: the version before it stays.
    await code.commit({ 'pushed.txt': 'pushed\n' }, { branch: source });
    const now = await dave.get(path);
    expect(now.text).toContain('4 changed files');
    // The line that one was about to comment on is gone.
    const actions = [{ action: 'delete', file_path: odd }];
    await code.commit({}, { branch: source, actions });
    const late = await dave.press(form, { body: '/reopen' });
    expect([late.status, late.text]).toEqual([
      422,
      expect.stringContaining('Failed to apply commands. The line isn’t part of the changes'),
    ]);
    const whole = late.forms.find(({ button, action }) => button === 'Comment' && action === at(`/${iid}/notes`))!;
    expect(whole.fields).toMatchObject({ body: '/reopen' });
    expect((await dave.press(whole, { body: 'About the *file*' })).status).toBe(303);
    expect((await guest.get(at(`/${iid}`))).html).toContain('About the <em>file</em>');
    const [earlier] = /<option value="(\d+)"/.exec(now.html)!.slice(1);
    const before = await dave.get(`${path}?version=${earlier}`);
    expect(before.text).toContain('This is an earlier version');
    expect(before.text).toContain('3 changed files');
    expect((await dave.get(`${path}?version=999999`)).status).toBe(404);
    expect((await dave.get(`${path}?version=x`)).status).toBe(404);
  });

  test('have the pages of their commits and pipelines', async () => {
    const source = await branch();
    const iid = await opened({ source_branch: source });
    const commits = await anyone.get(at(`/${iid}/commits`));
    expect(commits.status).toBe(200);
    expect(commits.text).toContain(`Add ${source}`);
    const { body } = await rest('GET', `${code.path}/merge_requests/${iid}`, { token: tokens.maintainer });
    const status = await rest('POST', `${code.path}/statuses/${(body as { sha: string }).sha}`, {
      token: tokens.maintainer,
      json: { state: 'running', name: 'build <b>', ref: source },
    });
    expect(status.status, status.text).toBe(201);
    const pipelines = await mary.get(at(`/${iid}/pipelines`));
    expect(pipelines.status).toBe(200);
    expect(pipelines.text).toMatch(/Pipeline #\d+/);
    const overview = await mary.get(at(`/${iid}`));
    expect(overview.text).toContain('build <b>');
    const waiting = await mary.press(overview.form('Merge when the pipeline succeeds'));
    expect(waiting.status).toBe(303);
    expect((await mary.get(at(`/${iid}`))).text).toContain('It will be merged by itself once its pipeline succeeds');
    expect((await mary.press((await mary.get(at(`/${iid}`))).form('Cancel merging by itself'))).status).toBe(303);
  });

  test('say that no runner took the jobs of their pipeline, and are merged without it', async () => {
    const source = await branch();
    const file = `${code.path}/repository/files/.gitlab-ci.yml`;
    const json = { branch: source, content: 'test: { script: make test }', commit_message: 'Test it' };
    expect((await rest('POST', file, { token: tokens.maintainer, json })).status).toBe(201);
    const iid = await opened({ source_branch: source });
    const inApi = `${code.path}/merge_requests/${iid}`;
    await expect
      .poll(async () => (await rest('GET', inApi, { token: tokens.maintainer })).body.head_pipeline?.status)
      .toBe('pending');
    const overview = await mary.get(at(`/${iid}`));
    expect(overview.text).toContain('no runner has taken its jobs yet');
    expect(overview.html).toMatch(/<a href="[^"]*\/-\/runners">Attach a runner<\/a>/);
    expect(overview.text).toContain('Merge now');
    const form = overview.form('Merge when the pipeline succeeds');
    expect((await mary.press(form, { at_once: 'on' })).status).toBe(303);
    expect((await rest('GET', inApi, { token: tokens.maintainer })).body.state).toBe('merged');
  });

  test('are merged from a moment on, which the page names', async () => {
    const iid = await opened({ merge_after: '2121-02-03T04:05:00Z' });
    const early = await mary.get(at(`/${iid}`));
    expect(early.text).toContain('It isn’t merged before 3 February 2121 at 04:05 UTC');
    expect((await mary.press(early.form('Merge from then on'))).status).toBe(303);
    expect((await mary.get(at(`/${iid}`))).text).toContain('and not before 3 February 2121 at 04:05 UTC');
  });

  test('take that moment from their forms, by the clocks of the person', async () => {
    mary.cookies.set('causeway_zone', 'Asia/Tokyo');
    try {
      const form = (await mary.get(at(`/new?source=${await branch()}`))).form('Create merge request');
      const wrong = await mary.press(form, { merge_after: '2121-02-30T13:05' });
      expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This isn’t a date and time.')]);
      expect(wrong.form('Create merge request').fields).toMatchObject({ merge_after: '2121-02-30T13:05' });
      const { location } = await mary.press(form, { merge_after: '2121-02-03T13:05' });
      const inApi = `${code.path}/merge_requests/${location!.split('/').at(-1)!}`;
      const moment = async () => (await rest('GET', inApi, { token: tokens.maintainer })).body.merge_after;
      expect(await moment()).toBe('2121-02-03T04:05:00.000Z');
      expect((await mary.get(location!)).text).toContain('Not merged before 3 February 2121 at 13:05 GMT+9');
      const edit = (await mary.get(`${location!}/edit`)).form('Save changes');
      expect(edit.fields).toMatchObject({ merge_after: '2121-02-03T13:05' });
      await rest('PUT', inApi, { token: tokens.maintainer, json: { merge_after: '2121-02-03T04:05:06Z' } });
      expect((await mary.press(edit, { title: 'Of another name' })).status).toBe(303);
      expect(await moment()).toBe('2121-02-03T04:05:06.000Z');
      expect((await mary.press(edit, { merge_after: '2121-02-31T13:05' })).status).toBe(422);
      expect((await mary.press(edit, { merge_after: '' })).status).toBe(303);
      expect(await moment()).toBeNull();
      expect((await mary.get(location!)).text).not.toContain('Not merged before');
      // By these clocks that is in the year 10000.
      const never = '9999-12-31T23:59:59.000Z';
      await rest('PUT', inApi, { token: tokens.maintainer, json: { merge_after: never } });
      const far = (await mary.get(`${location!}/edit`)).form('Save changes');
      expect((await mary.press(far, { title: 'Never' })).status).toBe(303);
      expect(await moment()).toBe(never);
    } finally {
      mary.cookies.delete('causeway_zone');
    }
  });

  test('say to an author who may not merge that another moment ends the automatic merge', async () => {
    const iid = await opened({ merge_after: '2121-02-03T04:05:00Z' }, tokens.developer);
    const says = 'Another one ends its automatic merge';
    expect((await dave.get(at(`/${iid}/edit`))).text).not.toContain(says);
    expect((await mary.press((await mary.get(at(`/${iid}`))).form('Merge from then on'))).status).toBe(303);
    expect((await mary.get(at(`/${iid}/edit`))).text).not.toContain(says);
    const edit = await dave.get(at(`/${iid}/edit`));
    expect(edit.text).toContain(says);
    const planned = 'It will be merged by itself';
    expect((await dave.press(edit.form('Save changes'), { title: 'Of another name' })).status).toBe(303);
    expect((await dave.get(at(`/${iid}`))).text).toContain(planned);
    expect((await dave.press(edit.form('Save changes'), { merge_after: '2121-01-01T00:00' })).status).toBe(303);
    expect((await dave.get(at(`/${iid}`))).text).not.toContain(planned);
  });
});
