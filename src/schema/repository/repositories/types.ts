import { pathOf } from '../../../git/storage/index.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import type { RepositoryRecord } from './look-up.ts';

export const Repository = builder.objectRef<RepositoryRecord>('Repository').implement({
  description: 'The git repository of a project. Those who may not read it get none.',
  fields: (t) => ({
    projectDatabaseId: t.exposeInt('id', { description: 'The number of the project.' }),
    rootRef: t.exposeString('defaultBranch', {
      nullable: true,
      description: 'The default branch; null while there is no branch.',
    }),
    readmePath: t.exposeString('readmePath', {
      nullable: true,
      description: 'The file of the default branch that says what the project is.',
    }),
    empty: t.boolean({
      description: 'Whether it has no branch.',
      direct: true,
      resolve: ({ defaultBranch }) => defaultBranch === null,
    }),
    diskPath: t.string({
      nullable: true,
      description:
        'Where its folder is in the storage, whether it exists yet or not. For administrators; null for others.',
      direct: true,
      resolve: ({ id }, _args, { viewer }) => (isAdministrator(viewer) ? pathOf(id).replace(/\.git$/, '') : null),
    }),
    exists: t.boolean({
      description: 'Whether anything was ever written to it.',
      direct: true,
      resolve: ({ git }) => git !== undefined,
    }),
  }),
});
