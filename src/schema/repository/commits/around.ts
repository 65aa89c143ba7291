import { countCommits } from '../../../git/history/index.ts';
import { listRefs } from '../../../git/refs/index.ts';
import { maxCounted } from '../../../values/page-size.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { Commit } from './types.ts';

/** Where a commit is in the history. */

interface RefOfCommit {
  readonly type: 'branch' | 'tag';
  readonly name: string;
}

const kinds = { branch: 'refs/heads', tag: 'refs/tags' } as const;

export const CommitRefType = builder.enumType('CommitRefType', {
  values: { BRANCH: { value: 'branch' }, TAG: { value: 'tag' } } as const,
});

const CommitRef = builder.objectRef<RefOfCommit>('CommitRef').implement({
  description: 'A branch or tag from which a commit is reached.',
  fields: (t) => ({ type: t.expose('type', { type: CommitRefType }), name: t.exposeString('name') }),
});

builder.objectFields(Commit, (t) => ({
  refs: t.connection(
    {
      type: CommitRef,
      nullable: true,
      description: 'The branches and tags from which it is reached, branches first.',
      args: { ...offsetArg, type: t.arg({ type: CommitRefType, description: 'Only these.' }) },
      resolve: async ({ repository, id }, { type, ...args }) => {
        const wanted = type ? [type] : (['branch', 'tag'] as const);
        const refs = await listRefs(repository.git!, { below: wanted.map((one) => kinds[one]), containing: id });
        const found = refs.map(({ ref }): RefOfCommit => {
          const kind = ref.startsWith(kinds.branch) ? 'branch' : 'tag';
          return { type: kind, name: ref.slice(kinds[kind].length + 1) };
        });
        return resolveArrayPage(args, found, (one) => `${one.type} ${one.name}`) as never;
      },
    },
    connectionOf(CommitRef) as never,
  ),
  sequence: t.int({
    description: `How many commits led to it, itself included; counted up to ${maxCounted + 1}.`,
    args: { firstParent: t.arg.boolean({ description: 'Of merges, only what they were merged into.' }) },
    resolve: ({ repository, id }, { firstParent }) =>
      countCommits(repository.git!, { from: [id], firstParent: firstParent === true }, maxCounted + 1),
  }),
}));
