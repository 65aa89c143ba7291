import type { PlannedVariable } from '../../../ci/plan.ts';
import type { Context } from '../../../context.ts';
import { variablesOfJob } from '../variables/of-jobs.ts';

/**
 * The variables of the instance, of the project’s groups and of the project, weakest first, as far as a branch or tag may see
 * them: rules refer to them. Those of environments aren’t among them: no job has one before it is planned.
 */
export async function givenVariables(
  context: Pick<Context, 'database' | 'keys'>,
  projectId: number,
  isProtected: boolean,
): Promise<PlannedVariable[]> {
  const variables = await variablesOfJob(context, { projectId, isProtected, environment: null });
  return variables
    .filter(({ variableType }) => variableType === 'env_var')
    .map(({ key, value, raw }) => ({ key, value, ...(raw && { raw }) }));
}
