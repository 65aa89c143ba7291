import type { ServiceName } from '../git-http/index.ts';

/** What a client asks for: the one text that it sends, which no shell ever sees. */
export type Command =
  | { readonly asks: 'git'; readonly service: ServiceName; readonly project: string }
  /** `git archive --remote`. */
  | { readonly asks: 'archive' }
  /** A repository that can't be there. */
  | { readonly asks: 'missing' }
  /** Anything else. */
  | { readonly asks: 'nothing' };

/** The forms that git writes: a command, and a path in quotes, in which no quote can be. */
const known = /^git[- ](?<service>upload-pack|receive-pack|upload-archive) '(?<path>[^']*)'$/;

/** Paths longer than all that exist. */
const longestPath = 1_024;
const isReadable = (path: string) => path.length <= longestPath && !/[\p{Cc}\p{Cf}\\]/u.test(path);
/** Repositories beside that of a project, which aren't offered: wikis and snippets. */
const beside = /\.wiki$|(?:^|\/)snippets\/\d+$/;

export function readCommand(text: string): Command {
  const { service, path = '' } = known.exec(text)?.groups ?? {};
  if (service === undefined) return { asks: 'nothing' };
  if (service === 'upload-archive') return { asks: 'archive' };
  const project = path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  // The path only finds a row: no file is ever opened by it.
  const isPath = isReadable(project) && project.split('/').every((part) => !['', '.', '..'].includes(part));
  if (!isPath || beside.test(project)) return { asks: 'missing' };
  return { asks: 'git', service: `git-${service as 'upload-pack' | 'receive-pack'}`, project };
}
