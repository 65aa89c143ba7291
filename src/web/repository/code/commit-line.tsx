import { Ago } from '../../site/records/day.tsx';
import { commitPath, type CodeOf } from './addresses.ts';

/** A commit, as lists show it. */
export interface ShownCommit {
  readonly sha: string;
  readonly shortId: string;
  readonly title: string;
  readonly authorName: string;
  readonly authoredDate: string;
}

export const commitFields = 'sha shortId title authorName authoredDate';

interface CommitLineProps {
  readonly of: CodeOf;
  readonly commit: ShownCommit;
}

/** The commit that changed something last. */
export function LastCommit({ of, commit }: CommitLineProps) {
  return (
    <p class="last-commit">
      <a href={commitPath(of, commit.sha)}>
        <bdi>{commit.title}</bdi>
      </a>{' '}
      <Written commit={commit} /> <code>{commit.shortId}</code>
    </p>
  );
}

/** Who wrote a commit, and when: what its author claimed. */
export function Written({ commit: { authorName, authoredDate } }: Pick<CommitLineProps, 'commit'>) {
  return (
    <span class="written">
      <bdi>{authorName}</bdi>, <Ago at={authoredDate} />
    </span>
  );
}
