import { holds, readJobs, reads, readStatuses } from '../../../policy/index.ts';
import { Forbidden, Unauthenticated } from '../../../errors.ts';
import { nestedList } from '../../engine/list.ts';
import { Commit } from '../../repository/commits/types.ts';
import { jobOrders, statusesOf } from './statements.ts';
import { CiJob } from './types.ts';
import { pipelineId } from '../pipelines/types.ts';

/** The statuses of commits. */

nestedList(Commit, 'statuses', {
  type: CiJob,
  nullable: true,
  admission: { class: 'token', scopes: reads, anonymous: true },
  description:
    'What ran, or was reported, for it: the latest of each name of each pipeline, unless you ask for all. Only what was reported, if you don’t read its jobs.',
  orders: jobOrders,
  by: 'id_asc',
  args: (t) => ({
    refName: t.string({ description: 'Only those of this branch or tag.' }),
    stage: t.string({ description: 'Only those of this stage.' }),
    name: t.string({ description: 'Only those with this name.' }),
    pipelineId: t.field({ type: 'CiPipelineID', description: 'Only those of this pipeline.' }),
    all: t.boolean({ defaultValue: false, description: 'Also those in whose place a later one counts.' }),
  }),
  rows: ({ viewer }, { refName: ref, stage, name, pipelineId: pipeline, all }, _info, { repository, id }) => {
    if (viewer.person === null) throw new Unauthenticated();
    if (!holds(readStatuses, viewer, repository.facts)) throw new Forbidden();
    return statusesOf(repository.id, id, {
      retried: all ?? false,
      ...(!holds(readJobs, viewer, repository.facts) && { kind: 'status' }),
      ref,
      stage,
      name,
      pipelineId: pipeline == null ? null : pipelineId(pipeline),
    });
  },
});
