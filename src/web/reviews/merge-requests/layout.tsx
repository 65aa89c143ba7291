import type { ComponentChildren } from 'preact';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { codePath } from '../../repository/code/addresses.ts';
import type { AssetName } from '../../site/layout/assets.ts';
import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, PersonName } from '../../site/records/records.tsx';
import { mergeRequestPath, mergeRequestsPath } from './addresses.ts';
import type { MergeRequestHead } from './merge-request.ts';
import { StateBadge } from './states.tsx';

/** The pages of a merge request, by the ends of their addresses. */
type MergeRequestTab = '' | '/commits' | '/pipelines' | '/diffs';

interface MergeRequestLayoutProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly mergeRequest: MergeRequestHead;
  readonly tab: MergeRequestTab;
  /** Whether a form of the page was refused. */
  readonly isRefused?: boolean;
  /** Assets that the page needs besides the common stylesheet. */
  readonly load?: readonly AssetName[];
  /** What one may do with it. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The layout of the pages of a merge request: what it is, where from and where to, and its tabs. */
export function MergeRequestLayout(props: MergeRequestLayoutProps) {
  const { site, place, mergeRequest, tab, isRefused = false, load = [], actions, children } = props;
  const { iid, title, state, draft, discussionLocked, pipelines } = mergeRequest;
  const tabs: readonly (readonly [end: MergeRequestTab, label: string, count?: number | string | null])[] = [
    ['', 'Overview'],
    ['/commits', 'Commits', mergeRequest.commitCount > 1_000 ? '1,000+' : mergeRequest.commitCount],
    ...(pipelines ? [['/pipelines', 'Pipelines', pipelines.count] as const] : []),
    ['/diffs', 'Changes', mergeRequest.changesCount ?? 0],
  ];
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`${isRefused ? 'Error: ' : ''}${title} (!${iid})`}
      current="merge-requests"
      load={load}
    >
      <p class="kind">
        <a href={mergeRequestsPath(place)}>Merge requests</a> › !{iid}
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="standing">
        <span class="badges">
          <StateBadge state={state} />
          {draft && state === 'opened' && <Badge>Draft</Badge>}
          {discussionLocked && <Badge>Discussion locked</Badge>}
        </span>{' '}
        <Origin mergeRequest={mergeRequest} />
      </p>
      <Branches place={place} mergeRequest={mergeRequest} />
      {actions}
      <nav class="tabs" aria-label={`Pages of !${iid}`}>
        {tabs.map(([end, label, count]) => (
          <a href={mergeRequestPath(place, mergeRequest, end)} aria-current={end === tab ? 'page' : undefined}>
            {label}
            {count != null && (
              <>
                {' '}
                <span class="count">{count}</span>
              </>
            )}
          </a>
        ))}
      </nav>
      {children}
    </PlaceLayout>
  );
}

interface HeadProps {
  readonly mergeRequest: MergeRequestHead;
}

/** Who opened it, and who merged or closed it. */
function Origin({ mergeRequest }: HeadProps) {
  const { author, createdAt, state, mergedAt, mergeUser, closedAt, closedBy } = mergeRequest;
  return (
    <>
      Opened on <Day at={createdAt} /> by <PersonName person={author} />
      {state === 'merged' && mergedAt && (
        <>
          , merged on <Day at={mergedAt} />
          {mergeUser && (
            <>
              {' '}
              by <PersonName person={mergeUser} />
            </>
          )}
        </>
      )}
      {state === 'closed' && closedAt && (
        <>
          , closed on <Day at={closedAt} />
          {closedBy && (
            <>
              {' '}
              by <PersonName person={closedBy} />
            </>
          )}
        </>
      )}
      .
    </>
  );
}

/** Where it comes from, and what it is merged into. One click selects the name of a branch. */
function Branches({ place, mergeRequest }: HeadProps & { readonly place: PlaceHead }) {
  const { sourceBranch, targetBranch, sourceProject, sourceProjectId, targetProjectId } = mergeRequest;
  const isFork = sourceProjectId !== targetProjectId;
  return (
    <p class="branches">
      <span class="hidden">From the branch </span>
      {isFork && (
        <>
          <bdi>{sourceProject ? sourceProject.fullPath : 'a project that is gone or private'}</bdi>:{' '}
        </>
      )}
      <code class="branch">{sourceBranch}</code> <span aria-hidden="true">→</span>
      <span class="hidden"> into the branch </span> <code class="branch">{targetBranch}</code>{' '}
      <span class="ways">
        {sourceProject && mergeRequest.state !== 'merged' && (
          <a href={codePath(sourceProject, 'tree', sourceBranch)}>
            Files<span class="hidden"> of {sourceBranch}</span>
          </a>
        )}
        {place.userPermissions.downloadCode && (
          <a href={codePath(place, 'tree', targetBranch)}>
            Files of the target<span class="hidden"> {targetBranch}</span>
          </a>
        )}
      </span>
    </p>
  );
}
