import type { TestGateway } from '../../support/gateway.ts';
import { addMember } from '../../support/places/people.ts';
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

const readme = `# Harbour

Ships come **in** and go _out_. Read [the rules](docs/rules.md) first.

![Map of the harbour](docs/map.png)

## How to build

\`\`\`sh
npm ci && npm start -- --with-many-options --that-make-this-a-rather-long-line --which-does-not-fit-on-a-phone
\`\`\`

| what | when |
|---|---|
| tide | twice a day |
`;

const harbour = `import { tide } from './tide.ts';

/** Lets a ship in.
 * @param name of the ship */
export async function enter(name: string, depth = 4.5): Promise<boolean> {
  if (!/^[A-Z]/.test(name)) throw new Error(\`No ship is called \${name}, and nobody would ever think of calling one by such a long message\`);
  return (await tide()) > depth; // in metres
}
`;

const map = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Writes to a project what its pages show in many ways. @returns a commit with all kinds of changes */
export async function fillWithCode(gateway: TestGateway, code: Code): Promise<string> {
  const { rest, tokens } = gateway;
  await code.commit(
    {
      'README.md': readme,
      LICENSE: 'Free\n',
      'docs/rules.md': '# Rules\n',
      'docs/a name that is long enough to need several lines on a phone, surely.txt': 'long\n',
      'src/harbour.ts': harbour,
      'src/tide.ts': 'export const tide = async () => 5;\n',
    },
    { commit_message: 'Begin' },
  );
  const sha = await code.commit(
    {},
    {
      commit_message: 'Let ships with a deeper draught in, if the tide is high enough for them\n\nThey waited long.',
      actions: [
        { action: 'create', file_path: 'docs/map.png', content: map, encoding: 'base64' },
        {
          action: 'update',
          file_path: 'src/harbour.ts',
          content: harbour.replace('4.5', '6').replace('in metres', 'm'),
        },
        { action: 'move', file_path: 'src/water.ts', previous_path: 'src/tide.ts' },
        { action: 'delete', file_path: 'LICENSE' },
      ],
    },
  );
  await code.branch('feature/a-name-of-some-length');
  await code.commit(
    { 'docs/more.md': 'More\n' },
    { branch: 'feature/a-name-of-some-length', commit_message: 'Say more' },
  );
  const json = { tag_name: 'v1.0', ref: 'main', message: 'The first one' };
  await rest('POST', `${code.path}/repository/tags`, { token: tokens.maintainer, json });
  return sha;
}
