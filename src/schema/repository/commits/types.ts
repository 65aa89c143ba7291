import { statsOfCommit, type Stats } from '../../../git/diff/index.ts';
import type { Commit as GitCommit, Person } from '../../../git/objects/parse.ts';
import { builder } from '../../engine/builder.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';

/** A commit, in the repository that it was read from. */
export interface CommitRecord extends GitCommit {
  readonly repository: RepositoryRecord;
}

export const commitRecord = (repository: RepositoryRecord, commit: GitCommit): CommitRecord => ({
  ...commit,
  repository,
});

const noMessage = '--no commit message';
const firstLine = (message: string) => message.trimStart().split('\n', 1)[0]!.trimEnd();
/** The first line of a commit's message. */
export const titleOf = ({ message }: Pick<GitCommit, 'message'>): string => firstLine(message) || noMessage;
/** When a person signed something. */
export const momentOf = ({ seconds }: Person) => new Date(seconds * 1000);

/** A moment as its author's clock showed it: `2012-09-20T11:50:22.000+03:00`. */
export function localOf({ seconds, zone }: Person): string {
  const [sign, hours, minutes] = [zone.slice(0, 1), zone.slice(1, 3), zone.slice(3)];
  const offset = Number(`${sign}${hours}`) * 60 + Number(`${sign}${minutes}`);
  const shown = new Date((seconds + offset * 60) * 1000).toISOString();
  return `${shown.slice(0, -1)}${sign}${hours}:${minutes}`;
}

const webPath = ({ repository, id }: CommitRecord) => `/${repository.fullPath}/-/commit/${id}`;

const CommitStats = builder.objectRef<Stats>('CommitStats').implement({
  description: 'Lines that a commit added and deleted. Binary files count nothing.',
  fields: (t) => ({
    additions: t.exposeInt('additions'),
    deletions: t.exposeInt('deletions'),
    total: t.int({ direct: true, resolve: ({ additions, deletions }) => additions + deletions }),
  }),
});

/** The last lines of a message that have a name, as `Signed-off-by: Ann`. */
function trailersOf(message: string): [name: string, value: string][] {
  const paragraphs = message.trimEnd().split(/\n\s*\n/);
  const lines = paragraphs.length > 1 ? paragraphs.at(-1)!.split('\n') : [];
  const found = lines.map((line) => /^(?<name>[A-Za-z0-9-]+) ?: ?(?<value>.*)$/.exec(line)?.groups);
  return found.every(Boolean) ? found.map((groups) => [groups!.name!, groups!.value!]) : [];
}

export const Commit = builder.objectRef<CommitRecord>('Commit').implement({
  description: 'A commit. Its names and addresses are what whoever made it claimed.',
  fields: (t) => ({
    id: t.id({ direct: true, resolve: ({ id }) => `gid://gitlab/CommitPresenter/${id}` }),
    sha: t.exposeString('id', { description: 'Its full name.' }),
    shortId: t.string({ direct: true, resolve: ({ id }) => id.slice(0, 8) }),
    title: t.string({
      description: 'The first line of its message.',
      direct: true,
      resolve: titleOf,
    }),
    fullTitle: t.string({ direct: true, resolve: titleOf }),
    message: t.exposeString('message'),
    description: t.string({
      nullable: true,
      description: 'Its message without the first line.',
      direct: true,
      resolve: ({ message }) => message.trimStart().split('\n').slice(1).join('\n').trim() || null,
    }),
    parentIds: t.exposeStringList('parents', { description: 'The full names of its parents.' }),
    authoredDate: t.field({ type: 'Time', direct: true, resolve: ({ author }) => momentOf(author) }),
    authoredAt: t.string({
      description: 'The same, as the author’s clock showed it.',
      direct: true,
      resolve: ({ author }) => localOf(author),
    }),
    authorName: t.string({ direct: true, resolve: ({ author }) => author.name }),
    authorEmail: t.string({ direct: true, resolve: ({ author }) => author.email }),
    committedDate: t.field({ type: 'Time', direct: true, resolve: ({ committer }) => momentOf(committer) }),
    committedAt: t.string({
      description: 'The same, as the committer’s clock showed it.',
      direct: true,
      resolve: ({ committer }) => localOf(committer),
    }),
    committerName: t.string({ direct: true, resolve: ({ committer }) => committer.name }),
    committerEmail: t.string({ direct: true, resolve: ({ committer }) => committer.email }),
    trailers: t.field({
      type: 'JSON',
      description: 'What the last lines of the message name, as `Signed-off-by: Ann`.',
      resolve: ({ message }) => Object.fromEntries(trailersOf(message)),
    }),
    repository: t.field({ type: Repository, resolve: ({ repository }) => repository }),
    stats: t.field({
      type: CommitStats,
      description: 'What it changed, compared with its first parent.',
      resolve: ({ repository, id }) => statsOfCommit(repository.git!, id),
    }),
    webPath: t.string({ direct: true, resolve: webPath }),
    webUrl: t.string({ direct: true, resolve: (commit, _args, { baseUrl }) => `${baseUrl}${webPath(commit)}` }),
  }),
});
