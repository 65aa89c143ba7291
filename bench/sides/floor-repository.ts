import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from '../../src/git/storage/create.ts';
import { answer, bearer, live, unauthorized, type Asked } from './by-hand.ts';
import { PlainGit } from './plain-git.ts';

/**
 * The floor of repositories: one statement for who asks and what they may, and then one `git cat-file` a repository. What
 * only a walk through the history shows is remembered for ever.
 */

const text = `select p.full_path, p.default_branch from ${bearer} join projects p on p.id = $2 join namespaces n on n.id = p.namespace_id
  where ${live} and p.deleting_since is null and n.deleting_since is null and coalesce(p.attributes ->> 'repositoryAccessLevel', '') <> 'disabled'
    and (p.visibility <> 'PRIVATE' or greatest(
      (select m.access_level from project_members m where m.project_id = p.id and m.user_id = u.id),
      (select max(m.access_level) from group_members m where m.group_id = any(n.ancestry) and m.user_id = u.id)) >= 20)`;

const run = promisify(execFile);
const opened = new Map<string, PlainGit>();
const folderOf = (project: string) => join(process.env.DATA_DIR!, 'repositories', pathOf(Number(project)));

function openedGit(project: string): PlainGit {
  let git = opened.get(project);
  if (!git) opened.set(project, (git = new PlainGit(folderOf(project))));
  return git;
}

const walks = new Map<string, Promise<string[]>>();

/** The commits that `git log` names, remembered. */
function walk(project: string, ...args: string[]): Promise<string[]> {
  const key = [project, ...args].join(' ');
  let found = walks.get(key);
  if (!found) {
    found = run('git', ['rev-list', ...args], { cwd: folderOf(project) }).then(({ stdout }) =>
      stdout.trim().split('\n'),
    );
    walks.set(key, found);
  }
  return found;
}

interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

function entriesOf(tree: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(32, at);
    const end = tree.indexOf(0, space);
    entries.push({
      mode: tree.toString('latin1', at, space).padStart(6, '0'),
      name: tree.toString('utf8', space + 1, end),
      id: tree.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

const moment = (seconds: string) => new Date(Number(seconds) * 1000).toISOString().replace('Z', '+00:00');

function commitOf(id: string, content: Buffer, web: string): object {
  const [head, ...rest] = content.toString().split('\n\n');
  const message = rest.join('\n\n');
  const person = (kind: string) => new RegExp(`^${kind} (.*) <(.*)> (\\d+) `, 'm').exec(head!)!.slice(1);
  const [author, committer] = [person('author'), person('committer')];
  return {
    id,
    short_id: id.slice(0, 8),
    created_at: moment(committer[2]!),
    parent_ids: [...head!.matchAll(/^parent (.*)$/gm)].map(([, parent]) => parent),
    title: message.split('\n', 1)[0],
    message,
    author_name: author[0],
    author_email: author[1],
    authored_date: moment(author[2]!),
    committer_name: committer[0],
    committer_email: committer[1],
    committed_date: moment(committer[2]!),
    trailers: {},
    web_url: `${web}/-/commit/${id}`,
  };
}

/** A file as JSON or raw, a folder, or a page of commits; all of `main`. @returns whether it was such a request */
export async function repository({ pool, response, secret, url, baseUrl }: Asked): Promise<boolean> {
  const { pathname, searchParams } = new URL(url, baseUrl);
  const [, project, what, rest, raw] =
    /^\/api\/v4\/projects\/(\d+)\/repository\/(files|tree|commits)(?:\/(.*?)(\/raw)?)?$/.exec(pathname) ?? [];
  if (project === undefined) return false;
  const {
    rows: [place],
  } = await pool.query<{ full_path: string }>({ name: 'repository', text, values: [secret, project] });
  if (!place) {
    unauthorized(response);
    return true;
  }
  const git = openedGit(project);
  const tip = await git.read('refs/heads/main');
  if (what === 'files') {
    const path = decodeURIComponent(rest!);
    const { id, content } = await git.read(`${tip.id}:${path}`);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const folder = await git.read(`${tip.id}:${path.slice(0, path.lastIndexOf('/'))}`);
    const facts = {
      file_name: name,
      file_path: path,
      size: content.length,
      encoding: 'base64',
      content_sha256: createHash('sha256').update(content).digest('hex'),
      ref: 'main',
      blob_id: id,
      commit_id: tip.id,
      last_commit_id: (await walk(project, '--max-count=1', tip.id, '--', path))[0],
      execute_filemode: entriesOf(folder.content).find((entry) => entry.name === name)?.mode === '100755',
    };
    if (!raw) {
      answer(response, 200, { ...facts, content: content.toString('base64') });
      return true;
    }
    const headers = Object.entries(facts).map(([key, value]) => [
      `x-gitlab-${key.replaceAll('_', '-')}`,
      String(value),
    ]);
    response.writeHead(200, {
      ...Object.fromEntries(headers),
      'content-type': 'text/plain; charset=utf-8',
      'content-length': content.length,
    });
    response.end(content);
  } else if (what === 'tree') {
    const path = searchParams.get('path')!;
    const { content } = await git.read(`${tip.id}:${path}`);
    const type = ({ mode }: Entry) => (mode === '040000' ? 'tree' : 'blob');
    const entries = entriesOf(content);
    const sorted = [
      ...entries.filter((entry) => type(entry) === 'tree'),
      ...entries.filter((entry) => type(entry) === 'blob'),
    ];
    const shown = sorted.slice(0, 20).map((entry) => ({
      id: entry.id,
      name: entry.name,
      type: type(entry),
      path: `${path}/${entry.name}`,
      mode: entry.mode,
    }));
    answer(response, 200, shown);
  } else {
    const skipped = (Number(searchParams.get('page')) - 1) * 20;
    const ids = await walk(project, `--skip=${skipped}`, '--max-count=20', tip.id);
    const commits = await Promise.all(ids.map((id) => git.read(id)));
    const web = `${baseUrl}/${place.full_path}`;
    answer(
      response,
      200,
      commits.map(({ id, content }) => commitOf(id, content, web)),
    );
  }
  return true;
}
