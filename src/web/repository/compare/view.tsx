import { PlaceLayout } from '../../places/place/layout.tsx';
import { writesTo } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { newMergeRequestPath } from '../../reviews/merge-requests/addresses.ts';
import { TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { comparePath } from '../code/addresses.ts';
import type { ShownCommit } from '../code/commit-line.tsx';
import type { RefNames } from '../code/heading.tsx';
import { Diffs } from '../commits/diffs.tsx';
import { CommitList } from '../commits/list.tsx';
import type { ShownDiff } from '../commits/patch.ts';

/** What one revision has that another lacks. */
export interface Compared {
  /** The newest first. */
  readonly commits: readonly ShownCommit[];
  /** Whether there are more commits than these. */
  readonly moreCommits: boolean;
  readonly files: readonly ShownDiff[];
  readonly moreFiles: boolean;
  readonly isSame: boolean;
}

interface ComparePageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly from: string;
  readonly to: string;
  readonly refs: RefNames;
  /** Null before both are chosen, and if one of them isn't there. */
  readonly compared: Compared | null;
  /** Why there is nothing to compare, in a sentence. */
  readonly problem?: string | undefined;
}

/** The form that asks what to compare, and what was found. */
export function ComparePage({ site, place, from, to, refs, compared, problem }: ComparePageProps) {
  const names = [...new Set([...refs.branches, ...refs.tags])];
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={compared ? `${from}...${to} · ${place.name}` : `Compare · ${place.name}`}
      current="code"
    >
      <h1>Compare</h1>
      <p class="lead">The commits and changes of one branch, tag or commit that another one lacks.</p>
      {problem !== undefined && (
        <p class="warning" role="alert">
          {problem}
        </p>
      )}
      <form class="filters" method="get" action={comparePath(place)}>
        <TextField name="from" label="From" value={from} suggestions={names} technical required />
        <TextField name="to" label="To" value={to} suggestions={names} technical required />
        <button class="button">Compare</button>
      </form>
      {compared && <Found place={place} from={from} to={to} compared={compared} branches={refs.branches} />}
    </PlaceLayout>
  );
}

interface FoundProps extends Pick<ComparePageProps, 'place' | 'from' | 'to'> {
  readonly compared: Compared;
  readonly branches: readonly string[];
}

function Found({ place, from, to, compared, branches }: FoundProps) {
  const opens = place.mergeRequestsEnabled && writesTo(place) && [from, to].every((name) => branches.includes(name));
  const { commits, moreCommits, files, moreFiles, isSame } = compared;
  if (isSame) return <p class="empty">Both are the same commit.</p>;
  return (
    <>
      <p>
        <a href={comparePath(place, [to, from])}>Compare the other way round</a>
        {commits.length > 0 && opens && (
          <>
            {' '}
            · <a href={newMergeRequestPath(place, { source: to, target: from })}>Create merge request</a>
          </>
        )}
      </p>
      {commits.length === 0 ? (
        <p class="empty">
          <bdi>{to}</bdi> has no commit that <bdi>{from}</bdi> lacks.
        </p>
      ) : (
        <>
          <CommitList of={place} commits={commits} />
          {moreCommits && <p class="empty">There are more commits than a page shows.</p>}
        </>
      )}
      {commits.length > 0 && <Diffs of={place} from={from} to={to} files={files} more={moreFiles} />}
    </>
  );
}
