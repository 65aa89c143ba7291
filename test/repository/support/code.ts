import type { TestGateway } from '../../support/gateway.ts';
import { addMember } from '../../support/people.ts';
import { newProject } from './project.ts';

/** Requests to the repository of a new project. */
export interface Code {
  readonly id: number;
  /** Its path in the API. */
  readonly path: string;
  readonly fullPath: string;
  /** Makes a commit that writes files, on `main` unless another branch is named. @returns its name */
  commit(files: Record<string, string>, further?: Record<string, unknown>): Promise<string>;
  /** Makes a branch. */
  branch(name: string, ref?: string): Promise<void>;
}

/** A new project of the maintainer, in which the developer has that role; without a commit. */
export async function newCode(gateway: TestGateway, attributes: Record<string, unknown> = {}): Promise<Code> {
  const { rest, tokens } = gateway;
  const token = tokens.maintainer;
  const project = await newProject(gateway, attributes);
  await addMember(gateway, { id: '3' }, 'DEVELOPER', { project: String(project.id) });
  const send = async (path: string, json: unknown) => {
    const { status, body, text } = await rest('POST', `${project.path}/repository/${path}`, { token, json });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body as { id: string };
  };
  return {
    ...project,
    async commit(files, further = {}) {
      const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }));
      return (await send('commits', { branch: 'main', commit_message: 'Change', actions, ...further })).id;
    },
    async branch(name, ref = 'main') {
      await send('branches', { branch: name, ref });
    },
  };
}
