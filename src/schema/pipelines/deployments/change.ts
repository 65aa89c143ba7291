import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Forbidden, InvalidFields, NotFound, PlainBadRequest } from '../../../errors.ts';
import { readRef, resolveCommit } from '../../../git/objects/index.ts';
import { destroyDeployments, writeEnvironments, writes } from '../../../policy/index.ts';
import {
  reportedDeployments,
  type DeploymentStatus,
  type ReportedDeployment,
} from '../../../values/ci/environments.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { environmentsIn, requireWrite } from '../environments/read.ts';
import { environmentOf } from '../environments/make.ts';
import { deploymentById, deploymentIn } from './read.ts';
import { isFinished, settle, succeed } from './settle.ts';
import { deleteDeployment, insertDeployment, isCurrent, lockDeployment } from './statements/change.ts';
import type { DeploymentRecord } from './statements/reading.ts';
import { Deployment } from './types.ts';

/** Deployments that scripts outside report. Those of jobs follow their jobs. */

const ReportedDeploymentEnum = builder.enumType('DeploymentReportStatus', {
  description: 'What a script reports of a deployment.',
  values: Object.fromEntries(reportedDeployments.map((status) => [status.toUpperCase(), { value: status }])) as {
    readonly [Name in Uppercase<ReportedDeployment>]: { readonly value: Lowercase<Name> };
  },
});

/** Jobs do it, too, in their own project. */
const admission = { class: 'token', scopes: writes, job: true } as const;

const payload = (t: FieldsOf<{ deployment: DeploymentRecord }>) => ({
  deployment: t.expose('deployment', { type: Deployment }),
});

const which = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
  id: t.id({ required: true }),
});

/** What a script says of a new deployment. */
interface Said {
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
}

/** The whole name of the commit. @throws InvalidFields if the branch, the tag or the commit isn't there */
async function checkCommit(context: Context, projectPath: string, { ref, tag, sha }: Said): Promise<string> {
  const { git } = await repositoryIn(context, projectPath);
  const problems = new Problems();
  const found = git && ref !== '' ? await readRef(git, `${tag ? 'refs/tags/' : 'refs/heads/'}${ref}`) : undefined;
  if (found === undefined) problems.add('ref', ['The branch or tag does not exist']);
  const commit = git && sha !== '' ? await resolveCommit(git, sha) : undefined;
  if (commit === undefined) problems.add('sha', ['The commit does not exist']);
  problems.refuse();
  return commit!.id;
}

mutation('deploymentCreate', {
  description: 'Reports a deployment. Its environment is made, if there is none of the name. From Developer up.',
  admission,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    environment: t.string({ required: true, description: 'The name of the environment.' }),
    sha: t.string({ required: true, description: 'The commit: its name or the beginning of it, a branch or a tag.' }),
    ref: t.string({ required: true, description: 'The branch or tag.' }),
    tag: t.boolean({ required: true, description: 'Whether `ref` is a tag.' }),
    status: t.field({ type: ReportedDeploymentEnum, required: true }),
  }),
  payload,
  resolve: async (context, { projectPath, environment: name, status, ...said }) => {
    const place = await environmentsIn(context, projectPath, writeEnvironments);
    requireWrite(context, place);
    const sha = await checkCommit(context, String(place.id), said);
    const userId = context.viewer.person?.id ?? null;
    const id = await context.database.transaction(async (sql) => {
      const environment = await environmentOf(sql, place.id, { name });
      return await report(sql, { ...said, sha, status, userId, projectId: place.id, environmentId: environment.id });
    });
    return { deployment: (await deploymentById(context, id))! };
  },
});

interface Reported extends Said {
  readonly projectId: number;
  readonly environmentId: number;
  readonly status: DeploymentStatus;
  readonly userId: number | null;
}

async function report(sql: Sql, one: Reported): Promise<number> {
  const { projectId, environmentId, ref, tag, sha, status, userId } = one;
  const values = [projectId, environmentId, ref, tag, sha, status, userId, null, isFinished(status)];
  const [made] = await sql.rows(insertDeployment, values);
  if (status === 'success') await succeed(sql, { id: made!.id, environmentId });
  return made!.id;
}

/** How GitLab calls the steps to a status. */
const steps: Readonly<Record<ReportedDeployment, string>> = {
  running: 'run',
  success: 'succeed',
  failed: 'drop',
  canceled: 'cancel',
};

const mayBecome = (before: DeploymentStatus, status: ReportedDeployment) =>
  status === 'running' ? before === 'created' || before === 'blocked' : before !== status;

mutation('deploymentUpdate', {
  description: 'Reports how a deployment went on. Only those that scripts report. From Developer up.',
  admission,
  input: (t) => ({ ...which(t), status: t.field({ type: ReportedDeploymentEnum, required: true }) }),
  payload,
  resolve: async (context, { projectPath, id, status }) => {
    const { place, deployment } = await deploymentIn(context, projectPath, id);
    requireWrite(context, place);
    await context.database.transaction(async (sql) => {
      const [locked] = await sql.rows(lockDeployment, [deployment.id]);
      if (!locked) throw new NotFound('Deployment');
      if (locked.jobId !== null)
        throw new Forbidden('Deployments created using GitLab CI can not be updated using the API');
      if (!mayBecome(locked.status, status))
        throw new InvalidFields({ status: [`cannot transition via "${steps[status]}"`] });
      await settle(sql, locked, { status });
    });
    return { deployment: (await deploymentById(context, deployment.id))! };
  },
});

mutation('deploymentDelete', {
  description: 'Deletes a deployment that neither runs nor is what is on its environment now. From Maintainer up.',
  admission,
  input: which,
  payload: (t: FieldsOf<{ deletedId: number }>) => ({
    deletedDatabaseId: t.exposeInt('deletedId', { description: 'The number of the deployment.' }),
  }),
  resolve: async (context, { projectPath, id }) => {
    const { place, deployment } = await deploymentIn(context, projectPath, id);
    requireWrite(context, place, destroyDeployments);
    await context.database.transaction(async (sql) => {
      const [locked] = await sql.rows(lockDeployment, [deployment.id]);
      if (!locked) throw new NotFound('Deployment');
      if (locked.status === 'running') throw new PlainBadRequest('Cannot destroy running deployment');
      const [{ current } = { current: false }] = await sql.rows(isCurrent, [locked.environmentId, locked.id]);
      if (current) throw new PlainBadRequest('Deployment currently deployed to environment');
      await sql.rows(deleteDeployment, [locked.id]);
    });
    return { deletedId: deployment.id };
  },
});
