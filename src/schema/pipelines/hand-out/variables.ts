import { expandAll, lastOfEach } from '../../../ci/variables.ts';
import type { Context } from '../../../context.ts';
import type { HandedVariable } from '../../../values/ci/handed-job.ts';
import { variablesOfMergeRequest } from '../variables/of-merge-requests.ts';
import { messageOfTag } from '../variables/predefined.ts';
import { variablesOfJob } from '../variables/of-jobs.ts';
import { requireSecret } from '../variables/sealing.ts';
import { commitOf } from './commits.ts';
import { predefined, type VariablesOf } from './predefined.ts';
import { readGivenVariables, type SealedVariableRow } from './statements.ts';

/** A variable that everybody may see. */
const plain = (key: string, value: string): HandedVariable => ({
  key,
  value,
  public: true,
  masked: false,
  file: false,
  raw: false,
});

/** The variables of a row of a person or a place. */
const given = (key: string, value: string, { file = false, raw = false, masked = false } = {}): HandedVariable => ({
  key,
  value,
  public: false,
  masked,
  file,
  raw,
});

/**
 * All variables of a job, each name once, with references expanded. Later ones win: what the gateway knows, the
 * configuration, who started it, what needed jobs left, the instance, groups, the project, the pipeline, the job, its
 * environment.
 * @throws InstanceKeyError for a value that no instance key opens
 */
export async function allVariables(
  context: Context,
  of: Omit<VariablesOf, 'commit' | 'tagMessage' | 'ofMergeRequest'>,
): Promise<HandedVariable[]> {
  const { row, jobId } = of;
  const { projectId, isProtected, environment, pipelineId, mergeRequestId } = row;
  const git = context.git.repository(projectId);
  const [commit, tagMessage, ofMergeRequest, ofPlaces, ofPeople] = await Promise.all([
    commitOf(context, projectId, row.sha),
    row.tag ? messageOfTag(git, row.ref) : undefined,
    mergeRequestId === null ? {} : variablesOfMergeRequest(context, mergeRequestId),
    variablesOfJob(context, { projectId, isProtected, environment }),
    row.hasGiven ? context.database.rows(readGivenVariables, [pipelineId, jobId]) : [],
  ]);
  const { before, ofPerson, ofEnvironment } = predefined(context, { ...of, commit, tagMessage, ofMergeRequest });
  const opened = (from: SealedVariableRow['of'], id: number) =>
    ofPeople
      .filter(({ of: one }) => one === from)
      .map(({ key, kind, raw, sealed }) => {
        const value = requireSecret(context.keys, `ci_${from}_variable:${id}:${key}`, sealed);
        return given(key, value, { raw, file: kind === 'file' });
      });
  return expandAll(
    lastOfEach([
      ...before,
      ...(row.plan?.variables ?? []).map(({ key, value, raw }) => ({ ...plain(key, value), raw: raw === true })),
      ...ofPerson,
      ...of.left.map(({ key, value }) => given(key, value, { raw: true })),
      ...ofPlaces.map(({ key, value, variableType, masked, raw }) =>
        given(key, value, { masked, raw, file: variableType === 'file' }),
      ),
      ...opened('pipeline', pipelineId),
      ...opened('job', jobId),
      ...ofEnvironment,
    ]),
  );
}
