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
