import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { commitPath } from '../../repository/code/addresses.ts';
import { Moment } from '../../site/records/day.tsx';
import { Choices, Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { mergeRequestPath } from '../merge-requests/addresses.ts';
import { MergeRequestButton } from '../merge-requests/button.tsx';
import type { ShownMergeRequest } from '../merge-requests/merge-request.ts';
import { decidesSquash } from '../../../values/attributes/squash-option.ts';

/** What a person typed into the form of merging that was refused, and why, in a sentence. */
export interface MergeDraft {
  readonly squash: boolean;
  readonly removes: boolean;
  readonly message: string;
  readonly problem: string;
}

interface BoxProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly mergeRequest: ShownMergeRequest;
  readonly draft?: MergeDraft | undefined;
}

/** Why a merge request can't be merged, by its detailed status. */
const reasons: Readonly<Record<string, string>> = {
  UNCHECKED: 'Whether it can be merged wasn’t checked yet. Load the page again in a moment.',
  CHECKING: 'Whether it can be merged is being checked. Load the page again in a moment.',
  PREPARING: 'Its first diff is being made. Load the page again in a moment.',
  COMMITS_STATUS: 'There is nothing to merge: a branch is missing, or the source has no commit that the target lacks.',
  CI_MUST_PASS: 'Its pipeline must succeed first: the project demands it.',
  CI_STILL_RUNNING: 'Its pipeline is still running, and must succeed first: the project demands it.',
  DISCUSSIONS_NOT_RESOLVED: 'All threads must be resolved first: the project demands it.',
  DRAFT_STATUS: 'It is a draft. Mark it as ready first.',
  CONFLICT: 'It has conflicts with the target branch. Resolve them in the source branch, and push it.',
  NEED_REBASE: 'The target branch went on. Rebase the source branch first.',
  NOT_OPEN: 'It isn’t open.',
};

/** Whether it can be merged, and the forms that do it. */
export function MergeBox(props: BoxProps) {
  const { site, place, mergeRequest, draft } = props;
  const { state, mergeError, rebaseInProgress, autoMergeEnabled } = mergeRequest;
  if (state === 'merged') return <Merged {...props} />;
  return (
    <section class="merge-box" aria-labelledby="merging">
      <h2 id="merging">Merging</h2>
      {draft && (
        <p class="warning" role="alert">
          {draft.problem}
        </p>
      )}
      {mergeError && <p class="warning">The last attempt failed: {mergeError}</p>}
      {rebaseInProgress && <p>The source branch is being rebased. Load the page again in a moment.</p>}
      {state === 'closed' && <p>It is closed. Reopen it to merge it.</p>}
      {state === 'locked' && <p>It is being merged. Load the page again in a moment.</p>}
      {state === 'opened' && (autoMergeEnabled ? <Waiting {...props} /> : <Open {...props} />)}
      {state === 'opened' && !site.visitor && (
        <p class="hint">
          <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to take part.
        </p>
      )}
      {state === 'opened' && <Rebase site={site} place={place} mergeRequest={mergeRequest} />}
    </section>
  );
}

function Merged({ place, mergeRequest: { mergeCommitSha, squashCommitSha, targetBranch } }: BoxProps) {
  const sha = mergeCommitSha ?? squashCommitSha;
  return (
    <section class="merge-box" aria-labelledby="merging">
      <h2 id="merging">Merged</h2>
      <p>
        Its changes are in <code class="branch">{targetBranch}</code>
        {sha && (
          <>
            {' '}
            since <a href={commitPath(place, sha)}>{sha.slice(0, 8)}</a>
          </>
        )}
        .
      </p>
    </section>
  );
}

/** It merges by itself once its pipeline succeeds. */
function Waiting({ site, place, mergeRequest }: BoxProps) {
  const { mergeUser, author, userPermissions, detailedMergeStatus: status, mergeAfter } = mergeRequest;
  const mayCancel =
    site.visitor !== null && !place.archived && (userPermissions.canMerge || author.username === site.visitor.username);
  return (
    <>
      <p>
        It will be merged by itself once its pipeline succeeds
        {mergeUser && (
          <>
            , as <bdi>{mergeUser.name}</bdi> asked
          </>
        )}
        {status === 'MERGE_TIME' && mergeAfter && (
          <>
            , and not before <Moment at={mergeAfter} />
          </>
        )}
        . A push to the source branch cancels it.
      </p>
      {mayCancel && (
        <MergeRequestButton site={site} place={place} mergeRequest={mergeRequest} does="cancel_auto_merge">
          Cancel merging by itself
        </MergeRequestButton>
      )}
    </>
  );
}

/** Whether it can be merged now, and by whom. */
function Open(props: BoxProps) {
  const { site, place, mergeRequest } = props;
  const { detailedMergeStatus: status, mergeAfter, userPermissions, headPipeline, rebaseInProgress } = mergeRequest;
  const isEarly = status === 'MERGE_TIME' && mergeAfter !== null;
  const isMergeable = status === 'MERGEABLE';
  const mayMerge = site.visitor !== null && !place.archived && userPermissions.canMerge && !rebaseInProgress;
  const mayWait = isEarly || (headPipeline?.active === true && (isMergeable || status === 'CI_STILL_RUNNING'));
  return (
    <>
      <p>
        {isEarly ? (
          <>
            It isn’t merged before <Moment at={mergeAfter} />.
          </>
        ) : isMergeable ? (
          'It can be merged: nothing stands in the way.'
        ) : (
          (reasons[status] ?? 'It can’t be merged now.')
        )}
      </p>
      <NoRunner {...props} />
      {mayMerge && (mayWait || isMergeable) && <MergeForm {...props} waits={mayWait} now={isMergeable} />}
      {site.visitor && !place.archived && !userPermissions.canMerge && (
        <p class="hint">Only those merge it who may write to the branch {mergeRequest.targetBranch}.</p>
      )}
    </>
  );
}

/** Why the pipeline doesn't go on, if it has jobs, and no runner has any of them. */
function NoRunner({ place, mergeRequest: { headPipeline } }: BoxProps) {
  const jobs = (headPipeline?.jobs?.nodes ?? []).filter(({ external }) => !external);
  const groups = new Set(jobs.map(({ detailedStatus }) => detailedStatus?.group));
  if (!groups.has('pending') || groups.has('running')) return null;
  return (
    <p class="hint">
      Its pipeline waits: no runner has taken its jobs yet.{' '}
      {place.userPermissions.adminProject ? (
        <a href={below(place, '/runners')}>Attach a runner</a>
      ) : (
        'A maintainer of the project can attach one.'
      )}
    </p>
  );
}

interface MergeFormProps extends BoxProps {
  /** Whether it may merge later: once the pipeline succeeds, or from a moment on. */
  readonly waits: boolean;
  /** Whether it may merge at once. */
  readonly now: boolean;
}

/** The form that merges. */
function MergeForm({ site, place, mergeRequest, draft, waits, now }: MergeFormProps) {
  const { diffHeadSha, targetProject, squashOnMerge, forceRemoveSourceBranch } = mergeRequest;
  const squashOption = targetProject?.squashOption ?? 'default_off';
  const hasMessage = targetProject?.mergeMethod !== 'ff';
  const whenWaited =
    mergeRequest.detailedMergeStatus === 'MERGE_TIME' ? 'Merge from then on' : 'Merge when the pipeline succeeds';
  const fields = (
    <>
      <Choices
        name="merging"
        label="Options"
        choices={[
          {
            name: 'squash',
            label: 'Squash commits',
            says:
              squashOption === 'always'
                ? 'Its commits become one. The project requires it.'
                : squashOption === 'never'
                  ? 'The project doesn’t allow it.'
                  : 'Its commits become one.',
            chosen: draft?.squash ?? squashOnMerge,
            disabled: decidesSquash(squashOption),
          },
          {
            name: 'remove',
            label: 'Delete the source branch afterwards',
            chosen: draft?.removes ?? forceRemoveSourceBranch === true,
          },
        ]}
      />
      {hasMessage && (
        <details open={draft !== undefined && draft.message !== ''}>
          <summary>Message of the merge commit</summary>
          <TextField
            name="message"
            label="Message of the merge commit"
            hint="If you leave it empty, the template of the project is used."
            lines={4}
            value={draft?.message ?? ''}
          />
        </details>
      )}
      <div class="decision">
        <button class="button primary">{waits ? whenWaited : 'Merge'}</button>
        {waits && now && (
          <button class="button" name="at_once" value="on">
            Merge now
          </button>
        )}
      </div>
    </>
  );
  return (
    <Form
      csrf={site.visitor!.csrf}
      action={mergeRequestPath(place, mergeRequest, waits ? '/auto_merge' : '/merge')}
      carries={{ sha: diffHeadSha ?? undefined }}
    >
      {fields}
    </Form>
  );
}

/** How far the target went on, and the form that rebases. */
function Rebase({ site, place, mergeRequest }: BoxProps) {
  const {
    divergedCommitsCount: behind,
    rebaseInProgress,
    userPermissions,
    sourceProjectId,
    targetProjectId,
  } = mergeRequest;
  if (behind === 0) return null;
  const mayRebase =
    site.visitor !== null &&
    !place.archived &&
    !rebaseInProgress &&
    (sourceProjectId === targetProjectId
      ? place.userPermissions.pushCode === true
      : userPermissions.updateMergeRequest && sourceProjectId !== null);
  return (
    <>
      <p class="hint">
        The target branch has {behind === 1 ? 'one commit' : `${behind} commits`} that the source branch lacks.
      </p>
      {mayRebase && (
        <MergeRequestButton site={site} place={place} mergeRequest={mergeRequest} does="rebase" quiet>
          Rebase the source branch
        </MergeRequestButton>
      )}
    </>
  );
}
