import type { Context } from '../../../context.ts';
import { countCommits } from '../../../git/history/index.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { visibleProjectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import { requestCheck } from '../versions/request-check.ts';
import { headPipelineStatusOf } from './pipeline.ts';
import { firstContribution, firstContributions, firstDeployments } from './statements/reading.ts';
import { dependsOnPipeline, detailedStatuses, detailedStatusOf, type DetailedStatus } from './status.ts';
import { MergeRequest, type ShownMergeRequest } from './types.ts';

/** Fields of merge requests that are made of others, or need more than its row. */

const DetailedMergeStatus = builder.enumType('DetailedMergeStatus', {
  description: 'Whether it can be merged, or the first reason why it can’t.',
  values: detailedStatuses,
});

const statusOf = (context: Context, one: ShownMergeRequest): DetailedStatus | Promise<DetailedStatus> =>
  dependsOnPipeline(one)
    ? headPipelineStatusOf(context, one).then((pipeline) => detailedStatusOf(one, pipeline))
    : detailedStatusOf(one, null);

/** How many changed files a count shows; where there are more, it ends with `+`. */
const mostFiles = 1_000;

const isFirst = batched<boolean>(async ({ database }, ids) => {
  const [only, ...others] = ids;
  const rows =
    others.length === 0
      ? await database.rows(firstContribution, [only])
      : await database.rows(firstContributions, [ids]);
  return new Map(rows.map(({ id, first }) => [id, first]));
});

const firstDeployed = batched<Date | null>(async ({ database }, ids) => {
  const rows = await database.rows(firstDeployments, [ids]);
  return new Map(rows.map(({ id, at }) => [id, at]));
});

/** More commits than this aren't counted. */
const mostDiverged = 10_000;

/** How many commits the target branch has that its head doesn't have. Zero where a branch is missing. */
async function divergedOf(context: Context, { projectId, targetBranch, headSha }: ShownMergeRequest): Promise<number> {
  if (headSha === null || !isName(targetBranch)) return 0;
  await requireStorage(context);
  const git = context.git.repository(projectId);
  const tip = await readRef(git, `refs/heads/${targetBranch}`);
  return tip === undefined ? 0 : await countCommits(git, { from: [tip], not: [headSha] }, mostDiverged);
}

const targetOf = ({ projectId }: ShownMergeRequest, _args: object, context: Context) =>
  visibleProjectById(context, projectId);

builder.objectFields(MergeRequest, (t) => ({
  detailedMergeStatus: t.field({
    type: DetailedMergeStatus,
    direct: true,
    resolve: (one, _args, context) => statusOf(context, one),
  }),
  mergeable: t.boolean({
    description:
      'Whether nothing stands in the way of merging. Has it checked in the background if git can, if that isn’t known.',
    resolve: async (one, _args, context) => {
      const status = await statusOf(context, one);
      // Clients ask until they know. After a push to the target, only its newest merge requests are checked unasked.
      if (status === 'UNCHECKED') await requestCheck(context, one.id);
      return status === 'MERGEABLE';
    },
  }),
  changesCount: t.string({
    nullable: true,
    description: `How many files it changes: a number, or \`${mostFiles}+\`. Null while there is no diff.`,
    direct: true,
    resolve: ({ filesCount }) =>
      filesCount === null ? null : filesCount > mostFiles ? `${mostFiles}+` : String(filesCount),
  }),
  firstContribution: t.boolean({
    description: 'Whether its author is no member of the target and got nothing merged there before.',
    resolve: async ({ id }, _args, context) => (await isFirst(context, id)) ?? false,
  }),
  firstDeployedToProductionAt: t.field({
    type: 'Time',
    nullable: true,
    description: 'When a deployment brought it to a production environment for the first time.',
    direct: true,
    resolve: ({ id, state }, _args, context) =>
      state === 'MERGED' ? firstDeployed(context, id).then((at) => at ?? null) : null,
  }),
  divergedCommitsCount: t.int({
    description: `How many commits the target branch has that it doesn’t have, up to ${mostDiverged}.`,
    resolve: (one, _args, context) => divergedOf(context, one),
  }),
  divergedFromTargetBranch: t.boolean({
    description: 'Whether the target branch has commits that it doesn’t have.',
    resolve: async (one, _args, context) => (await divergedOf(context, one)) > 0,
  }),
  workInProgress: t.boolean({ description: 'The same as `draft`.', direct: true, resolve: ({ draft }) => draft }),
  sourceProject: t.field({
    type: Project,
    nullable: true,
    description: 'Null when the fork is gone, or you can’t see it.',
    resolve: ({ sourceProjectId }, _args, context) => visibleProjectById(context, sourceProjectId),
  }),
  targetProject: t.field({ type: Project, nullable: true, resolve: targetOf }),
  project: t.field({ type: Project, nullable: true, description: 'The same as `targetProject`.', resolve: targetOf }),
  mergeStatus: t.string({
    nullable: true,
    deprecationReason: 'Use `mergeStatusEnum`.',
    direct: true,
    resolve: ({ mergeStatus }) => mergeStatus.toLowerCase(),
  }),
}));
