import { describe, expect, test, vi } from 'vitest';
import { newCode, type Code } from '../repository/support/code.ts';
import { newProject } from '../repository/support/project.ts';
import { testGateway } from '../support/gateway.ts';
import { opened } from './support/opened.ts';

/** Issues and merge requests say which commits refer to them. */

const gateway = await testGateway();
const { rest, tokens, sql } = gateway;
const token = tokens.maintainer;

interface Note {
  readonly id: number;
  readonly body: string;
  readonly author: { readonly username: string };
}

const notes = async (path: string, by = token) =>
  (await rest('GET', `${path}/notes?sort=asc`, { token: by })).body as Note[];
const texts = async (path: string, by = token) =>
  (await notes(path, by)).map(({ body }) => body).filter((body) => body.startsWith('mentioned in commit'));
/** Waits until background work has written as many. */
const noted = (path: string, expected: readonly string[]) =>
  vi.waitFor(async () => expect(await texts(path)).toEqual(expected), 10_000);

async function issueIn({ path }: { readonly path: string }, title = 'Leaks'): Promise<string> {
  const { body } = await rest('POST', `${path}/issues`, { token, json: { title } });
  return `${path}/issues/${(body as { iid: number }).iid}`;
}

let count = 0;
const pushed = (code: Code, message: string, branch = 'main') =>
  code.commit({ [`file-${++count}.txt`]: 'x\n' }, { branch, commit_message: message });

describe('a commit that refers to issues and merge requests', () => {
  test('is noted on each, once, whatever branches it arrives on', async () => {
    const [code, other] = [await newCode(gateway), await newCode(gateway)];
    await pushed(code, 'The first');
    const [issue, second, elsewhere] = [await issueIn(code), await issueIn(code), await issueIn(other)];
    await code.branch('topic');
    const sha = await pushed(code, `Stop it\n\nSee #1, #99 and ${other.fullPath}#1.`, 'topic');
    const one = await opened(gateway, code);
    const next = await pushed(code, 'More for !1 and #2', 'topic');
    await noted(issue, [`mentioned in commit ${sha}`]);
    await noted(second, [`mentioned in commit ${next}`]);
    await noted(elsewhere, [`mentioned in commit ${code.fullPath}@${sha}`]);
    await noted(one.path, [`mentioned in commit ${next}`]);
    expect((await notes(issue))[0]!.author.username).toBe('maintainer');
    // On another branch, and when the job is repeated.
    await code.branch('another', 'topic');
    await sql('update repositories set followed = 0 where project_id = $1', [code.id]);
    const last = await pushed(code, 'Again #2', 'another');
    await noted(second, [`mentioned in commit ${next}`, `mentioned in commit ${last}`]);
    expect(await texts(issue)).toEqual([`mentioned in commit ${sha}`]);
    expect(await texts(elsewhere)).toHaveLength(1);
    // Those of a merge, which name the merge request, and what it closes.
    await rest('PUT', `${one.path}/merge`, { token });
    await vi.waitFor(async () => expect(await texts(one.path)).toHaveLength(2), 10_000);
    expect(await texts(issue)).toHaveLength(1);
  });

  test('is a link on the page', async () => {
    const code = await newCode(gateway, { visibility: 'public' });
    await pushed(code, 'The first');
    const issue = await issueIn(code);
    const sha = await pushed(code, 'Like #1');
    await noted(issue, [`mentioned in commit ${sha}`]);
    const page = await fetch(`${gateway.url}/${code.fullPath}/-/issues/1`);
    expect(await page.text()).toMatch(
      new RegExp(`mentioned in commit <a href="[^"]*/${code.fullPath}/-/commit/${sha}"[^>]*>${sha.slice(0, 8)}</a>`),
    );
  });

  test('closes an issue, which says what did it', async () => {
    const code = await newCode(gateway);
    await pushed(code, 'The first');
    const issue = await issueIn(code);
    const sha = await pushed(code, 'Fixes #1');
    await noted(issue, [`mentioned in commit ${sha}`]);
    expect((await rest('GET', issue, { token })).body).toMatchObject({ state: 'closed' });
  });

  test('stays hidden from people who don’t read its project, also on a copy of the issue', async () => {
    const shown = await newCode(gateway, { visibility: 'public' });
    const hidden = await newCode(gateway, { visibility: 'private' });
    const target = await newCode(gateway, { visibility: 'public' });
    const issue = await issueIn(shown);
    await pushed(hidden, 'The first');
    const sha = await pushed(hidden, `A secret, see ${shown.fullPath}#1`);
    const text = `mentioned in commit ${hidden.fullPath}@${sha}`;
    await noted(issue, [text]);
    const [{ id }] = (await notes(issue)) as [Note];
    expect(await texts(issue, tokens.guest)).toEqual([]);
    expect((await rest('GET', `${issue}/notes/${id}`, { token: tokens.guest })).status).toBe(404);
    expect((await rest('GET', `${issue}/notes/${id}/award_emoji`, { token: tokens.guest })).status).toBe(404);
    expect((await rest('GET', `${issue}/notes/${id}/award_emoji`, { token })).status).toBe(200);
    const discussions = await rest('GET', `${issue}/discussions`, { token: tokens.guest });
    expect(discussions.body).toEqual([]);
    const moved = await rest('POST', `${issue}/move`, { token, json: { to_project_id: target.id } });
    const copy = `${target.path}/issues/${(moved.body as { iid: number }).iid}`;
    expect(await texts(copy)).toEqual([text]);
    expect(await texts(copy, tokens.guest)).toEqual([]);
    // Its code is for members only, or it is gone.
    await rest('PUT', hidden.path, { token, json: { visibility: 'public' } });
    expect(await texts(issue, tokens.guest)).toEqual([text]);
    await rest('PUT', hidden.path, {
      token,
      json: {
        repository_access_level: 'private',
        merge_requests_access_level: 'private',
        builds_access_level: 'private',
      },
    });
    expect(await texts(issue, tokens.guest)).toEqual([]);
  });

  test('says nothing where the person who pushes it doesn’t read', async () => {
    const [code, hidden] = [await newCode(gateway), await newProject(gateway)];
    const [issue, own] = [await issueIn(hidden), await issueIn(code)];
    await pushed(code, 'The first');
    await code.branch('topic');
    const json = {
      branch: 'topic',
      commit_message: `See ${hidden.fullPath}#1 and #1`,
      author_name: 'maintainer',
      author_email: 'maintainer@example.test',
      actions: [{ action: 'create', file_path: 'x.txt', content: 'x' }],
    };
    const made = await rest('POST', `${code.path}/repository/commits`, { token: tokens.developer, json });
    expect(made.status).toBe(201);
    await noted(own, [`mentioned in commit ${(made.body as { id: string }).id}`]);
    expect((await notes(own))[0]!.author.username).toBe('developer');
    expect(await texts(issue)).toEqual([]);
  });

  test('is noted as well when a comment on it refers to them', async () => {
    const code = await newCode(gateway);
    const sha = await pushed(code, 'The first, for #1');
    const issue = await issueIn(code);
    const comment = (note: string) =>
      rest('POST', `${code.path}/repository/commits/${sha}/comments`, { token: tokens.developer, json: { note } });
    expect((await comment('See #1')).status).toBe(201);
    expect((await comment('As I said: #1')).status).toBe(201);
    expect(await texts(issue)).toEqual([`mentioned in commit ${sha}`]);
  });
});

test('a note about a hidden merge request stays hidden on a copy of its issue', async () => {
  const shown = await newCode(gateway, { visibility: 'public' });
  const hidden = await newCode(gateway, { visibility: 'private' });
  const target = await newCode(gateway, { visibility: 'public' });
  const issue = await issueIn(shown);
  await pushed(hidden, 'The first');
  await hidden.branch('topic');
  await pushed(hidden, 'Another', 'topic');
  await opened(gateway, hidden, { description: `For ${shown.fullPath}#1` });
  const moved = await rest('POST', `${issue}/move`, { token, json: { to_project_id: target.id } });
  const copy = `${target.path}/issues/${(moved.body as { iid: number }).iid}`;
  const bodies = async (by: string) => (await notes(copy, by)).map(({ body }) => body);
  expect(await bodies(token)).toContain(`mentioned in merge request ${hidden.fullPath}!1`);
  expect(await bodies(tokens.guest)).not.toContain(`mentioned in merge request ${hidden.fullPath}!1`);
});
