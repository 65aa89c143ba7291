import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../../context.ts';
import { readConfig } from '../../config/index.ts';
import { operator, runCommand, type CommandResult } from './accounts.ts';
import { CommandError, orFail } from '../failure.ts';
import { print, table, withJson, type Printing } from '../output.ts';

interface Jobs {
  readonly kinds: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly running: number;
    readonly dead: number;
  }[];
  readonly failures: readonly {
    readonly id: string;
    readonly name: string;
    readonly attempts: number;
    readonly error: string;
    readonly nextAttemptAt: string | null;
  }[];
}

/** Lists how many jobs there are of each kind, and those that failed. */
export async function listJobs(application: Application, schema: GraphQLSchema): Promise<CommandResult> {
  const run = await operator(application, schema);
  const { backgroundJobs: jobs } = await run<{ backgroundJobs: Jobs }>(
    '{ backgroundJobs { kinds { name waiting running dead } failures { id name attempts error nextAttemptAt } } }',
    {},
  );
  const kinds = jobs.kinds.map(({ name, ...counts }) => [name, ...Object.values(counts).map(String)]);
  const failures = jobs.failures.map(({ id, name, attempts, error, nextAttemptAt }) => [
    id.slice(id.lastIndexOf('/') + 1),
    name,
    String(attempts),
    nextAttemptAt ?? 'never',
    error,
  ]);
  return {
    result: jobs,
    words: `${table(['JOB', 'WAITING', 'RUNNING', 'DEAD'], kinds)}${
      failures.length > 0 ? `\n\n${table(['ID', 'FAILED', 'ATTEMPTS', 'NEXT', 'ERROR'], failures)}` : ''
    }`,
  };
}

/** @param id one of them, or undefined for all */
export async function retryJobs(application: Application, schema: GraphQLSchema, id?: string): Promise<CommandResult> {
  const run = await operator(application, schema);
  const {
    retryBackgroundJobs: { retried },
  } = await run<{ retryBackgroundJobs: { retried: number } }>(
    'mutation ($input: RetryBackgroundJobsInput!) { retryBackgroundJobs(input: $input) { retried } }',
    { input: { id } },
  );
  return { result: { retried }, words: `${retried} will run again.` };
}

async function run(name: string, options: Printing): Promise<void> {
  const { runJob } = await import('../../maintenance.ts');
  const ran = await runJob(readConfig(process.env), name);
  if (ran === undefined)
    throw new CommandError(`No job by the clock is named ${name}.`, 'causeway jobs run --help names them.');
  print(options, { name, ran }, ran ? `${name} is done.` : `${name} is running already.`);
}

export function jobCommands(program: Command): void {
  const jobs = program.command('jobs').description('background jobs: list, retry and run them');
  withJson(jobs.command('list'))
    .description('how many jobs there are of each kind, and those that failed')
    .action(orFail((options: Printing) => runCommand(options, listJobs)));
  withJson(jobs.command('retry'))
    .argument('[id]', 'one of them, as causeway jobs list shows; all when omitted')
    .description('run jobs again that have failed for good')
    .action(
      orFail((id: string | undefined, options: Printing) =>
        runCommand(options, (application, schema) => retryJobs(application, schema, id)),
      ),
    );
  withJson(jobs.command('run'))
    .argument('<name>', 'a job that runs by the clock: sweep')
    .description('run a job now that runs by the clock, and wait for it')
    .action(orFail(run));
}
