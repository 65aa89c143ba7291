import type { Context } from '../../../context.ts';
import { Conflict, NotAuthorized, NotMergeable, PlainBadRequest, PlainUnprocessable } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { isAncestor, mergeBase } from '../../../git/history/index.ts';
import { merge } from '../../../git/merge/index.ts';
import { readCommit, readRef } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { writeCommit, type Identity } from '../../../git/write/index.ts';
import { mayMergeInto } from '../../../policy/index.ts';
import { committerOf, identityOf } from '../../repository/writing/committer.ts';
import { writingPlace } from '../../repository/writing/place.ts';
import { openForWriting, writeRefs } from '../../repository/writing/write.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { readableIssueById } from '../../planning/issues/read.ts';
import { closedByMerging } from '../closing/link.ts';
import type { SeenMergeRequest } from '../merge-requests/look-up.ts';
import { readableMergeRequestById } from '../merge-requests/read.ts';
import { headPipelineStatusOf } from '../merge-requests/pipeline.ts';
import type { MergeParams, MergeRequestRecord } from '../merge-requests/types.ts';
import { detailedStatusOf, refusedByRules, type HeadPipelineStatus } from '../merge-requests/status.ts';
import { markMergedIn } from './mark.ts';
import { mergeMessage, squashMessage, type Described } from './message.ts';

/**
 * Merging. The head that is merged is the one that was checked: while git holds the lock of the target and PostgreSQL that
 * of its repository, both heads are compared again, and the record of the merge commits with that of the target's move.
 */

const cannot = () => new PlainUnprocessable('Branch cannot be merged');
const otherHead = (head: string) => new Conflict(`SHA does not match HEAD of source branch: ${head}`);

/** What is merged: a merge request that may be, by the present heads of its branches. */
export interface Accepted extends SeenMergeRequest {
  readonly head: string;
}

/** Whether the viewer may merge into the target, archived projects excluded. */
export async function mayMerge(context: Context, { mergeRequest, facts }: SeenMergeRequest): Promise<boolean> {
  const project = { id: mergeRequest.projectId, facts };
  const { place } = await writingPlace(context.database, context, project, 'merge');
  return mayMergeInto(place, mergeRequest.targetBranch);
}

/** Requires that the viewer may. @throws NotAuthorized */
export async function requireMerging(context: Context, seen: SeenMergeRequest): Promise<void> {
  if (!(await mayMerge(context, seen))) throw new NotAuthorized();
}

/**
 * Checks everything that decides whether a merge request can be merged now, in the contract's order (§6.6).
 * @param sha the head that the client saw, if it says
 * @param pipeline the status of the head's pipeline, if it was read a moment ago
 * @throws NotMergeable for its state and the rules of the project, PlainUnprocessable if git can't, Conflict for another head
 */
export async function accept(
  context: Context,
  seen: SeenMergeRequest,
  sha: string | null | undefined,
  pipeline?: HeadPipelineStatus,
): Promise<Accepted> {
  const { mergeRequest } = seen;
  const head = mergeRequest.checkedHead;
  const ofHead = pipeline ?? (await headPipelineStatusOf(context, mergeRequest));
  const reason = refusedByRules(mergeRequest, ofHead);
  if (reason) throw new NotMergeable(reason);
  if (head === null || detailedStatusOf(mergeRequest, ofHead) !== 'MERGEABLE') throw cannot();
  if (sha && sha !== head) throw otherHead(head);
  return { ...seen, head };
}

/** Rounds in which someone else may move the target meanwhile. */
const rounds = 5;

/**
 * Merges what was accepted.
 * @param automatic whether it waited for a pipeline
 * @throws as `accept`, for what changed meanwhile
 */
export async function mergeAccepted(
  context: Context,
  accepted: Accepted,
  params: MergeParams,
  automatic = false,
): Promise<void> {
  const { mergeRequest, facts, head } = accepted;
  const project = { id: mergeRequest.projectId, facts };
  const git = await openForWriting(context, project);
  const ref = `refs/heads/${mergeRequest.targetBranch}`;
  for (let round = 1; ; round++) {
    const tip = await readRef(git, ref);
    if (tip === undefined) throw cannot();
    try {
      const made = await makeCommits(context, git, accepted, params, tip);
      const change = { ref, old: tip, new: made.result };
      await writeRefs(context, project, git, [change], {
        via: 'merge',
        within: async (sql) => {
          const present = await presentHead(context, mergeRequest);
          if (present === undefined) throw cannot();
          if (present !== head) throw otherHead(present);
          const merged = { by: context.viewer.person!.id, head, target: mergeRequest.targetBranch, params, automatic };
          await markMergedIn(sql, mergeRequest.id, { ...merged, ...made });
        },
      });
      publishMergeRequest(context, mergeRequest.id, ['MERGE_STATUS']);
      return;
    } catch (error) {
      const known = asGitError(error);
      if (known?.code === 'MISMATCH' && round < rounds) continue;
      if (error instanceof PlainBadRequest) throw new NotAuthorized();
      // Another merge was faster.
      const now = await readableMergeRequestById(context, mergeRequest.id);
      if (now?.state !== 'OPENED') throw new NotMergeable('NOT_OPEN');
      throw known?.code === 'CONFLICT' || known?.code === 'INVALID' ? cannot() : error;
    }
  }
}

/** The head of the source branch now. */
async function presentHead({ git }: Context, one: MergeRequestRecord): Promise<string | undefined> {
  if (one.sourceProjectId === null) return undefined;
  return await readRef(git.repository(one.sourceProjectId), `refs/heads/${one.sourceBranch}`);
}

interface Made {
  /** Where the target goes. */
  readonly result: string;
  readonly mergeCommit: string | undefined;
  readonly squashCommit: string | undefined;
}

/** The commits that the project's way of merging makes. No reference moves. */
async function makeCommits(
  context: Context,
  git: Repository,
  { mergeRequest: one, head }: Accepted,
  params: MergeParams,
  tip: string,
): Promise<Made> {
  const method = one.rules.mergeMethod ?? 'merge';
  const isForward = await isAncestor(git, tip, head);
  if (method !== 'merge' && !isForward) throw cannot();
  const committer = await committerOf(context);
  const issues = await closedIssues(context, one);
  const described = { one, git, head, tip, issues, mergedBy: committer };
  const squashCommit = squashes(one, params)
    ? await squashed(context, described, { committer, given: params.squashMessage })
    : undefined;
  const source = squashCommit ?? head;
  if (method === 'ff') return { result: source, mergeCommit: undefined, squashCommit };
  const message = params.message || (await mergeMessage(context, described));
  const mergeCommit = await merge(git, { target: tip, source, message, author: committer, committer });
  return { result: mergeCommit, mergeCommit, squashCommit };
}

/** Whether the commits become one: by the project's rule, then by the call, then by the merge request. */
const squashes = ({ rules, squash }: MergeRequestRecord, params: MergeParams): boolean =>
  rules.squashOption === 'always' || (rules.squashOption !== 'never' && (params.squash ?? squash));

/** All commits as one, on where the branches parted, by the author of the merge request. */
async function squashed(
  context: Context,
  described: Described,
  { committer, given }: { readonly committer: Identity; readonly given: string | undefined },
): Promise<string> {
  const { one, git, head, tip } = described;
  const [commit, base] = await Promise.all([readCommit(git, head), mergeBase(git, [tip, head])]);
  if (!commit || base === undefined) throw cannot();
  const message = given || (await squashMessage(context, described));
  // One commit that says the same stays as it is.
  const isOne = commit.parents.length === 1 && commit.parents[0] === base;
  if (isOne && commit.message.trim() === message.trim()) return head;
  const author = (await identityOf(context, one.authorId)) ?? committer;
  return await writeCommit(git, { parents: [base], message, author, committer }, commit.tree);
}

/** References to the issues that it closes, as far as the viewer reads them. */
export async function closedIssues(context: Context, one: MergeRequestRecord): Promise<string[]> {
  const rows = await closedByMerging(context.database, one.id);
  const issues = await Promise.all(rows.map(({ id }) => readableIssueById(context, id)));
  return issues.flatMap((issue) =>
    issue ? [`${issue.projectId === one.projectId ? '' : issue.projectPath}#${issue.iid}`] : [],
  );
}
