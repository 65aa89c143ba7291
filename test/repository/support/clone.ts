import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitClient, plainGit, temporaryFolder } from '../../git/support/engine.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { newProject } from './project.ts';

/** The address of a project for git, with a credential in it. */
export function gitUrl(
  { url }: Pick<TestGateway, 'url'>,
  { fullPath }: { fullPath: string },
  credential?: string | { user: string; password: string },
): string {
  const address = new URL(`${url}/${fullPath}.git`);
  const { user, password } =
    typeof credential === 'string' ? { user: 'any', password: credential } : (credential ?? {});
  if (password !== undefined) Object.assign(address, { username: encodeURIComponent(user!), password });
  return address.href;
}

/** A folder with a repository of its own, whose remote is a project. */
export function workTree(remote: string) {
  const folder = temporaryFolder();
  plainGit(folder, ['init', '--quiet', '--initial-branch=main']);
  plainGit(folder, ['remote', 'add', 'origin', remote]);
  return {
    folder,
    /** Commits one file. @returns the name of the commit */
    commit(name: string, content: string | Buffer = `${name}\n`) {
      writeFileSync(join(folder, name), content);
      plainGit(folder, ['add', '.']);
      plainGit(folder, ['commit', '--quiet', '-m', `Add ${name}`]);
      return plainGit(folder, ['rev-parse', 'HEAD']);
    },
    git: (...args: string[]) => plainGit(folder, args),
    push: (...args: string[]) => gitClient(folder, ['push', 'origin', ...args]),
    fetch: (...args: string[]) => gitClient(folder, ['fetch', 'origin', ...args]),
  };
}

/** A new project with one commit on `main`, and a work tree of it. */
export async function filledProject(gateway: TestGateway) {
  const project = await newProject(gateway);
  const work = workTree(gitUrl(gateway, project, gateway.tokens.maintainer));
  const first = work.commit('first');
  const pushed = await work.push('main');
  if (pushed.code !== 0) throw new Error(pushed.text);
  return { project, first, ...work };
}

/** Clones. @returns the folder, and what git said */
export async function clone(remote: string, ...options: string[]) {
  const folder = temporaryFolder();
  const said = await gitClient(folder, ['clone', ...options, remote, 'clone']);
  return { ...said, folder: join(folder, 'clone') };
}
