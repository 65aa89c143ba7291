import { setTimeout as pause } from 'node:timers/promises';
import { cartJs, cartTest, ciYaml, fixedCart, readme, vouchers } from './exhibited-files.ts';

/**
 * What the demo workspace shows: a repository, issues, merge requests, pipelines, messages. It is made as people would
 * make it, over REST, while the gateway serves already: so every part of it went the way of any other request. What a
 * stop interrupts isn't made up for.
 */

interface Door {
  /** The address of the gateway, without a slash at the end. */
  readonly url: string;
  readonly rootToken: string;
  /** The token of `maintainer`. */
  readonly token: string;
}

type Call = <Body = Record<string, never>>(method: string, path: string, body?: object) => Promise<Body>;

const project = '/projects/demo%2Fstorefront';

/** How often a call is made that the gateway refuses because it is busy. */
const refusals = 20;

/** How often a call is tried that waits for work in the background, and how long it waits in between, in ms. */
const tries = 40;
const between = 150;

/** @throws Error when a call is refused */
export async function makeExhibits({ url, rootToken, token }: Door): Promise<void> {
  const as =
    (credential: string): Call =>
    async (method, path, body) => {
      const ask = () =>
        fetch(`${url}/api/v4${path}`, {
          method,
          headers: { 'private-token': credential, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
      let response = await ask();
      // A slow machine is busy while it starts, and says when to come again.
      for (let tried = 1; response.status === 503 && tried < refusals; tried++) {
        await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
        response = await ask();
      }
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
      return (text === '' ? {} : JSON.parse(text)) as never;
    };
  const root = as(rootToken);
  const mary = as(token);
  const people = await root<{ id: number; username: string }[]>('GET', '/users');
  const idOf = (name: string) => people.find(({ username }) => username === name)!.id;
  const { id: tokenId, token: lent } = await root<{ id: number; token: string }>(
    'POST',
    `/users/${idOf('developer')}/personal_access_tokens`,
    { name: 'demo content', scopes: ['api'] },
  );
  const dave = as(lent);

  const [first, second] = await commitBeginning(mary);
  await plan(mary, dave, { maintainer: idOf('maintainer'), developer: idOf('developer') });
  await report(mary, first!, 'failed');
  await report(mary, second!, 'success');
  await deploy(mary, second!);
  await mergeVouchers(mary, dave, idOf('maintainer'));
  await mary('POST', `${project}/repository/commits`, {
    branch: 'main',
    commit_message: 'Test every push',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ciYaml }],
  });
  await proposeFix(mary, dave, idOf('maintainer'));
  await root('DELETE', `/personal_access_tokens/${tokenId}`);
}

/** The first commits of `main`. @returns their names */
async function commitBeginning(mary: Call): Promise<string[]> {
  const commit = async (message: string, actions: object[]) =>
    (
      await mary<{ id: string }>('POST', `${project}/repository/commits`, {
        branch: 'main',
        commit_message: message,
        actions,
      })
    ).id;
  return [
    await commit('Begin the shop', [
      { action: 'create', file_path: 'README.md', content: readme },
      { action: 'create', file_path: 'src/cart.js', content: cartJs },
    ]),
    await commit('Test the cart', [{ action: 'create', file_path: 'test/cart.test.js', content: cartTest }]),
  ];
}

/** Labels, a milestone, and issues in several states. */
async function plan(mary: Call, dave: Call, { maintainer, developer }: Record<'maintainer' | 'developer', number>) {
  for (const [name, color, description] of [
    ['bug', '#c0392b', 'It doesn’t do what it says.'],
    ['urgent', '#e67e22', 'Before anything else.'],
    ['idea', '#2471a3', 'To talk about.'],
  ] as const)
    await mary('POST', `${project}/labels`, { name, color, description });
  const due = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const milestone = await mary<{ id: number }>('POST', `${project}/milestones`, {
    title: 'First release',
    due_date: due,
  });
  const lost = await dave<{ iid: number }>('POST', `${project}/issues`, {
    title: 'The cart loses an item',
    description:
      'Put the *same* item in twice: only one is charged.\n\n- [x] seen in the shop\n- [ ] a test that shows it',
  });
  await mary('PUT', `${project}/issues/${lost.iid}`, {
    labels: 'bug,urgent',
    assignee_ids: [developer],
    milestone_id: milestone.id,
    due_date: due,
  });
  await mary('POST', `${project}/issues/${lost.iid}/notes`, { body: '@developer, can you look at it?\n/estimate 2h' });
  await dave('POST', `${project}/issues/${lost.iid}/notes`, {
    body: 'Found it: the cart is keyed by item.\n/spend 30m',
  });
  await dave('POST', `${project}/issues`, {
    title: 'Show prices with tax',
    labels: 'idea',
    assignee_ids: [maintainer],
  });
  await mary('POST', `${project}/issues`, {
    title: 'Rotate the key of the payment service',
    confidential: true,
    milestone_id: milestone.id,
  });
  const slow = await mary<{ iid: number }>('POST', `${project}/issues`, {
    title: 'The start page is slow',
    labels: 'bug',
  });
  await mary('POST', `${project}/issues/${slow.iid}/notes`, { body: 'The pictures were too large.\n/close' });
}

/** A finished pipeline, reported as an outside CI does. */
async function report(mary: Call, sha: string, state: 'success' | 'failed'): Promise<void> {
  const status = (name: string, how: string, more = {}) =>
    mary('POST', `${project}/statuses/${sha}`, { ref: 'main', name, state: how, ...more });
  await status('lint', 'success');
  await status('test', state, { coverage: state === 'success' ? 94.2 : 71.5, description: 'node --test' });
}

async function deploy(mary: Call, sha: string): Promise<void> {
  await mary('POST', `${project}/environments`, { name: 'production', external_url: 'https://shop.example.com' });
  await mary('POST', `${project}/deployments`, {
    environment: 'production',
    sha,
    ref: 'main',
    tag: false,
    status: 'success',
  });
}

/** A branch with a commit, and its merge request. */
async function propose(by: Call, branch: string, message: string, action: object, more: object): Promise<number> {
  await by('POST', `${project}/repository/commits`, {
    branch,
    start_branch: 'main',
    commit_message: message,
    actions: [action],
  });
  const { iid } = await by<{ iid: number }>('POST', `${project}/merge_requests`, {
    source_branch: branch,
    target_branch: 'main',
    title: message,
    ...more,
  });
  return iid;
}

async function mergeVouchers(mary: Call, dave: Call, maintainer: number): Promise<void> {
  const iid = await propose(
    dave,
    'vouchers',
    'Take vouchers',
    { action: 'create', file_path: 'src/vouchers.js', content: vouchers },
    { reviewer_ids: [maintainer], remove_source_branch: true },
  );
  await mary('POST', `${project}/merge_requests/${iid}/notes`, { body: 'Short and clear. :rocket:' });
  await mary('POST', `${project}/merge_requests/${iid}/approve`);
  await untilDone(() => mary('PUT', `${project}/merge_requests/${iid}/merge`));
}

/** The merge request that is open, with a conversation on one of its lines. */
async function proposeFix(mary: Call, dave: Call, maintainer: number): Promise<void> {
  const iid = await propose(
    dave,
    'keep-every-item',
    'Keep every item of the cart',
    { action: 'update', file_path: 'src/cart.js', content: fixedCart },
    { description: 'The cart counts items now.\n\nCloses #1', reviewer_ids: [maintainer], assignee_ids: [] },
  );
  const at = `${project}/merge_requests/${iid}`;
  const refs = await untilDone(async () => {
    const { diff_refs: found } = await mary<{ diff_refs: Record<string, string> | null }>('GET', at);
    if (!found?.head_sha) throw new Error('Its changes aren’t compared yet.');
    return found;
  });
  const { id } = await mary<{ id: string }>('POST', `${at}/discussions`, {
    body: 'What if the count is zero?',
    position: { position_type: 'text', ...refs, old_path: 'src/cart.js', new_path: 'src/cart.js', new_line: 6 },
  });
  await dave('POST', `${at}/discussions/${id}/notes`, { body: 'Then it goes. I add a test for it.' });
}

/** Tries until what it waits for in the background is done. @throws the last error */
async function untilDone<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let done = 1; ; done++) {
    try {
      return await attempt();
    } catch (error) {
      if (done === tries) throw error;
      await pause(between);
    }
  }
}
