import type { Context } from '../../../context.ts';
import { listRefs } from '../../../git/refs/index.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';
import { builder } from '../../engine/builder.ts';
import type { PipelineFilter } from './statements/list.ts';
import { PipelineStatusEnum } from './types.ts';

/** What lists of pipelines are filtered by. */

const PipelineScopeEnum = builder.enumType('PipelineScopeEnum', {
  values: {
    RUNNING: { value: 'running' },
    PENDING: { value: 'pending' },
    FINISHED: { value: 'finished', description: 'Succeeded, failed or canceled.' },
    BRANCHES: { value: 'branches', description: 'The latest of each branch that is there.' },
    TAGS: { value: 'tags', description: 'The latest of each tag that is there.' },
  } as const,
});

export const filterArgs = builder.args((t) => ({
  status: t.field({ type: PipelineStatusEnum }),
  scope: t.field({ type: PipelineScopeEnum }),
  ref: t.string({ description: 'Only those of this branch or tag.' }),
  sha: t.string({ description: 'Only those of this commit, by its full name.' }),
  source: t.string({ description: 'Only those made for this reason.' }),
  name: t.string({ description: 'Only those with this name.' }),
  username: t.string({ description: 'Only those that this person started.' }),
  yamlErrors: t.boolean({ description: 'Only those whose configuration is wrong, or isn’t.' }),
  updatedAfter: t.field({ type: 'Time' }),
  updatedBefore: t.field({ type: 'Time' }),
  createdAfter: t.field({ type: 'Time' }),
  createdBefore: t.field({ type: 'Time' }),
}));

export interface Asked extends Omit<PipelineFilter, 'statuses' | 'latestOf' | 'status'> {
  readonly status?: CiStatus | null;
  readonly scope?: typeof PipelineScopeEnum.$inferType | null;
}

/** The statuses of the scopes by status. */
export const scopes = {
  running: ['running'],
  pending: ['pending'],
  finished: ['success', 'failed', 'canceled'],
} as const;
const folders = { branches: 'refs/heads', tags: 'refs/tags' } as const;

/** A project, as much of it as filters need. */
export interface FilteredProject {
  readonly id: number;
  /** Whether anything was ever written to its repository. */
  readonly hasRepository: boolean;
}

/** The filter of a list; scopes by branches or tags ask git which are there. */
export async function filterOf(
  { git }: Context,
  { id, hasRepository }: FilteredProject,
  { scope, ...asked }: Asked,
): Promise<PipelineFilter> {
  if (scope == null) return asked;
  if (scope !== 'branches' && scope !== 'tags') return { ...asked, statuses: scopes[scope] };
  const below = folders[scope];
  const refs = hasRepository ? await listRefs(git.repository(id), { below: [below] }) : [];
  const names = refs.map(({ ref }) => ref.slice(below.length + 1));
  return { ...asked, latestOf: { tag: scope === 'tags', names } };
}
