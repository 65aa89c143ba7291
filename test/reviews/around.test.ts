import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { wakeSending } from '../../src/schema/notifications/delivery/statements/settle.ts';
import { reviewDocuments } from '../graphql/review-documents.ts';
import { newProject } from '../repository/support/project.ts';
import { testGateway } from '../support/gateway.ts';
import { subscribe } from '../support/requests/event-stream.ts';
import { whileHeld } from '../support/databases/held.ts';
import { newTopic, opened } from './support/opened.ts';
import { quiet } from './support/sound.ts';

/** What is around a merge request: raw diffs, context commits, reviewers, issues that it names, pushes, conflicts, watchers. */

const gateway = await testGateway();
const { rest, tokens, sql } = gateway;
const token = tokens.maintainer;

const read = async (path: string, by = token) => (await rest('GET', path, { token: by })).body;
const idOf = async (by: string) => (await read('/api/v4/user', by)).id as number;
const notesOf = async (path: string) =>
  ((await read(`${path}/notes?sort=asc&order_by=created_at`)) as { body: string }[]).map(({ body }) => body);

describe('a merge request', () => {
  test('shows its changes as git prints them', async () => {
    const project = await newTopic(gateway);
    await project.commit({ 'a"<b>.txt': 'odd\n' }, { branch: 'topic' });
    const one = await opened(gateway, project);
    const raw = await rest('GET', `${one.path}/raw_diffs`, { token });
    expect([raw.status, raw.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(raw.text).toContain('diff --git a/b.txt b/b.txt\nnew file mode 100644\n');
    expect(raw.text).toContain('--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n');
    expect(raw.text).toContain('"a/a\\"<b>.txt"');
    const empty = await opened(gateway, project, { source_branch: 'nowhere' });
    const none = await rest('GET', `${empty.path}/raw_diffs`, { token });
    expect([none.status, none.text]).toEqual([200, '']);
    expect((await rest('GET', `${one.path}/raw_diffs`, { token: tokens.guest })).status).toBe(404);
    for (const iid of ['99', 'none']) {
      const missing = await rest('GET', one.path.replace(/\d+$/, `${iid}/raw_diffs`), { token });
      expect([missing.status, missing.body]).toEqual([404, expect.objectContaining({ message: '404 Not found' })]);
    }
  });

  test('has context commits, which are not part of the change', async () => {
    const project = await newTopic(gateway);
    const { base, head } = project;
    const one = await opened(gateway, project);
    const path = `${one.path}/context_commits`;
    expect(await read(path)).toEqual([]);
    const added = await rest('POST', path, { token, json: { commits: [base.slice(0, 12)] } });
    expect([added.status, added.body]).toEqual([201, [expect.objectContaining({ id: base })]]);
    expect((await rest('POST', path, { token, json: { commits: [base] } })).status).toBe(201);
    const listed = await rest('GET', path, { token });
    expect([listed.headers.get('x-total'), listed.body]).toEqual(['1', [expect.objectContaining({ id: base })]]);
    expect((await read(`${one.path}/commits`)).map(({ id }: { id: string }) => id)).toEqual([head]);
    const refused = async (verb: 'POST' | 'DELETE', json: object, by = token) => {
      const { status, body } = await rest(verb, path, { token: by, json });
      return [status, body.message ?? body.error];
    };
    const invalid = "One or more context commits' sha is not valid.";
    expect(await refused('POST', { commits: ['main'] })).toEqual([400, invalid]);
    expect(await refused('POST', { commits: ['0'.repeat(40), base] })).toEqual([400, invalid]);
    expect(await refused('POST', { commits: Array(21).fill(base) })).toEqual([
      400,
      'Context commits array size should not be more than 20',
    ]);
    expect(await refused('POST', {})).toEqual([400, 'commits is missing']);
    expect(await refused('DELETE', { commits: [head] })).toEqual([400, invalid]);
    expect((await refused('POST', { commits: [base] }, tokens.guest))[0]).toBe(404);
    expect((await rest('DELETE', path, { token, json: { commits: [base] } })).status).toBe(204);
    expect(await read(path)).toEqual([]);
  });

  test('says how far its reviewer has come', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project, { reviewer_ids: [await idOf(tokens.developer)] });
    const path = `${one.path}/reviewers`;
    const state = async () => {
      const [found, ...others] = (await read(path)) as { user: { username: string }; state: string }[];
      return [found!.user.username, found!.state, others.length];
    };
    expect(await state()).toEqual(['developer', 'unreviewed', 0]);
    await rest('POST', `${one.path}/notes`, { token: tokens.developer, json: { body: 'Fine' } });
    expect(await state()).toEqual(['developer', 'reviewed', 0]);
    await rest('POST', `${one.path}/approve`, { token: tokens.developer });
    expect(await state()).toEqual(['developer', 'approved', 0]);
    await rest('POST', `${one.path}/unapprove`, { token: tokens.developer });
    expect(await state()).toEqual(['developer', 'unapproved', 0]);
    await rest('PUT', one.path, { token, json: { reviewer_ids: [] } });
    expect(await read(path)).toEqual([]);
    const reset = await rest('PUT', `${one.path}/reset_approvals`, { token });
    expect([reset.status, reset.body]).toEqual([401, { message: '401 Unauthorized' }]);
  });

  test('names issues in its title and description: they show it, and it shows them', async () => {
    const project = await newTopic(gateway);
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five'])
      await rest('POST', `${project.path}/issues`, { token, json: { title } });
    const one = await opened(gateway, project, { description: 'Closes #1, like #2' });
    const numbers = async (path: string) => ((await read(path)) as { iid: number }[]).map(({ iid }) => iid).toSorted();
    expect(await numbers(`${one.path}/closes_issues`)).toEqual([1]);
    expect(await numbers(`${one.path}/related_issues`)).toEqual([1, 2]);
    expect(await numbers(`${project.path}/issues/2/related_merge_requests`)).toEqual([one.iid]);
    expect(await numbers(`${project.path}/issues/2/closed_by`)).toEqual([]);
    expect(await notesOf(`${project.path}/issues/2`)).toEqual([`mentioned in merge request !${one.iid}`]);
    // Said once, however often it is written.
    await rest('PUT', one.path, { token, json: { description: 'Like #2 and #3' } });
    expect(await notesOf(`${project.path}/issues/2`)).toHaveLength(1);
    expect(await notesOf(`${project.path}/issues/3`)).toEqual([`mentioned in merge request !${one.iid}`]);
    expect(await numbers(`${one.path}/related_issues`)).toEqual([1, 2, 3]);
    // Its title says it, too.
    await rest('PUT', one.path, { token, json: { title: 'A topic for #4' } });
    expect(await notesOf(`${project.path}/issues/4`)).toEqual([`mentioned in merge request !${one.iid}`]);
    const titled = { source_branch: 'topic', target_branch: 'another', title: 'Like #5' };
    await rest('POST', `${project.path}/merge_requests`, { token, json: titled });
    expect(await notesOf(`${project.path}/issues/5`)).toEqual([`mentioned in merge request !${one.iid + 1}`]);
    // What its author doesn't read stays as it is.
    const hidden = await newProject(gateway, { visibility: 'private' });
    await rest('POST', `${hidden.path}/issues`, { token, json: { title: 'Hidden' } });
    const json = { source_branch: 'topic', target_branch: 'other', title: 'x', description: `${hidden.fullPath}#1` };
    expect((await rest('POST', `${project.path}/merge_requests`, { token: tokens.developer, json })).status).toBe(201);
    expect(await notesOf(`${hidden.path}/issues/1`)).toEqual([]);
  });

  test('is opened for an issue by a command, with a branch of its own', async () => {
    const project = await newTopic(gateway);
    const named = { title: 'Wait for the tide: "A & É"', labels: 'speed' };
    await rest('POST', `${project.path}/issues`, { token, json: named });
    await rest('POST', `${project.path}/issues`, { token, json: { title: 'Secret', confidential: true } });
    const say = async (iid: number, body: string, by = tokens.developer) => {
      const answer = await rest('POST', `${project.path}/issues/${iid}/notes`, { token: by, json: { body } });
      return [answer.status, (answer.body as { summary?: string[] }).summary];
    };
    const made = [202, ['Created a branch and a merge request to resolve this issue.']];
    expect(await say(1, '/create_merge_request')).toEqual(made);
    expect(await say(1, '/create_merge_request')).toEqual(made);
    expect(await say(2, '/create_merge_request')).toEqual(made);
    expect(await say(1, '/create_merge_request tide')).toEqual([
      202,
      ["Created branch 'tide' and a merge request to resolve this issue."],
    ]);
    // There is such a branch, or there can't be.
    for (const name of ['tide', 'topic', 'no name', 'a..b'])
      expect((await say(1, `/create_merge_request ${name}`))[0]).toBe(400);
    const reporter = await idOf(tokens.guest);
    await rest('POST', `${project.path}/members`, { token, json: { user_id: reporter, access_level: 20 } });
    expect((await say(1, '/create_merge_request', tokens.guest))[0]).toBe(400);
    const json = { description: 'Soon.\n/create_merge_request later', state_event: 'close' };
    await rest('PUT', `${project.path}/issues/2`, { token: tokens.maintainer, json });
    expect((await say(2, '/create_merge_request'))[0]).toBe(400);
    const list = (await read(`${project.path}/merge_requests?sort=asc`)) as { iid: number; source_branch: string }[];
    expect(list.map(({ source_branch: name }) => name)).toEqual([
      '1-wait-for-the-tide-a-e',
      '1-wait-for-the-tide-a-e-2',
      '2-confidential-issue',
      'tide',
      'later',
    ]);
    expect(list[0]).toMatchObject({
      title: 'Draft: Resolve "Wait for the tide: "A & É""',
      description: 'Closes #1',
      target_branch: 'main',
      labels: ['speed'],
      author: { username: 'developer' },
      assignee: { username: 'developer' },
    });
    expect(list[2]).toMatchObject({ title: 'Draft: Resolve #2', description: 'Closes #2' });
    expect(await read(`${project.path}/merge_requests/1/closes_issues`)).toMatchObject([{ iid: 1 }]);
  });

  test('into a project that one doesn’t see is forbidden, and into none is not found', async () => {
    const project = await newTopic(gateway);
    const hidden = await newProject(gateway, { visibility: 'private' });
    const status = async (target: number) => {
      const json = { source_branch: 'topic', target_branch: 'main', title: 'x', target_project_id: target };
      const answer = await rest('POST', `${project.path}/merge_requests`, { token: tokens.developer, json });
      return [answer.status, answer.body.message];
    };
    expect(await status(hidden.id)).toEqual([403, '403 Forbidden']);
    expect(await status(2_000_000_000)).toEqual([404, '404 Not found']);
  });

  test('may have branches with long names', async () => {
    const project = await newTopic(gateway);
    const long = Array(5).fill('n'.repeat(100)).join('/');
    await project.branch(long, 'topic');
    const one = await opened(gateway, project, { source_branch: long });
    expect(one.record).toMatchObject({ source_branch: long, sha: project.head });
  });
});

describe('a merge request from a fork', () => {
  const forkOf = async (project: { readonly id: number; readonly path: string }, by = tokens.guest) => {
    const { body: fork } = await rest('POST', `${project.path}/fork`, { token: by, json: {} });
    const path = `/api/v4/projects/${fork.id}`;
    await vi.waitFor(async () => expect((await read(path, by)).import_status).toBe('finished'), 15_000);
    const json = { branch: 'mine', ref: 'main' };
    expect((await rest('POST', `${path}/repository/branches`, { token: by, json })).status).toBe(201);
    const open = async (from: { readonly path: string }, as: string, values: object) => {
      const made = await rest('POST', `${from.path}/merge_requests`, { token: as, json: { title: 'Mine', ...values } });
      expect(made.status, made.text).toBe(201);
      return `/api/v4/projects/${made.body.project_id}/merge_requests/${made.body.iid}`;
    };
    return {
      path,
      intoSource: () =>
        open({ path }, by, { source_branch: 'mine', target_branch: 'main', target_project_id: project.id }),
      fromSource: () =>
        open(project, token, { source_branch: 'topic', target_branch: 'mine', target_project_id: fork.id }),
    };
  };
  const closed = (path: string) =>
    vi.waitFor(async () => expect((await read(path)).state).toBe('closed'), { timeout: 20_000, interval: 50 });

  test('is closed when the fork is removed', async () => {
    const project = await newTopic(gateway, { visibility: 'public' });
    const fork = await forkOf(project);
    const one = await fork.intoSource();
    const own = await opened(gateway, project);
    expect((await rest('DELETE', fork.path, { token: tokens.guest })).status).toBe(202);
    await closed(one);
    expect((await read(one)).closed_by).toMatchObject({ username: 'guest' });
    expect((await read(own.path)).state).toBe('opened');
  });

  test('is closed when the fork is no fork of the target any more, as is one into it', async () => {
    const project = await newTopic(gateway, { visibility: 'public' });
    const fork = await forkOf(project);
    const [there, back] = [await fork.intoSource(), await fork.fromSource()];
    expect((await rest('DELETE', `${fork.path}/fork`, { token: tokens.guest })).status).toBe(204);
    for (const one of [there, back]) await closed(one);
  });

  test('is closed when its author is removed', async () => {
    const project = await newTopic(gateway, { visibility: 'public' });
    const json = { username: 'leaver', name: 'Leaver', email: 'leaver@example.org', password: 'A long pass phrase 7' };
    const { body: person } = await rest('POST', '/api/v4/users', {
      token: tokens.root,
      json: { ...json, skip_confirmation: true },
    });
    const fork = await forkOf(project, await gateway.personalToken('leaver', ['api']));
    const one = await fork.intoSource();
    // A job may have it in hand just then.
    const held = ['select from merge_requests where author_id = $1 for update', person.id] as const;
    const remove = () => rest('DELETE', `/api/v4/users/${person.id}`, { token: tokens.root });
    const [removed] = await whileHeld(gateway, held, [remove]);
    expect(removed!.status).toBe(204);
    await closed(one);
    // The fork is removed after that.
    await vi.waitFor(async () => expect((await read(one)).source_project_id).toBeNull(), {
      timeout: 20_000,
      interval: 50,
    });
  });
});

describe('a push', () => {
  /** Keeps the jobs with a key from being claimed. @returns lets them go on */
  const hold = async (name: 'follow_references' | 'check_merge_requests', key: string) => {
    const [held] = await sql<{ id: string }>(
      `insert into jobs (name, payload, key, lease, run_at, priority, max_attempts)
       values ($1, '{}', $2, gen_random_uuid(), now() + interval '1 hour', 1, 1) returning id`,
      [name, key],
    );
    return async () => {
      await sql('delete from jobs where id = $1', [held!.id]);
      // The workers would look by themselves within seconds.
      await gateway.gateway.application.database.rows(wakeSending, []);
    };
  };
  /** Waits until all that was pushed was followed. */
  const followed = async ({ id }: { id: number }) => {
    const jobs = `select from jobs where name = 'follow_references' and key = $1`;
    await vi.waitFor(async () => expect(await sql(jobs, [String(id)])).toEqual([]), 10_000);
  };
  const unchecking = `update merge_requests set merge_status = 'UNCHECKED' where id = $1`;
  const checkedWith = async ({ id }: { id: number }) =>
    (
      await sql<{ merge_status: string; checked_target: string }>(
        'select merge_status::text as merge_status, checked_target from merge_requests where id = $1',
        [id],
      )
    )[0];

  test('of a commit that isn’t ready makes it a draft; the pusher has done what was to do', async () => {
    const project = await newTopic(gateway);
    const developer = await idOf(tokens.developer);
    const one = await opened(gateway, project, { assignee_ids: [developer], reviewer_ids: [developer] });
    const pending = async () =>
      (await read('/api/v4/todos', tokens.developer)).filter(
        (todo: { target: { id: number } }) => todo.target.id === one.id,
      );
    expect(await pending()).toHaveLength(2);
    const actions = [{ action: 'create', file_path: 'c.txt', content: 'c' }];
    const json = { branch: 'topic', commit_message: 'fixup! Change', actions };
    await rest('POST', `${project.path}/repository/commits`, { token: tokens.developer, json });
    await vi.waitFor(async () => {
      expect(await read(one.path)).toMatchObject({ title: 'Draft: A topic', draft: true });
      expect(await pending()).toEqual([]);
    }, 10_000);
    expect(await notesOf(one.path)).toContain('marked this merge request as **draft**');
  });

  test('that makes a conflict gives its author a to-do, once', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    const conflicts = async () =>
      ((await read('/api/v4/todos?action=unmergeable')) as { target: { id: number } }[]).filter(
        ({ target }) => target.id === one.id,
      ).length;
    const change = async (branch: string, content: string) => {
      const actions = [{ action: 'update', file_path: 'a.txt', content }];
      const json = { branch, commit_message: 'Change', actions };
      expect((await rest('POST', `${project.path}/repository/commits`, { token, json })).status).toBe(201);
    };
    await change('topic', 'mine\n');
    expect(await read(one.path)).toMatchObject({ has_conflicts: false });
    // The target moves: it is looked at in the background.
    await change('main', 'theirs\n');
    await vi.waitFor(async () => expect(await conflicts()).toBe(1), 15_000);
    expect(await read(one.path)).toMatchObject({ has_conflicts: true, merge_status: 'cannot_be_merged' });
    await rest('POST', '/api/v4/todos/mark_as_done', { token });
    await change('main', 'theirs again\n');
    expect(await read(one.path)).toMatchObject({ has_conflicts: true });
    expect(await conflicts()).toBe(0);
    const kinds = await sql<{ kind: string }>(
      `select kind from events where subject_kind = 'MergeRequest' and subject_id = $1 and kind like '%unmergeable'`,
      [one.id],
    );
    expect(kinds).toHaveLength(1);
  });

  test('to the target leaves an automatic merge alone', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await rest('POST', `${project.path}/statuses/${project.head}`, { token, json: { state: 'running', ref: 'topic' } });
    await rest('PUT', `${one.path}/merge`, { token, json: { merge_when_pipeline_succeeds: true } });
    // The target takes a part of its commits: the base moves, the head stays.
    await project.commit({ 'z.txt': 'z' });
    const { status } = await rest('POST', `${project.path}/repository/branches`, {
      token,
      json: { branch: 'more', ref: 'topic' },
    });
    expect(status).toBe(201);
    expect(await read(one.path)).toMatchObject({ merge_when_pipeline_succeeds: true, sha: project.head });
  });

  test('to the target has one job check what waits, except what is checked with the new head already', async () => {
    const project = await newTopic(gateway);
    for (const name of ['one', 'two', 'three']) await project.branch(name, 'topic');
    const [one, two, three] = [
      await opened(gateway, project, { source_branch: 'one' }),
      await opened(gateway, project, { source_branch: 'two' }),
      await opened(gateway, project, { source_branch: 'three' }),
    ];
    const key = `${project.id} main`;
    const check = await hold('check_merge_requests', key);
    const follow = await hold('follow_references', String(project.id));
    const head = await project.commit({ 'z.txt': 'z' });
    expect(await read(one.path)).toMatchObject({ merge_status: 'can_be_merged' });
    await follow();
    const stored = async () =>
      (
        await sql<{ id: number; merge_status: string; checked_target: string }>(
          `select id, merge_status::text as merge_status, checked_target from merge_requests where project_id = $1 order by id`,
          [project.id],
        )
      ).map((row) => [row.id, row.merge_status, row.checked_target === head]);
    const checked = ({ id }: { id: number }) => [id, 'CAN_BE_MERGED', true];
    const unknown = ({ id }: { id: number }) => [id, 'UNCHECKED', false];
    await vi.waitFor(async () => expect(await stored()).toEqual([checked(one), unknown(two), unknown(three)]), 10_000);
    const jobs = await sql(
      `select name, payload from jobs where lease is null and name like 'check_merge_request%'
        and (key = $1 or key = any($2::text[]))`,
      [key, [one, two, three].map(({ id }) => String(id))],
    );
    expect(jobs).toEqual([{ name: 'check_merge_requests', payload: { projectId: project.id, branch: 'main' } }]);
    await check();
    await vi.waitFor(async () => expect(await stored()).toEqual([one, two, three].map(checked)), 10_000);
  });

  test('to the target has checked again what a check that runs may have read before', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await followed(project);
    // As it is until the check ends.
    await sql(unchecking, [one.id]);
    const head = await project.commit({ 'z.txt': 'z' });
    await vi.waitFor(
      async () => expect(await checkedWith(one)).toEqual({ merge_status: 'CAN_BE_MERGED', checked_target: head }),
      10_000,
    );
  });

  test('to the target isn’t forgotten when a check ends that read the former head', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await followed(project);
    const follow = await hold('follow_references', String(project.id));
    await sql(unchecking, [one.id]);
    let head: string | undefined;
    const [shown] = await whileHeld(
      gateway,
      ['select from merge_requests where id = $1 for update', one.id],
      [() => rest('GET', one.path, { token })],
      async (holder) => {
        head = await project.commit({ 'z.txt': 'z' });
        const another = `update merge_requests set merge_status = 'CAN_BE_MERGED', checked_target = $2 where id = $1`;
        await holder.query(another, [one.id, head]);
      },
    );
    expect(shown!.status).toBe(200);
    expect(await checkedWith(one)).toEqual({ merge_status: 'CAN_BE_MERGED', checked_target: head });
    await follow();
  });

  test('unchecks what goes into the branch, and a list has it checked on demand, as does GraphQL', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    const uncheck = async () => {
      await quiet(gateway, project);
      const checking = () => sql(`select from jobs where name = 'check_merge_request' and key = $1`, [String(one.id)]);
      await vi.waitFor(async () => expect(await checking()).toEqual([]), 10_000);
      await sql(unchecking, [one.id]);
    };
    await uncheck();
    const listed = async (query: string) => (await read(`${project.path}/merge_requests${query}`))[0].merge_status;
    expect(await listed('')).toBe('unchecked');
    await listed('?with_merge_status_recheck=true');
    await vi.waitFor(async () => expect(await listed('')).toBe('can_be_merged'), 10_000);
    await uncheck();
    const asked = `{ project(fullPath: "${project.fullPath}") { mergeRequest(iid: "${one.iid}") { mergeable } } }`;
    const mergeable = async () => (await gateway.graphql<any>(asked, { token })).data?.project.mergeRequest.mergeable;
    expect(await mergeable()).toBe(false);
    await vi.waitFor(async () => expect(await mergeable()).toBe(true), 10_000);
  });
});

test('a comment that reopens it beside another one of its branches stays a comment', async () => {
  const project = await newTopic(gateway);
  const one = await opened(gateway, project);
  await rest('PUT', one.path, { token, json: { state_event: 'close' } });
  await opened(gateway, project);
  const { status } = await rest('POST', `${one.path}/notes`, { token, json: { body: 'Again\n\n/reopen' } });
  expect(status).toBe(201);
  expect((await read(one.path)).state).toBe('closed');
  expect(await notesOf(one.path)).toContain('Again');
});

describe('an IDE', () => {
  /** What a document answers, without an error. */
  async function ask(document: string, variables: object, by = token): Promise<any> {
    const { data, errors } = await gateway.graphql(document, { variables: { ...variables }, token: by });
    expect(errors).toBeUndefined();
    return data;
  }
  const seenOf = async (named: object) => (await ask(reviewDocuments.details, named)).project.mergeRequest;

  test('opens a merge request, discusses it and merges it', async () => {
    const topic = await newTopic(gateway);
    const { developer } = tokens;
    // It sends values in the address, and no body.
    const values = new URLSearchParams({
      source_branch: 'topic',
      target_branch: 'main',
      title: 'A topic',
      'reviewer_ids[]': String(await idOf(developer)),
      'labels[]': 'bug',
      remove_source_branch: 'true',
    });
    const made = await rest('POST', `${topic.path}/merge_requests?${values}`, { token });
    expect(made.status, made.text).toBe(201);
    const path = `${topic.path}/merge_requests/${made.body.iid}`;
    const named = { project: topic.fullPath, iid: String(made.body.iid) };
    const one = await seenOf(named);
    const message = `Merge branch 'topic' into 'main'\n\nA topic\n\nSee merge request ${topic.fullPath}!1`;
    const reviewer = (approved: boolean, reviewed: boolean) => ({
      nodes: [{ username: 'developer', mergeRequestInteraction: { approved, reviewed } }],
    });
    expect(one).toMatchObject({
      diffRefs: { baseSha: topic.base, headSha: topic.head, startSha: topic.base },
      labels: { nodes: [{ title: 'bug' }] },
      forceRemoveSourceBranch: true,
      defaultMergeCommitMessage: message,
      reviewers: reviewer(false, false),
    });

    const position = { ...one.diffRefs, paths: { oldPath: null, newPath: 'b.txt' }, oldLine: null, newLine: 1 };
    const inDiff = await ask(reviewDocuments.commentInDiff, { on: one.id, body: 'Why?', position }, developer);
    expect(inDiff.createDiffNote.errors).toEqual([]);
    const { id: thread, notes } = inDiff.createDiffNote.note.discussion;
    const [first] = notes.nodes;
    expect(first).toMatchObject({
      body: 'Why?',
      author: { username: 'developer' },
      position: { diffRefs: one.diffRefs, filePath: 'b.txt', positionType: 'text', newLine: 1, oldLine: null },
      resolvable: true,
      resolved: false,
      userPermissions: { resolveNote: true, adminNote: true },
    });
    const answer = (await ask(reviewDocuments.reply, { on: one.id, thread, body: 'Becuase' })).createNote;
    expect([answer.errors, answer.note.body]).toEqual([[], 'Becuase']);
    const changed = await ask(reviewDocuments.change, { note: answer.note.id, body: 'Because' });
    expect(changed).toEqual({ updateNote: { errors: [] } });
    const award = { note: first.id, name: 'thumbsup' };
    expect((await ask(reviewDocuments.award, award)).awardEmojiToggle).toMatchObject({ toggledOn: true, errors: [] });
    const said = (await ask(reviewDocuments.commentOn, { on: one.id, body: 'Oh' })).createNote.note.discussion;
    expect(said.notes.nodes).toMatchObject([{ body: 'Oh' }]);
    const removed = await ask(reviewDocuments.remove, { note: said.notes.nodes[0].id });
    expect(removed).toEqual({ destroyNote: { errors: [] } });
    const resolved = (await ask(reviewDocuments.resolve, { thread, resolved: true })).discussionToggleResolve;
    expect(resolved.discussion.notes.nodes).toMatchObject([
      { body: 'Why?', resolved: true, awardEmoji: { nodes: [{ name: 'thumbsup' }] } },
      { body: 'Because', resolved: true },
    ]);
    const threads = await rest('GET', `${path}/discussions`, { token });
    const again = { token, headers: { 'if-none-match': threads.headers.get('etag')! } };
    expect((await rest('GET', `${path}/discussions`, again)).status).toBe(304);

    expect((await seenOf(named)).reviewers).toMatchObject(reviewer(false, true));
    const user = one.reviewers.nodes[0].id;
    const asked = (await ask(reviewDocuments.askAgain, { ...named, user })).mergeRequestReviewerRereview;
    expect(asked).toMatchObject({ errors: [], mergeRequest: { reviewers: reviewer(false, false) } });
    expect((await rest('POST', `${path}/approve`, { token: developer })).status).toBe(201);
    expect(await seenOf(named)).toMatchObject({
      approvedBy: { nodes: [{ username: 'developer' }] },
      reviewers: reviewer(true, true),
    });
    const { mergeRequestAccept: merged } = await ask(reviewDocuments.accept, {
      ...named,
      sha: one.diffRefs.headSha,
      message,
      squashMessage: null,
      squash: false,
      remove: true,
    });
    expect(merged).toMatchObject({ errors: [], mergeRequest: { state: 'merged', shouldRemoveSourceBranch: true } });
    expect((await read(`${topic.path}/repository/commits/main`)).message).toBe(message);
  });

  test('knows what the project demands of it', async () => {
    const topic = await newTopic(gateway, {
      merge_method: 'ff',
      squash_option: 'always',
      squash_commit_template: '%{title} by %{merge_request_author}, %{merged_by}.',
      visibility: 'public',
    });
    const { iid } = await opened(gateway, topic);
    const named = { project: topic.fullPath, iid: String(iid) };
    const { name, commit_email: address } = await read('/api/v4/user');
    expect(await seenOf(named)).toMatchObject({
      squashReadOnly: true,
      squashOnMerge: true,
      shouldBeRebased: false,
      defaultSquashCommitMessage: `A topic by ${name} <${address}>, ${name} <${address}>.`,
      targetProject: { squashReadOnly: true, mergeRequestsFfOnlyEnabled: true },
    });
    // The message names addresses: it is for those who may write it.
    const message = `{ mergeRequest(project: "${topic.fullPath}", iid: "${iid}") { defaultSquashCommitMessage } }`;
    for (const by of [tokens.guest, undefined])
      expect((await gateway.graphql(message, { token: by })).data).toEqual({
        mergeRequest: { defaultSquashCommitMessage: null },
      });
    await topic.commit({ 'c.txt': 'c\n' });
    await vi.waitFor(async () => expect(await seenOf(named)).toMatchObject({ shouldBeRebased: true }), 10_000);
    const nowhere = await opened(gateway, topic, { source_branch: 'nowhere' });
    expect(await seenOf({ ...named, iid: String(nowhere.iid) })).toMatchObject({
      defaultMergeCommitMessage: null,
      defaultSquashCommitMessage: null,
    });
  });
});

describe('who watches a merge request', () => {
  /** Opens a stream. */
  async function listen(query: string, by = token) {
    const reader = await subscribe(gateway, `subscription { told: ${query} }`, { token: by });
    onTestFinished(() => reader.leave());
    return async () => {
      const { data } = (await reader.next())!.data as { data?: { told: unknown } };
      return data?.told ?? Promise.reject(new Error(query));
    };
  }

  test('hears of it as a whole, and of its parts', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    const gid = `gid://gitlab/MergeRequest/${one.id}`;
    const title = await listen(`issuableTitleUpdated(issuableId: "${gid}") { ... on MergeRequest { title } }`);
    const approvals = await listen(`mergeRequestApprovalStateUpdated(issuableId: "${gid}") { approved }`);
    const reviewers = await listen(
      `mergeRequestReviewersUpdated(issuableId: "${gid}") { reviewers { nodes { username } } }`,
    );
    const versions = await listen(`mergeRequestDiffGenerated(mergeRequestId: "${gid}") { commitCount }`);
    const state = await listen(`mergeRequestMergeStatusUpdated(issuableId: "${gid}") { state }`);
    const whole = await listen(`mergeRequestUpdated(id: "${gid}") { title }`);
    await rest('PUT', one.path, { token, json: { title: 'New', reviewer_ids: [await idOf(tokens.developer)] } });
    expect(await title()).toEqual({ title: 'New' });
    expect(await whole()).toEqual({ title: 'New' });
    expect(await reviewers()).toEqual({ reviewers: { nodes: [{ username: 'developer' }] } });
    await rest('POST', `${one.path}/approve`, { token });
    expect(await approvals()).toEqual({ approved: true });
    await project.commit({ 'c.txt': 'c' }, { branch: 'topic' });
    expect(await versions()).toEqual({ commitCount: 2 });
    expect(await state()).toEqual({ state: 'opened' });
    expect((await rest('PUT', `${one.path}/merge`, { token })).status).toBe(200);
    await vi.waitFor(async () => expect(await state()).toEqual({ state: 'merged' }), 10_000);
  });

  test('reads it', async () => {
    const project = await newTopic(gateway, { visibility: 'private' });
    const one = await opened(gateway, project);
    const query = `subscription { mergeRequestUpdated(id: "gid://gitlab/MergeRequest/${one.id}") { title } }`;
    const reader = await subscribe(gateway, query, { token: tokens.guest });
    onTestFinished(() => reader.leave());
    expect(await reader.next()).toMatchObject({ data: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } });
  });
});

describe('who may what', () => {
  /** In the order of the columns below. */
  const roles = ['GUEST', 'REPORTER', 'DEVELOPER', 'MAINTAINER', 'OWNER'] as const;
  const position = (head: string, base: string) => ({
    position_type: 'text',
    base_sha: base,
    start_sha: base,
    head_sha: head,
    new_path: 'b.txt',
    old_path: 'b.txt',
    new_line: 1,
  });
  /** Each act: the statuses for nobody, who isn't a member, and for each role, in a private project. */
  const acts: readonly [act: string, path: string, json: object | undefined, statuses: readonly number[]][] = [
    ['GET', '', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/changes', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/raw_diffs', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/versions', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/reviewers', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/context_commits', undefined, [404, 404, 403, 200, 200, 200, 200]],
    ['GET', '/merge_ref', undefined, [404, 404, 403, 200, 200, 200, 200]],
    // Who has commented takes part in it, and is subscribed already.
    ['POST', '/subscribe', undefined, [401, 404, 403, 201, 304, 304, 304]],
    ['POST', '/notes', { body: 'Fine' }, [401, 404, 404, 201, 201, 201, 201]],
    ['POST', '/discussions', { body: 'Fine', position: true }, [401, 404, 404, 201, 201, 201, 201]],
    ['POST', '/todo', undefined, [401, 404, 403, 201, 201, 201, 201]],
    ['PUT', '', { title: 'Other' }, [401, 404, 403, 403, 200, 200, 200]],
    ['POST', '/context_commits', { commits: true }, [401, 404, 403, 403, 201, 201, 201]],
    ['POST', '/approve', undefined, [401, 404, 403, 403, 201, 201, 201]],
    ['PUT', '/reset_approvals', undefined, [401, 404, 403, 401, 401, 401, 401]],
    ['PUT', '/rebase', undefined, [401, 404, 403, 403, 202, 202, 202]],
    ['PUT', '/merge', { sha: '0'.repeat(40) }, [401, 404, 403, 401, 401, 409, 409]],
    ['POST', '/cancel_merge_when_pipeline_succeeds', undefined, [401, 404, 403, 401, 401, 201, 201]],
    ['DELETE', '', undefined, [401, 404, 403, 403, 403, 403, 204]],
  ];

  test('follows from their role', async () => {
    const project = await newTopic(gateway, { visibility: 'private' });
    const one = await opened(gateway, project);
    const guest = await idOf(tokens.guest);
    const member = `/api/v4/projects/${project.id}/members`;
    const found: Record<string, number[]> = Object.fromEntries(acts.map(([verb, path]) => [`${verb} ${path}`, []]));
    const ask = async (by: string | undefined) => {
      for (const [verb, path, given] of acts) {
        const json =
          given && 'position' in given
            ? { ...given, position: position(project.head, project.base) }
            : given && 'commits' in given
              ? { commits: [project.base] }
              : given;
        const { status } = await rest(verb, `${one.path}${path}`, { token: by, ...(json && { json }) });
        found[`${verb} ${path}`]!.push(status);
      }
    };
    await ask(undefined);
    await ask(tokens.guest);
    for (const role of roles) {
      const level = { GUEST: 10, REPORTER: 20, DEVELOPER: 30, MAINTAINER: 40, OWNER: 50 }[role];
      await sql('delete from approvals where merge_request_id = $1', [one.id]);
      await sql('delete from subscriptions where merge_request_id = $1', [one.id]);
      await sql('delete from todos where merge_request_id = $1', [one.id]);
      await sql('update merge_requests set rebasing_since = null where id = $1', [one.id]);
      await rest('DELETE', `${member}/${guest}`, { token: tokens.root });
      const added = await rest('POST', member, { token: tokens.root, json: { user_id: guest, access_level: level } });
      expect(added.status, added.text).toBe(201);
      await ask(tokens.guest);
    }
    expect(found).toEqual(Object.fromEntries(acts.map(([verb, path, , statuses]) => [`${verb} ${path}`, statuses])));
  });

  test('nothing of a private fork is in the target before its author opens the request, and its name is not after', async () => {
    const project = await newTopic(gateway, { visibility: 'public' });
    const name = 'my-very-own-secret-fork';
    const fork = await rest('POST', `${project.path}/fork`, {
      token: tokens.developer,
      json: { visibility: 'private', path: name, name },
    });
    const path = `/api/v4/projects/${fork.body.id}`;
    await vi.waitFor(async () => expect((await read(path, tokens.developer)).import_status).toBe('finished'), 15_000);
    const made = await rest('POST', `${path}/repository/commits`, {
      token: tokens.developer,
      json: {
        branch: 'mine',
        start_branch: 'main',
        commit_message: 'Inside',
        actions: [{ action: 'create', file_path: 'secret.txt', content: 'secret' }],
      },
    });
    expect(made.status, made.text).toBe(201);
    const sha = made.body.id as string;
    const seen = async () =>
      await Promise.all(
        [`/repository/commits/${sha}`, `/repository/tree?ref=${sha}`, `/repository/compare?from=main&to=${sha}`].map(
          async (one) => (await rest('GET', `${project.path}${one}`, { token: tokens.maintainer })).status,
        ),
      );
    expect(await seen()).toEqual([404, 404, 404]);
    const json = { source_branch: 'mine', target_branch: 'main', title: 'Mine', target_project_id: project.id };
    // Who doesn't see the fork can't open it for its owner.
    expect((await rest('POST', `${path}/merge_requests`, { token: tokens.maintainer, json })).status).toBe(404);
    expect(await seen()).toEqual([404, 404, 404]);
    const opened = await rest('POST', `${path}/merge_requests`, { token: tokens.developer, json });
    expect(opened.status, opened.text).toBe(201);
    expect(await seen()).toEqual([200, 200, 200]);
    const one = `${project.path}/merge_requests/${opened.body.iid}`;
    for (const more of ['', '/changes', '/commits', '/discussions', '/pipelines'])
      expect((await rest('GET', `${one}${more}`, { token })).text).not.toContain(name);
    expect((await rest('GET', `${one}/pipelines`, { token })).status).toBe(403);
    const asked = await gateway.graphql(
      'query ($id: MergeRequestID!) { mergeRequest(id: $id) { title sourceProject { fullPath } } }',
      { variables: { id: opened.body.id }, token },
    );
    expect(asked.data).toEqual({ mergeRequest: { title: 'Mine', sourceProject: null } });
  });
});
