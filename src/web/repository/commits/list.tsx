import { useContext } from 'preact/hooks';
import { CommitStatus, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { Day, dayText, TimeZone } from '../../site/records/day.tsx';
import { codePath, commitPath, type CodeOf } from '../code/addresses.ts';
import { Written, type ShownCommit } from '../code/commit-line.tsx';

/** A commit, with the status of its last pipeline where the list shows it. */
export interface CommitOfList extends ShownCommit {
  readonly latestPipeline?: CommitPipeline | null;
}

interface CommitListProps {
  readonly of: CodeOf;
  readonly commits: readonly CommitOfList[];
}

/** Commits under the days on which they were written, where the visitor is, in the order in which they come. */
export function CommitList({ of, commits }: CommitListProps) {
  const zone = useContext(TimeZone);
  const days: { at: string; commits: CommitOfList[] }[] = [];
  for (const commit of commits) {
    const day = days.at(-1);
    if (day && dayText(day.at, zone) === dayText(commit.authoredDate, zone)) day.commits.push(commit);
    else days.push({ at: commit.authoredDate, commits: [commit] });
  }
  return (
    <>
      {days.map((day) => (
        <>
          <h2 class="day">
            <Day at={day.at} />
          </h2>
          <ul class="records commits">
            {day.commits.map((commit) => (
              <li class="line">
                <div>
                  <a href={commitPath(of, commit.sha)}>
                    <bdi>{commit.title}</bdi>
                  </a>
                  <p>
                    <Written commit={commit} />
                  </p>
                </div>
                <span class="file-ways">
                  <CommitStatus pipeline={commit.latestPipeline} />
                  <code>{commit.shortId}</code>
                  <a href={codePath(of, 'tree', commit.sha)}>
                    Files<span class="hidden"> at {commit.shortId}</span>
                  </a>
                </span>
              </li>
            ))}
          </ul>
        </>
      ))}
    </>
  );
}
