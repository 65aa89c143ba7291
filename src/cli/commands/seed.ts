import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '../../config/index.ts';
import { orFail } from '../failure.ts';
import { withProgress } from '../progress.ts';

/** The maximum number of rows of one kind: ids have 32 bits. */
const most = 100_000_000;

function count(given: string): number {
  if (!/^\d{1,9}$/.test(given) || Number(given) > most)
    throw new InvalidArgumentError(`A whole number from 0 to ${most}.`);
  return Number(given);
}

function name(given: string): string {
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(given))
    throw new InvalidArgumentError('Lower-case letters, digits and hyphens, at most 20.');
  return given;
}

/** `causeway seed`: fills a database with made-up data for measurements and tests. */
export function seedCommand(program: Command): void {
  program
    .command('seed')
    .description(
      'fill the database with made-up people, groups, projects, settings and issues; not for an instance that people use',
    )
    .option('--users <count>', 'people, who can’t sign in', count, 1_000)
    .option('--groups <count>', 'groups, in trees up to 20 deep', count, 200)
    .option('--projects <count>', 'projects in these groups', count, 1_000)
    .option('--memberships <count>', 'memberships, half of groups and half of projects', count, 10_000)
    .option('--settings <count>', 'notification settings, global, of groups and of projects', count, 10_000)
    .option('--tokens <count>', 'personal access tokens, with unknown secrets', count, 1_000)
    .option(
      '--grants <count>',
      'authorizations of an OAuth application, each with an access and a refresh token (secrets unknown)',
      count,
      1_000,
    )
    .option('--labels <count>', 'labels of the projects and groups', count, 10_000)
    .option('--milestones <count>', 'milestones of the projects', count, 5_000)
    .option('--issues <count>', 'issues, a tenth of them in one project', count, 50_000)
    .option('--notes <count>', 'comments on these issues', count, 250_000)
    .option('--prefix <name>', 'what every name begins with', name, 'seed')
    .action(
      orFail(({ prefix, ...plan }) =>
        withProgress(async (progress) => {
          const { seedDatabase } = await import('../../maintenance.ts');
          return await seedDatabase(readConfig(process.env), plan, prefix, progress);
        }),
      ),
    );
}
