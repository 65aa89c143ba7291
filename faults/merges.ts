import { setTimeout as pause } from 'node:timers/promises';

/** Merging as a part of the load, and what must hold of it after everything was killed. */

/** A request of the API; status 0 without an answer. */
export type Ask = (
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** A commit that was acknowledged. */
export interface Acknowledged {
  readonly project: number;
  readonly branch: string;
  readonly commit: string;
}

/** What is under way, and what came of it. */
export interface MergeWork {
  readonly acknowledged: Acknowledged[];
  readonly unexpected: string[];
  refused: number;
  /** How often each step of merging was refused, by its name and status. */
  readonly refusedSteps: Map<string, number>;
  isOver: boolean;
}

/** What may be answered while things are killed, besides success. */
const refusals = [0, 400, 404, 405, 409, 422, 503];

/** Opens merge requests from branches of their own and merges them, until it is over. */
export async function mergeOverRest(ask: Ask, id: number, work: MergeWork, lane: string): Promise<void> {
  const succeeds = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await ask(method, `projects/${id}/${path}`, body);
    if (answer.status === 200 || answer.status === 201) return answer.body;
    work.refused++;
    const step = `${path.split('/').at(-1)} ${answer.status}`;
    work.refusedSteps.set(step, (work.refusedSteps.get(step) ?? 0) + 1);
    if (!refusals.includes(answer.status)) work.unexpected.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    await pause(50);
    return undefined;
  };
  /** Asks again, and the next gateway, after a refusal or without an answer. */
  const persists = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const done = await succeeds(method, path, body);
      if (done) return done;
    }
    return undefined;
  };
  for (let number = 0; !work.isOver; number++) {
    const branch = `${lane}-${number}`;
    const actions = [{ action: 'create', file_path: `${lane}/${number}`, content: String(number) }];
    const commit = { branch, start_branch: 'main', commit_message: branch, actions };
    if (!(await succeeds('POST', 'repository/commits', commit))) continue;
    const asked = { source_branch: branch, target_branch: 'main', title: branch };
    const one = await persists('POST', 'merge_requests', asked);
    if (!one) continue;
    const merged = await persists('PUT', `merge_requests/${String(one.iid)}/merge`, { squash: false });
    if (merged) work.acknowledged.push({ project: id, branch: 'main', commit: merged.sha as string });
  }
}

/** A merge request as the database has it. */
export interface MergeRecord {
  readonly iid: number;
  readonly state: string;
  readonly head_sha: string | null;
  readonly merge_commit_sha: string | null;
}

/** $1 project. */
export const mergeRecords =
  'select iid, state, head_sha, merge_commit_sha from merge_requests where project_id = $1 order by iid';

/**
 * Where database and git disagree on what is merged: each merge of the target is that of one record, of its head and on
 * what the target was before; and of what isn't merged, the target has nothing.
 * @param plain runs git in the repository
 */
export function disagreements(records: readonly MergeRecord[], plain: (...args: string[]) => string): string[] {
  const lines = (...args: string[]) =>
    plain(...args)
      .split('\n')
      .filter(Boolean);
  const merges = new Map(
    lines('rev-list', '--first-parent', '--merges', '--parents', 'refs/heads/main').map((line) => {
      const [commit, , head] = line.split(' ');
      return [commit!, head!] as const;
    }),
  );
  const contained = new Set(lines('rev-list', 'refs/heads/main'));
  const found: string[] = [];
  for (const { iid, state, head_sha: head, merge_commit_sha: commit } of records) {
    const isThere = head !== null && contained.has(head);
    if ((state === 'MERGED') !== isThere) found.push(`!${iid} is ${state}, its head is ${isThere ? '' : 'not '}there`);
    if (state !== 'MERGED') continue;
    if (commit === null || merges.get(commit) !== head) found.push(`!${iid} has no merge of its head`);
    else merges.delete(commit);
  }
  return [...found, ...[...merges.keys()].map((commit) => `${commit} is no record's`)];
}
