import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Conversation, type Discussed } from '../../planning/notes/conversation.tsx';
import type { AroundThreads, Threads } from '../../planning/notes/page.ts';
import type { Thread } from '../../planning/notes/thread.ts';
import type { ThreadLines } from '../../reviews/diffs/thread-lines.ts';
import { CommitStatus, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { Moment } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { TextField } from '../../site/forms/forms.tsx';
import { Facts, Nothing, Pager } from '../../site/records/records.tsx';
import { codePath, commitPath, comparePath } from '../code/addresses.ts';
import type { ShownCommit } from '../code/commit-line.tsx';
import { CodeHeading, type RefNames } from '../code/heading.tsx';
import type { Located } from '../code/locate.ts';
import { CommentPlace } from './comment-place.tsx';
import { rightsOf, type CommentRights } from './comments.ts';
import { Diffs } from './diffs.tsx';
import { CommitList, type CommitOfList } from './list.tsx';
import type { ChosenLine, TypedOnCommit } from './line-comment.tsx';
import type { ShownDiff } from './patch.ts';
import { AtLine, placedExtras } from './placed.tsx';

interface HistoryPageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly at: Located;
  readonly commits: readonly CommitOfList[];
  readonly refs: RefNames;
  readonly author: string;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** The commits that led to a revision, or those that changed a path. */
export function HistoryPage({ site, place, at, commits, refs, author, pages }: HistoryPageProps) {
  const { ref, path } = at;
  return (
    <PlaceLayout site={site} place={place} title={`Commits of ${path || ref} · ${place.name}`} current="commits">
      <h1 class="code-title">Commits</h1>
      <CodeHeading of={place} at={at} page="commits" refs={refs} />
      <form class="filters" method="get" action={codePath(place, 'commits', ref, path)}>
        <TextField name="author" label="Author" type="search" value={author} />
        <button class="button">Filter</button>
      </form>
      {commits.length === 0 ? (
        <Nothing
          says={author ? 'No commits of this author.' : 'No commits.'}
          all={author ? codePath(place, 'commits', ref, path) : undefined}
        />
      ) : (
        <CommitList of={place} commits={commits} />
      )}
      <Pager of="commits" {...pages} />
    </PlaceLayout>
  );
}

/** A commit as its page shows it. */
export interface WholeCommit extends ShownCommit {
  readonly description: string | null;
  readonly parentIds: readonly string[];
  readonly authorEmail: string;
  readonly committerName: string;
  readonly committedDate: string;
  readonly latestPipeline: CommitPipeline | null;
  readonly userPermissions: CommentRights;
  readonly discussions: Threads;
}

interface CommitPageProps extends AroundThreads {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly commit: WholeCommit;
  readonly files: readonly ShownDiff[];
  readonly more: boolean;
  /** The threads that are shown at their lines, and the line that a person comments on. */
  readonly placed: readonly Thread[];
  readonly chosen: ChosenLine;
  /** The lines that the other threads stand on. */
  readonly lines: ThreadLines;
  /** Whether a script follows the links to comments that the page leaves out. */
  readonly scripts: boolean;
  readonly typed?: TypedOnCommit | undefined;
}

/** A commit with what it changed, and what people said about it. */
export function CommitPage(props: CommitPageProps) {
  const { site, place, commit, files, more, placed, chosen, lines, earlier, later, scripts, typed } = props;
  const { sha, title, description, parentIds, authorName, authoredDate, committerName, committedDate } = commit;
  const of: Discussed = {
    path: commitPath(place, sha),
    threads: commit.discussions.nodes,
    userPermissions: rightsOf(commit.userPermissions),
    isSimple: true,
    hint: 'As Markdown. The line /tag v1.0 tags the commit.',
    above: (thread) => <CommentPlace place={place} thread={thread} lines={lines} />,
    elsewhere: (thread) => (placed.some(({ key }) => key === thread.key) ? <AtLine thread={thread} /> : undefined),
  };
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`${typed ? 'Error: ' : ''}${title} · ${place.name}`}
      current="commits"
      load={scripts ? ['copy.js', 'comments.js'] : ['copy.js']}
    >
      <p class="kind">Commit {commit.shortId}</p>
      <h1 class="code-title">
        <bdi>{title}</bdi>
      </h1>
      {description !== null && <pre class="plain message">{description}</pre>}
      <Facts
        facts={[
          [
            'Author',
            <>
              <bdi>{authorName}</bdi>, <Moment at={authoredDate} />
            </>,
          ],
          (committerName !== authorName || committedDate !== authoredDate) && [
            'Committer',
            <>
              <bdi>{committerName}</bdi>, <Moment at={committedDate} />
            </>,
          ],
          ['Commit', <code class="secret">{sha}</code>],
          commit.latestPipeline && ['Pipeline', <CommitStatus pipeline={commit.latestPipeline} />],
          [
            parentIds.length === 1 ? 'Parent' : 'Parents',
            parentIds.length === 0
              ? 'None: it is the first one.'
              : parentIds.map((id) => (
                  <>
                    <a href={commitPath(place, id)}>
                      <code>{id.slice(0, 8)}</code>
                    </a>{' '}
                  </>
                )),
          ],
        ]}
      />
      <p class="decision">
        <a class="button" href={codePath(place, 'tree', sha)}>
          Files at this commit
        </a>
        {parentIds.length > 1 && <a href={comparePath(place, [parentIds[1]!, sha])}>Compare with the second parent</a>}
      </p>
      {parentIds.length > 1 && <p class="hint">It merges. These are the differences from its first parent.</p>}
      <Diffs
        of={place}
        from={parentIds[0] ?? null}
        to={sha}
        files={files}
        more={more}
        extras={placedExtras({ site, place, of, commit, placed, chosen, draft: typed?.line })}
      />
      <Conversation site={site} place={place} of={of} earlier={earlier} later={later} draft={typed?.comment} />
    </PlaceLayout>
  );
}
