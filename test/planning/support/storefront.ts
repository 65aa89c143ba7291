import type { TestGateway } from '../../support/gateway.ts';

/** The project that its issues, labels and milestones are in, below `/api/v4`. */
export const storefront = '/projects/demo%2Fstorefront';

/**
 * Plans the project `demo/storefront`: four issues, of which one is confidential and one closed, with labels, a milestone
 * and comments, and an epic of its group.
 * @returns the ids of the labels of the project and of its group, and of a comment on the first issue and of its thread
 */
export async function fillWithPlanning(
  gateway: TestGateway,
): Promise<{ label: number; groupLabel: number; comment: number; thread: string }> {
  const write = async (method: 'POST' | 'PUT', path: string, json: object) => {
    const { status, body, text } = await gateway.rest(method, `/api/v4${path}`, {
      token: gateway.tokens.maintainer,
      json,
    });
    if (status !== (method === 'POST' ? 201 : 200)) throw new Error(`${path}: ${status} ${text}`);
    return (body as { id: number }).id;
  };
  const urgent = { name: 'urgent', color: '#FFFFFF', description: 'Before anything else' };
  const groupLabel = await write('POST', '/groups/demo/labels', urgent);
  const label = await write('POST', `${storefront}/labels`, { name: 'bug', color: '#d9534f' });
  const milestone = await write('POST', `${storefront}/milestones`, { title: 'Opening', due_date: '2030-05-01' });
  const [developer] = await gateway.sql<{ id: number }>(`select id from users where username = 'developer'`);
  const issues = [
    { title: 'Cart loses an item', labels: 'bug,urgent', milestone_id: milestone, assignee_id: developer!.id },
    { title: 'Prices without cents', labels: 'bug', description: 'See the **cart**.\n\n- [x] one\n- [ ] two' },
    { title: 'Greeting is wrong', confidential: true },
    { title: 'Done long ago' },
  ];
  for (const issue of issues) await write('POST', `${storefront}/issues`, issue);
  await write('PUT', `${storefront}/issues/4`, { state_event: 'close' });
  const comment = await write('POST', `${storefront}/issues/1/notes`, { body: 'Which **one**?' });
  const [begun] = await gateway.sql<{ thread: string }>(
    `select encode(discussion_id, 'hex') as thread from notes where id = $1`,
    [comment],
  );
  await write('POST', `${storefront}/issues/1/notes`, { body: 'For us', internal: true });
  await write('PUT', `${storefront}/issues/1`, { due_date: '2030-01-02' });
  await gateway.sql(`update users set tier = 'PREMIUM' where username = 'maintainer'`);
  await write('POST', '/groups/demo/epics', { title: 'A new harbour', description: 'With a **lighthouse**.' });
  return { label, groupLabel, comment, thread: begun!.thread };
}

/** More labels and milestones in a project than a form offers at once: `Label 001` to `Label 130`, and so on. */
export async function fillWithChoices({ sql }: Pick<TestGateway, 'sql'>, project: number): Promise<void> {
  await sql(
    `insert into labels (project_id, title, color) select $1, 'Label ' || lpad(n::text, 3, '0'), '#123456' from generate_series(1, 130) n`,
    [project],
  );
  await sql(
    `insert into milestones (project_id, iid, title) select $1, n, 'Milestone ' || lpad(n::text, 3, '0') from generate_series(1, 130) n`,
    [project],
  );
}
