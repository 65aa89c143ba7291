import type { Commit } from '../../../git/objects/parse.ts';
import type { SystemNote } from '../../planning/notes/system.ts';

/** Commits that the note of a push names; further ones are counted. */
const most = 20;

/** Signs that mean something in Markdown: the title of a commit is text. */
const signs = /[\\`*_{}[\]()#+!|<>~@$%&^:-]/g;

/** The note of a push: what was added, the newest first. */
export function commitsNote(commits: readonly Pick<Commit, 'id' | 'message'>[]): SystemNote {
  const lines = commits.slice(0, most).map(({ id, message }) => {
    const title = message.trimStart().split('\n', 1)[0]!.trim().slice(0, 255);
    return `- ${id.slice(0, 8)} ${title.replaceAll(signs, String.raw`\$&`)}`;
  });
  if (commits.length > most) lines.push(`- … and ${commits.length - most} more`);
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
  return { body: `added ${count}\n\n${lines.join('\n')}`, action: 'commit' };
}
