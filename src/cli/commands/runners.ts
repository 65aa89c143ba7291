import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../../context.ts';
import { operator, runCommand, type CommandResult } from './accounts.ts';
import { orFail } from '../failure.ts';
import { withJson, type Printing } from '../output.ts';

/** Where a runner's jobs come from: a project, a group, or all projects. */
interface NewRunner {
  readonly project?: string;
  readonly group?: string;
  readonly description?: string;
  readonly tags?: string;
}

/** Makes a runner, and says how a stock one is attached. Its token is shown only here. */
async function createRunner(
  application: Application,
  schema: GraphQLSchema,
  { project, group, description, tags }: NewRunner,
): Promise<CommandResult> {
  const runnerType = project !== undefined ? 'PROJECT_TYPE' : group !== undefined ? 'GROUP_TYPE' : 'INSTANCE_TYPE';
  const tagList = tags?.split(',');
  const run = await operator(application, schema);
  const { made } = await run<{ made: { runner: { id: number; token: string } } }>(
    'mutation ($input: RunnerCreateInput!) { made: runnerCreate(input: $input) { runner { id: databaseId token: ephemeralAuthenticationToken } } }',
    { input: { runnerType, projectId: project, groupId: group, description, tagList } },
  );
  const { id, token } = made.runner;
  const whose = project ?? group ?? 'all projects';
  return {
    result: { id, token },
    words: `Runner ${id} of ${whose}. Its token is shown only this once:

  ${token}

On the machine that is to run the jobs, with GitLab Runner installed:

  gitlab-runner register --non-interactive --url ${application.baseUrl} --token ${token} --executor shell
  gitlab-runner run`,
  };
}

export function runnerCommand(program: Command): void {
  withJson(program.command('runner'))
    .description('make a runner; its token is printed only this once')
    .option('--project <path>', 'the project whose jobs it runs')
    .option('--group <path>', 'the group whose projects’ jobs it runs; of all projects when both are omitted')
    .option('--description <text>', 'what people call it')
    .option('--tags <tags>', 'its tags, separated by commas')
    .action(
      orFail((options: NewRunner & Printing) =>
        runCommand(options, (application, schema) => createRunner(application, schema, options)),
      ),
    );
}
