import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import { objectSchema } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { text } from '../../engine/schemas.ts';

interface EntryData {
  readonly sha: string;
  readonly name: string;
  readonly type: 'tree' | 'blob' | 'commit';
  readonly path: string;
  readonly mode: string;
}

export const treeRoutes: readonly AnyRoute[] = [
  listRoute<EntryData>({
    path: '/api/v4/projects/:id/repository/tree',
    summary: 'List a folder of a repository',
    tag: 'Repositories',
    of: 'TreeEntry',
    keyset: () => true,
    token: 'path',
    whole: { field: 'wholeTree', args: { path: 'String', ref: 'String' } },
    parameters: [
      { name: 'path', type: 'string', description: 'The folder; the root if omitted.' },
      { name: 'ref', type: 'string', description: 'A branch, a tag or a commit; the default branch if omitted.' },
      { name: 'recursive', type: 'boolean', description: 'With everything below it.' },
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'treeEntries',
    args: { path: 'String', ref: 'String', recursive: 'Boolean' },
    selection: 'sha name type path mode',
    variables({ id, path, ref, recursive, pagination }) {
      if (pagination === 'none' && recursive !== true)
        throw new ParameterProblems(['pagination cannot be "none" unless "recursive" is true']);
      return { project: id, path, ref, recursive };
    },
    record: {
      name: 'TreeEntry',
      schema: objectSchema({ id: text, name: text, type: text, path: text, mode: text }),
      present: ({ sha, name, type, path, mode }) => ({ id: sha, name, type, path, mode }),
    },
  }),
];
