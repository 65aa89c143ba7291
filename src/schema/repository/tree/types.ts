import { builder } from '../../engine/builder.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { encodedPath } from '../../../values/text/file-path.ts';

/** An entry of a folder. */
export interface EntryRecord {
  readonly repository: RepositoryRecord;
  /** The revision as it was asked for. */
  readonly ref: string;
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly type: 'tree' | 'blob' | 'commit';
  /** Six digits. */
  readonly mode: string;
}

const EntryType = builder.enumType('EntryType', {
  description: 'What an entry of a folder is; `commit` is a submodule.',
  values: { tree: { value: 'tree' }, blob: { value: 'blob' }, commit: { value: 'commit' } } as const,
});

const pages = { tree: 'tree', blob: 'blob', commit: 'tree' } as const;
const webPath = ({ repository, ref, path, type }: EntryRecord) =>
  `/${repository.fullPath}/-/${pages[type]}/${encodeURIComponent(ref)}/${encodedPath(path)}`;

export const TreeEntry = builder.objectRef<EntryRecord>('TreeEntry').implement({
  description: 'A folder, a file or a submodule in a folder.',
  fields: (t) => ({
    id: t.id({ direct: true, resolve: ({ id }) => `gid://gitlab/TreeEntry/${id}` }),
    sha: t.exposeString('id', { description: 'The name of the object.' }),
    name: t.exposeString('name'),
    type: t.expose('type', { type: EntryType }),
    path: t.exposeString('path'),
    flatPath: t.exposeString('path'),
    mode: t.exposeString('mode', { description: 'As in git, six digits.' }),
    webPath: t.string({ nullable: true, direct: true, resolve: webPath }),
    webUrl: t.string({
      nullable: true,
      direct: true,
      resolve: (entry, _args, { baseUrl }) => `${baseUrl}${webPath(entry)}`,
    }),
  }),
});
