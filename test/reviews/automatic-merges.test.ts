import { describe, expect, test, vi } from 'vitest';
import { mergeDue } from '../../src/schema/reviews/merging/auto-merge.ts';
import { wakeSending } from '../../src/schema/notifications/delivery/statements/settle.ts';
import { testGateway } from '../support/gateway.ts';
import { whileHeld } from '../support/databases/held.ts';
import { signIn } from '../support/oauth/oauth.ts';
import { addMember, newUser, type TestUser } from '../support/places/people.ts';
import { newTopic, opened } from './support/opened.ts';
import { quiet } from './support/sound.ts';

const gateway = await testGateway();
const { rest, tokens } = gateway;
const token = tokens.maintainer;

const read = async (path: string) => (await rest('GET', path, { token })).body;
const notesOf = async (path: string) => ((await read(`${path}/notes`)) as { body: string }[]).map(({ body }) => body);
const merge = (path: string, json: object = {}) => rest('PUT', `${path}/merge`, { token, json });
const branchStatus = async (path: string, name: string) =>
  (await rest('GET', `${path}/repository/branches/${name}`, { token })).status;

describe('merging once the pipeline succeeds', () => {
  const report = (project: { path: string }, sha: string, state: string, json: object = {}) =>
    rest('POST', `${project.path}/statuses/${sha}`, { token, json: { state, ref: 'topic', name: 'build', ...json } });
  const later = (path: string, json: object = {}) => merge(path, { merge_when_pipeline_succeeds: true, ...json });
  type Topic = Awaited<ReturnType<typeof newTopic>>;
  /** Asks for a merge once the pipeline succeeds, which runs. */
  const setToMerge = async (project: Topic, { path }: { path: string }) => {
    await report(project, project.head, 'running');
    expect((await later(path)).status).toBe(200);
  };
  /** Lets the pipeline succeed, which isn’t enough. */
  const staysOpen = async (project: Topic, { path }: { path: string }, status: string) => {
    await report(project, project.head, 'success');
    await quiet(gateway, project);
    expect(await read(path)).toMatchObject({ state: 'opened', detailed_merge_status: status });
  };

  test('waits for it, merges as the person who asked, and shows the pipeline', async () => {
    const project = await newTopic(gateway);
    const { path, head } = project;
    const one = await opened(gateway, project);
    expect((await later(one.path)).status).toBe(405);
    expect((await report(project, head, 'running')).status).toBe(201);
    const set = await later(one.path, { should_remove_source_branch: true });
    expect(set.status, set.text).toBe(200);
    expect(set.body).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: true,
      merge_user: { username: 'maintainer' },
      should_remove_source_branch: true,
      head_pipeline: { status: 'running', sha: head },
    });
    expect(await read(`${one.path}/pipelines`)).toEqual([expect.objectContaining({ sha: head, status: 'running' })]);
    expect((await report(project, head, 'failed')).status).toBe(201);
    expect(await read(one.path)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    expect((await report(project, head, 'success')).status).toBe(201);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 10_000);
    expect(await read(one.path)).toMatchObject({
      merged_by: { username: 'maintainer' },
      head_pipeline: { status: 'success' },
      merge_when_pipeline_succeeds: false,
    });
    await vi.waitFor(async () => expect(await branchStatus(path, 'topic')).toBe(404), 10_000);
  });

  test('is cancelled by a call, and dropped by a push', async () => {
    const project = await newTopic(gateway);
    const { head, commit } = project;
    const one = await opened(gateway, project);
    await report(project, head, 'running');
    const cancel = () => rest('POST', `${one.path}/cancel_merge_when_pipeline_succeeds`, { token });
    expect([(await cancel()).status, (await cancel()).body]).toEqual([
      201,
      { status: 'error', message: "Can't cancel the automatic merge", http_status: 406 },
    ]);
    await later(one.path);
    expect((await cancel()).body).toEqual({ status: 'success' });
    expect(await read(one.path)).toMatchObject({ merge_when_pipeline_succeeds: false, merge_user: null });
    await later(one.path);
    const next = await commit({ 'c.txt': 'c\n' }, { branch: 'topic' });
    expect(await read(one.path)).toMatchObject({ sha: next, merge_when_pipeline_succeeds: false, merge_user: null });
    expect(await notesOf(one.path)).toContain('aborted the automatic merge because source branch was updated');
    await report(project, head, 'success');
    await report(project, next, 'success');
    expect(await read(one.path)).toMatchObject({ state: 'opened', head_pipeline: { sha: next, status: 'success' } });
  });

  test('is dropped by another target, and when it is closed', async () => {
    const project = await newTopic(gateway);
    await project.branch('other', 'main');
    const one = await opened(gateway, project);
    await report(project, project.head, 'running');
    for (const [change, why] of [
      [{ target_branch: 'other' }, 'target branch was changed'],
      [{ state_event: 'close' }, 'merge request was closed'],
    ] as const) {
      expect((await later(one.path)).status).toBe(200);
      expect((await rest('PUT', one.path, { token, json: change })).status).toBe(200);
      expect(await read(one.path)).toMatchObject({ merge_when_pipeline_succeeds: false, merge_user: null });
      expect(await notesOf(one.path)).toContain(`aborted the automatic merge because ${why}`);
    }
  });

  test('goes on waiting when the target takes in a part of it', async () => {
    const project = await newTopic(gateway);
    const { path, head, commit } = project;
    const next = await commit({ 'c.txt': 'c\n' }, { branch: 'topic' });
    const one = await opened(gateway, project);
    await report(project, next, 'running');
    expect((await later(one.path)).status).toBe(200);
    await project.branch('part', head);
    const part = await opened(gateway, project, { source_branch: 'part' });
    await rest('PUT', path, { token, json: { merge_method: 'ff' } });
    expect((await merge(part.path)).status).toBe(200);
    const after = await read(one.path);
    expect(after).toMatchObject({ state: 'opened', sha: next, merge_when_pipeline_succeeds: true });
    expect(after.diff_refs.base_sha).toBe(head);
    expect(after.merge_user).toMatchObject({ username: 'maintainer' });
  });

  test('and a moment, if one was chosen', async () => {
    const project = await newTopic(gateway);
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    const one = await opened(gateway, project, { merge_after: moment });
    expect(one.record).toMatchObject({ merge_after: moment, detailed_merge_status: 'merge_time' });
    expect((await merge(one.path)).status).toBe(405);
    const set = await later(one.path);
    expect([set.status, set.body.merge_when_pipeline_succeeds, set.body.state]).toEqual([200, true, 'opened']);
    expect(await notesOf(one.path)).toContain(
      `enabled an automatic merge when all merge checks for ${project.head.slice(0, 8)} pass`,
    );
    const change = async (merge_after: string | null) => {
      const { status, body, text } = await rest('PUT', one.path, { token, json: { merge_after } });
      expect(status, text).toBe(200);
      return body.merge_after;
    };
    // A pipeline that succeeds before isn’t enough, and neither is a moment while it runs.
    await report(project, project.head, 'running');
    expect(await change('2020-01-01T00:00:00Z')).toBe('2020-01-01T00:00:00.000Z');
    expect(await change(moment)).toBe(moment);
    await report(project, project.head, 'success');
    expect(await read(one.path)).toMatchObject({ state: 'opened', detailed_merge_status: 'merge_time' });
    expect(await change(null)).toBe(null);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 10_000);
    expect(await read(one.path)).toMatchObject({ merged_by: { username: 'maintainer' } });
  });

  test('and a moment that another person chooses while it is asked for', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await report(project, project.head, 'running');
    await quiet(gateway, project);
    const [set] = await whileHeld(
      gateway,
      ['select from merge_requests where id = $1 for update', one.id],
      [() => later(one.path)],
      (holder) =>
        holder.query(`update merge_requests set merge_after = now() + interval '1 hour' where id = $1`, [one.id]),
    );
    expect([set!.status, set!.body.merge_when_pipeline_succeeds]).toEqual([200, true]);
    const job = `select run_at > now() + interval '30 minutes' as later from jobs where name = 'merge_due' and key = $1`;
    expect(await gateway.sql(job, [String(one.id)])).toEqual([{ later: true }]);
  });

  test('but not into another target that is chosen meanwhile', async () => {
    const project = await newTopic(gateway);
    await project.branch('other', 'main');
    const one = await opened(gateway, project);
    await report(project, project.head, 'running');
    await quiet(gateway, project);
    const [set] = await whileHeld(
      gateway,
      ['select from merge_requests where id = $1 for no key update', one.id],
      [() => later(one.path)],
      (holder) => holder.query(`update merge_requests set target_branch = 'other' where id = $1`, [one.id]),
    );
    expect(set!.status).toBe(409);
    expect(await read(one.path)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
  });

  test('ends when an author who may not merge chooses another moment', async () => {
    const project = await newTopic(gateway);
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    const json = { source_branch: 'topic', target_branch: 'main', title: 'A topic', merge_after: moment };
    const made = await rest('POST', `${project.path}/merge_requests`, { token: tokens.developer, json });
    const path = `${project.path}/merge_requests/${made.body.iid}`;
    const change = async (values: object, by = tokens.developer) => {
      const { status, body, text } = await rest('PUT', path, { token: by, json: values });
      expect(status, text).toBe(200);
      return body;
    };
    for (const merge_after of [null, '2020-01-01T00:00:00Z', '2121-01-01T00:00:00Z']) {
      await change({ merge_after: moment });
      expect((await later(path)).body).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
      // What stays the same ends nothing.
      const same = await change({ merge_after: moment, title: `Until ${merge_after}` });
      expect(same).toMatchObject({ merge_after: moment, merge_when_pipeline_succeeds: true });
      const ended = await change({ merge_after });
      expect(ended).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false, merge_user: null });
      expect((await notesOf(path))[0]).toBe('aborted the automatic merge because merge time was changed');
    }
    await change({ merge_after: moment });
    await later(path);
    await change({ merge_after: null }, token);
    await vi.waitFor(async () => expect((await read(path)).state).toBe('merged'), 10_000);
    expect(await read(path)).toMatchObject({ merged_by: { username: 'maintainer' } });
  });

  test.each(['draft_status', 'discussions_not_resolved'])('and for what else is needed: %s', async (status) => {
    const project = await newTopic(gateway, { only_allow_merge_if_all_discussions_are_resolved: true });
    const isDraft = status === 'draft_status';
    const one = await opened(gateway, project, { title: isDraft ? 'Draft: A topic' : 'A topic' });
    const threads = `${one.path}/discussions`;
    const thread = isDraft ? undefined : await rest('POST', threads, { token, json: { body: 'Why?' } });
    await setToMerge(project, one);
    await staysOpen(project, one, status);
    const done = thread
      ? await rest('PUT', `${threads}/${thread.body.id}`, { token, json: { resolved: true } })
      : await rest('PUT', one.path, { token, json: { title: 'A topic' } });
    expect(done.status, done.text).toBe(200);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 10_000);
    expect(await read(one.path)).toMatchObject({ merged_by: { username: 'maintainer' } });
  });

  /** Its state, without a look at its branches. */
  const stateOf = async ({ id }: { id: number }) =>
    (await gateway.sql<{ state: string }>('select state::text as state from merge_requests where id = $1', [id]))[0]!
      .state;

  /** Waits until it is merged by itself: no one looks at it. */
  const becomesMerged = async (one: { id: number; path: string }, username = 'maintainer') => {
    await vi.waitFor(async () => expect(await stateOf(one)).toBe('MERGED'), 20_000);
    expect(await read(one.path)).toMatchObject({ merged_by: { username } });
  };

  test('and for the end of conflicts', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await setToMerge(project, one);
    await project.commit({ 'b.txt': 'other\n' });
    await staysOpen(project, one, 'conflict');
    // Others of the same target, which were changed later.
    await gateway.sql(
      `insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, author_id, merge_status, updated_at)
       select project_id, 100 + n, project_id, 'other-' || n, target_branch, 'Other', author_id, 'CAN_BE_MERGED', now() + interval '1 minute'
         from merge_requests, generate_series(1, 50) n where id = $1`,
      [one.id],
    );
    await project.commit({}, { actions: [{ action: 'delete', file_path: 'b.txt' }] });
    await becomesMerged(one);
  });

  test('and for another way of merging', async () => {
    const project = await newTopic(gateway, { merge_method: 'ff' });
    const one = await opened(gateway, project);
    await setToMerge(project, one);
    await project.commit({ 'c.txt': 'c\n' });
    await staysOpen(project, one, 'need_rebase');
    expect((await rest('PUT', project.path, { token, json: { merge_method: 'merge' } })).status).toBe(200);
    await becomesMerged(one);
  });

  test('and for the end of a rule of the project', async () => {
    const project = await newTopic(gateway, { only_allow_merge_if_all_discussions_are_resolved: true });
    const one = await opened(gateway, project);
    await rest('POST', `${one.path}/discussions`, { token, json: { body: 'Why?' } });
    await setToMerge(project, one);
    await staysOpen(project, one, 'discussions_not_resolved');
    const json = { only_allow_merge_if_all_discussions_are_resolved: false };
    expect((await rest('PUT', project.path, { token, json })).status).toBe(200);
    await becomesMerged(one);
  });

  test.each([
    ['deleted', 'DELETE', 'protected_branches/main', {}, 204],
    ['changed', 'PUT', 'repository/branches/main/protect', { developers_can_merge: true }, 200],
    ['joined by a weaker one', 'POST', 'protected_branches', { name: 'm*' }, 201],
  ] as const)('and for a protection of the target that is %s', async (_, method, end, json, status) => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await setToMerge(project, one);
    const rules = `${project.path}/protected_branches`;
    await rest('DELETE', `${rules}/main`, { token });
    const closed = { name: 'main', push_access_level: 0, merge_access_level: 0 };
    expect((await rest('POST', rules, { token, json: closed })).status).toBe(201);
    await staysOpen(project, one, 'mergeable');
    expect((await rest(method, `${project.path}/${end}`, { token, json })).status).toBe(status);
    await becomesMerged(one);
  });

  test('and for a project that is no longer archived', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project, { merge_after: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await later(one.path)).status).toBe(200);
    expect((await rest('POST', `${project.path}/archive`, { token })).status).toBe(201);
    await gateway.sql('update merge_requests set merge_after = now() where id = $1', [one.id]);
    await mergeDue(gateway.gateway.application, { mergeRequestId: one.id });
    expect(await stateOf(one)).toBe('OPENED');
    expect((await rest('POST', `${project.path}/unarchive`, { token })).status).toBe(201);
    await becomesMerged(one);
  });

  describe('and for the person who asked for it, who', () => {
    interface Asked {
      readonly project: Topic;
      readonly person: TestUser;
      /** The path of their membership. */
      readonly member: string;
    }
    type Act = (asked: Asked) => Promise<unknown>;
    const password = 'sailing by the moon';
    const asRoot = async (method: string, path: string, json?: object) => {
      const { status, body, text } = await rest(method, path, { token: tokens.root, ...(json && { json }) });
      expect([200, 201, 204], `${method} ${path}: ${text}`).toContain(status);
      return body;
    };
    let made = 0;
    const newGroup = async (): Promise<number> => {
      const name = `crew-${++made}`;
      return (await asRoot('POST', '/api/v4/groups', { name, path: name })).id;
    };
    const crewOf = async ({ person }: Asked) => {
      const id = await newGroup();
      await asRoot('POST', `/api/v4/groups/${id}/members`, { user_id: person.id, access_level: 40 });
      return id;
    };
    const share = async (place: string, asked: Asked) =>
      asRoot('POST', `${place}/share`, { group_id: await crewOf(asked), group_access: 40 });
    const transfer = ({ project }: Asked, group: number) =>
      asRoot('PUT', `${project.path}/transfer`, { namespace: group });
    const groupOf = async ({ path }: Topic) => `/api/v4/groups/${(await read(path)).namespace.id}`;
    const leave: Act = ({ member }) => asRoot('DELETE', member);
    const change =
      (verb: string): Act =>
      ({ person }) =>
        asRoot('POST', `/api/v4/users/${person.id}/${verb}`);
    // It is refused for people who did something.
    const deactivate: Act = ({ person }) =>
      gateway.sql(`update users set state = 'BLOCKED', blocked_as = 'DEACTIVATED' where id = $1`, [Number(person.id)]);

    test.each<readonly [what: string, lose: Act, regain: Act]>([
      [
        'becomes a member again',
        leave,
        ({ project, person }) => asRoot('POST', `${project.path}/members`, { user_id: person.id, access_level: 40 }),
      ],
      [
        'gets a higher role',
        ({ member }) => asRoot('PUT', member, { access_level: 20 }),
        ({ member }) => asRoot('PUT', member, { access_level: 40 }),
      ],
      ['gets a role by a share of the project', leave, (asked) => share(asked.project.path, asked)],
      [
        'gets a role by a share of the group',
        async (asked) => {
          await leave(asked);
          await transfer(asked, await newGroup());
        },
        async (asked) => share(await groupOf(asked.project), asked),
      ],
      ['gets the project into a group of theirs', leave, async (asked) => transfer(asked, await crewOf(asked))],
      ['is unblocked', change('block'), change('unblock')],
      ['is activated', deactivate, change('activate')],
      ['signs in again', deactivate, ({ person }) => signIn(gateway, person.username, password)],
      ['becomes an administrator', leave, ({ person }) => asRoot('PUT', `/api/v4/users/${person.id}`, { admin: true })],
    ])('%s', async (_what, lose, regain) => {
      const project = await newTopic(gateway);
      const person = await newUser(gateway, `merger-${++made}`, { password });
      await addMember(gateway, person, 'MAINTAINER', { project: String(project.id) });
      const asked = { project, person, member: `${project.path}/members/${person.id}` };
      const one = await opened(gateway, project);
      await report(project, project.head, 'running');
      const json = { merge_when_pipeline_succeeds: true };
      expect((await rest('PUT', `${one.path}/merge`, { token: person.token, json })).status).toBe(200);
      await lose(asked);
      await staysOpen(project, one, 'mergeable');
      await regain(asked);
      // The workers would look by themselves within seconds.
      await gateway.gateway.application.database.rows(wakeSending, []);
      await becomesMerged(one, person.username);
    });
  });

  test('doesn’t go on into the branch into which its target was merged', async () => {
    const project = await newTopic(gateway);
    await project.branch('next', 'topic');
    const head = await project.commit({ 'c.txt': 'c\n' }, { branch: 'next' });
    const first = await opened(gateway, project, { remove_source_branch: true });
    const second = await opened(gateway, project, { source_branch: 'next', target_branch: 'topic' });
    await report(project, head, 'running', { ref: 'next' });
    expect((await later(second.path, { sha: head })).status).toBe(200);
    expect((await merge(first.path)).status).toBe(200);
    await vi.waitFor(async () => expect((await read(second.path)).target_branch).toBe('main'), 10_000);
    expect(await read(second.path)).toMatchObject({ merge_when_pipeline_succeeds: false, merge_user: null });
    expect(await notesOf(second.path)).toEqual(
      expect.arrayContaining([
        'changed target branch from `topic` to `main`',
        'aborted the automatic merge because target branch was changed',
      ]),
    );
  });

  test('is tried again after the database could not store it', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await setToMerge(project, one);
    await gateway.sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused' using errcode = '53100'; end $$;
       create trigger refuse before update on merge_requests for each row when (new.id = ${one.id} and new.state = 'MERGED') execute function refuse();`,
    );
    try {
      await report(project, project.head, 'success');
      const failed = `select from jobs where name = 'merge_waiting' and last_error is not null and lease is null`;
      await vi.waitFor(async () => expect(await gateway.sql(failed)).toHaveLength(1), 10_000);
    } finally {
      await gateway.sql('drop trigger refuse on merge_requests; drop function refuse()');
    }
    expect((await read(one.path)).state).toBe('opened');
    await gateway.sql(`update jobs set run_at = now() where name = 'merge_waiting' and lease is null`);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 20_000);
  });

  test('isn’t needed where there is none, and only a moment is awaited', async () => {
    const project = await newTopic(gateway);
    const soon = new Date(Date.now() + 2_000).toISOString();
    const one = await opened(gateway, project, { merge_after: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await later(one.path)).status).toBe(200);
    expect((await rest('PUT', one.path, { token, json: { merge_after: soon } })).status).toBe(200);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 20_000);
    expect(new Date((await read(one.path)).merged_at as string).getTime()).toBeGreaterThanOrEqual(Date.parse(soon));
    const wrong = await rest('PUT', one.path, { token, json: { merge_after: 'tomorrow' } });
    expect([wrong.status, wrong.body]).toEqual([400, { error: 'merge_after is invalid' }]);
  });

  test('is needed where the project says so', async () => {
    const project = await newTopic(gateway, { only_allow_merge_if_pipeline_succeeds: true });
    const one = await opened(gateway, project);
    expect((await read(one.path)).detailed_merge_status).toBe('ci_must_pass');
    expect((await merge(one.path)).status).toBe(405);
    await report(project, project.head, 'running');
    expect((await read(one.path)).detailed_merge_status).toBe('ci_still_running');
    await report(project, project.head, 'success');
    expect((await read(one.path)).detailed_merge_status).toBe('mergeable');
    expect((await merge(one.path)).status).toBe(200);
  });

  test('isn’t a skipped one, unless the project says so', async () => {
    const project = await newTopic(gateway, { only_allow_merge_if_pipeline_succeeds: true });
    const one = await opened(gateway, project);
    const allow = async (allow_merge_on_skipped_pipeline: boolean) =>
      expect((await rest('PUT', project.path, { token, json: { allow_merge_on_skipped_pipeline } })).status).toBe(200);
    await report(project, project.head, 'skipped');
    expect(await read(one.path)).toMatchObject({
      detailed_merge_status: 'ci_must_pass',
      head_pipeline: { status: 'skipped' },
    });
    expect([(await merge(one.path)).status, (await later(one.path)).status]).toEqual([405, 405]);
    await allow(true);
    expect(await read(one.path)).toMatchObject({ detailed_merge_status: 'mergeable' });
    await allow(false);
    await rest('PUT', project.path, { token, json: { only_allow_merge_if_pipeline_succeeds: false } });
    expect(await read(one.path)).toMatchObject({ detailed_merge_status: 'mergeable' });
    expect((await later(one.path)).status).toBe(405);
    await allow(true);
    expect((await later(one.path)).body).toMatchObject({ state: 'merged', merge_when_pipeline_succeeds: false });
  });

  test('may end as skipped, which counts where the project says so, also later', async () => {
    const project = await newTopic(gateway, { allow_merge_on_skipped_pipeline: true });
    const other = await newTopic(gateway);
    const [one, two] = [await opened(gateway, project), await opened(gateway, other)];
    for (const [where, what] of [
      [project, one],
      [other, two],
    ] as const) {
      await setToMerge(where, what);
      await report(where, where.head, 'failed');
      await report(where, where.head, 'skipped');
    }
    await becomesMerged(one);
    expect(await read(two.path)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    await rest('PUT', other.path, { token, json: { allow_merge_on_skipped_pipeline: true } });
    await becomesMerged(two);
  });
});
