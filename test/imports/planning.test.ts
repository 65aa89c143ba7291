import { beforeAll, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { both } from './support/compare.ts';
import { emptyTarget } from './support/target.ts';

/** Importing labels, milestones, issues and what was said about them, snippets and settings. */

const origin = await testGateway();
const target = await emptyTarget();
const token = await origin.personalToken('root', ['api', 'sudo', 'read_repository']);
const from = { url: origin.url, token };
const project = '/projects/demo%2Fstorefront';

const send = async (method: 'POST' | 'PUT', path: string, json: object, as = origin.tokens.maintainer) => {
  const { status, body, text } = await origin.rest(method, `/api/v4${path}`, { token: as, json });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return body as { id: number; iid: number; notes: { id: number }[] };
};
const post = (path: string, json: object, as?: string) => send('POST', path, json, as);

async function expectSame(...paths: string[]) {
  for (const path of paths) {
    const { there, here } = await both(origin, token, target, path);
    expect(here, path).toEqual(there);
  }
}

const put = (path: string, json: object) => send('PUT', path, json, origin.tokens.developer);

let removed: string;

beforeAll(async () => {
  const eve = await newUser(origin, 'eve');
  await post('/groups/demo/labels', { name: 'urgent', color: '#ff0000' }, token);
  await post(`${project}/labels`, { name: 'bug', color: '#00ff00', description: 'Wrong.', priority: 3 });
  const { id: milestone } = await post(`${project}/milestones`, { title: 'First', due_date: '2030-01-31' });
  const { id: closed } = await post('/groups/demo/milestones', { title: 'Past', start_date: '2020-01-31' }, token);
  await send('PUT', `/groups/demo/milestones/${closed}`, { state_event: 'close' }, token);
  const first = await post(`${project}/issues`, {
    title: 'The cart loses an item',
    description: '- [x] look\n- [ ] mend @developer',
    labels: 'bug,urgent',
    assignee_id: 3,
    milestone_id: milestone,
    due_date: '2030-01-30',
    confidential: true,
    created_at: '2021-02-03T04:05:06Z',
  });
  const { id: gone } = await post(`${project}/issues`, { title: 'Removed' });
  await origin.rest('DELETE', `/api/v4${project}/issues/2`, { token });
  removed = String(gone);
  const third = await post(`${project}/issues`, { title: 'Another', issue_type: 'incident' }, eve.token);
  await send('PUT', `${project}/issues/3`, { state_event: 'close', discussion_locked: true });
  await post(`${project}/issues/1/links`, { target_project_id: 'demo/storefront', target_issue_iid: third.iid });
  await post(`${project}/issues/1/time_estimate`, { duration: '3h' });
  await post(`${project}/issues/1/add_spent_time`, { duration: '90m' });
  await post(`${project}/issues/1/award_emoji`, { name: 'thumbsup' }, origin.tokens.developer);
  await post(`${project}/issues/1/award_emoji`, { name: 'heart' });
  await post(`${project}/issues/1/notes`, { body: 'I see it, too.' }, origin.tokens.developer);
  await post(`${project}/issues/1/notes`, { body: 'Quietly.', internal: true });
  const thread = await post(`${project}/issues/1/discussions`, { body: 'Why?' });
  await post(
    `${project}/issues/1/discussions/${String(thread.id)}/notes`,
    { body: 'Because.' },
    origin.tokens.developer,
  );
  expect(first.iid).toBe(1);
  const files = [
    { file_path: 'a/one.rb', content: 'puts 1\n' },
    { file_path: 'two.txt', content: 'Zwölf Boxkämpfer' },
  ];
  await post('/snippets', { title: 'Two files', visibility: 'internal', files }, origin.tokens.developer);
  await post(`${project}/snippets`, { title: 'Of a project', visibility: 'private', files: files.slice(1) });
  await put('/notification_settings', { level: 'custom', new_note: true, failed_pipeline: true });
  await put(`${project}/notification_settings`, { level: 'watch' });
  await put('/groups/demo/notification_settings', { level: 'disabled' });
});

const paths = [
  '/groups/demo/labels?with_counts=true',
  `${project}/labels?with_counts=true`,
  '/groups/demo/milestones',
  `${project}/milestones`,
  '/issues?scope=all&sort=asc',
  `${project}/issues_statistics`,
  '/snippets/all',
  '/snippets/1',
  `${project}/snippets`,
  ...['/notification_settings', `${project}/notification_settings`, '/groups/demo/notification_settings'].map(
    (path) => `${path}?sudo=3`,
  ),
  `${project}/error_tracking/settings`,
  ...[1, 3].flatMap((iid) => [
    `${project}/issues/${iid}`,
    ...['notes?sort=asc', 'discussions', 'award_emoji', 'links', 'participants', 'time_stats'].map(
      (part) => `${project}/issues/${iid}/${part}`,
    ),
    ...['label', 'milestone', 'state'].map((kind) => `${project}/issues/${iid}/resource_${kind}_events`),
  ]),
];

test('issues are where they were, with what was said; a second import writes nothing', async () => {
  const report = (await target.take(from)).toJSON();
  expect(report.differences).toEqual([]);
  await expectSame(...paths);
  const raw = async ({ rest }: Pick<typeof origin, 'rest'>, as: string) =>
    (await rest('GET', '/api/v4/snippets/1/files/main/two.txt/raw', { token: as })).text;
  expect(await raw(target, target.token)).toBe(await raw(origin, token));
  const again = await target.take(from);
  for (const [kind, counts] of Object.entries(again.counts))
    expect(counts, kind).toMatchObject({ created: 0, updated: 0, refused: 0 });
});

test('links are there in the end, if the first import ends before it writes them', async () => {
  const other = await emptyTarget();
  const run: typeof other.run = (source, variables) => {
    if (source.includes('importIssueLinks')) throw new Error('killed');
    return other.run(source, variables);
  };
  await expect(other.take(from, { run })).rejects.toThrow('killed');
  await other.take(from);
  for (const iid of [1, 3]) {
    const { there, here } = await both(origin, token, other, `${project}/issues/${iid}/links`);
    expect(there).toHaveLength(1);
    expect(here).toEqual(there);
  }
});

test('what changed there changes here, and new numbers go on', async () => {
  await send('PUT', `${project}/issues/1`, { title: 'The cart is empty', add_labels: 'new', remove_labels: 'urgent' });
  const { id } = await post(`${project}/issues/1/notes`, { body: 'Mended.' });
  await send('PUT', `${project}/issues/1/notes/${id}`, { body: 'Mended, really.' });
  await target.take(from);
  await expectSame(...paths);
  await post(`${project}/issues/3/award_emoji`, { name: 'thumbsdown' });
  await target.take(from);
  await expectSame(...paths);
  const next = await target.rest('POST', `/api/v4${project}/issues`, { token: target.token, json: { title: 'Here' } });
  expect(next.body).toMatchObject({ iid: 4 });
  expect((await target.sql('select from notifications')).length).toBe(0);
  expect((await target.sql('select from todos')).length).toBe(0);
  expect((await target.sql(`select from events where subject_kind = 'Issue' and imported`)).length).toBeGreaterThan(2);
  expect(removed).not.toBe('');
});
