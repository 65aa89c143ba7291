import type { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../../config.ts';
import { explained, orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';
import { database } from './database.ts';
import type { Finding } from '../../values/findings.ts';
import { problem } from './finding.ts';
import { binaries, disk, node, port, repositories, secretFiles } from './machine.ts';
import { address, demo, mail, overSsh, redis } from './services.ts';

/** All checks, in the order of the output. */
const checks: readonly ((config: Config) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>)[] = [
  node,
  port,
  address,
  binaries,
  database,
  disk,
  repositories,
  secretFiles,
  mail,
  redis,
  overSsh,
  demo,
];

/** The checks that suit a gateway that runs. Its port is taken, and what it has opened works. */
const running = [node, address, disk, secretFiles, mail, redis, demo];

/** Checks what a running gateway depends on besides its database. A check that fails is a problem itself. */
export async function examineRunning(config: Config): Promise<Finding[]> {
  const found = await Promise.all(
    running.map(async (check): Promise<Finding | Finding[]> => {
      try {
        return await check(config);
      } catch (error) {
        return problem(check.name, explained(error)[0], 'Run causeway doctor on the machine of the gateway.');
      }
    }),
  );
  return found.flat();
}

/** Checks everything that the gateway depends on. Changes nothing; starts the embedded database for the check. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The other checks need valid settings.
    return [
      node(),
      ...error.problems.map((said) =>
        problem('settings', said, 'Correct it; causeway start --help lists the settings.'),
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...[await check(config)].flat());
  return findings;
}

export function doctorCommand(program: Command): void {
  withJson(program.command('doctor'))
    .description(
      'check everything that the gateway depends on, with a remedy for each problem; exits with 1 if there is one',
    )
    .action(
      orFail(async (options: Printing) => {
        const findings = await examine(process.env);
        print(options, { findings }, findings.map(lines).join('\n'));
        if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1;
      }),
    );
}

const indent = ' '.repeat(10);

const lines = ({ name, status, says, remedy }: Finding): string =>
  `${status.padEnd(indent.length)}${name}: ${says}${remedy ? `\n${indent}→ ${remedy}` : ''}`;
