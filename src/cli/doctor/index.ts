import type { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../../config.ts';
import { doing } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';
import { database } from './database.ts';
import { problem, type Finding } from './finding.ts';
import { binaries, disk, node, port, secretFiles } from './machine.ts';
import { address, demo, mail, redis } from './services.ts';

/** What is looked at, in the order in which it is told. */
const checks: readonly ((config: Config) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>)[] = [
  node,
  port,
  address,
  binaries,
  database,
  disk,
  secretFiles,
  mail,
  redis,
  demo,
];

/** Looks at everything that the gateway depends on. Changes nothing; an embedded database is started for the while. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without settings there is nothing further to look at.
    return [
      node(),
      ...error.problems.map((said) => problem('settings', said, 'Mend it; causeway start --help shows every setting.')),
    ];
  }
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...[await check(config)].flat());
  return findings;
}

export function doctorCommand(program: Command): void {
  withJson(program.command('doctor'))
    .description(
      'look at everything that the gateway depends on, and say what to do about it; ends with 1 where there is a problem',
    )
    .action(
      doing(async (options: Printing) => {
        const findings = await examine(process.env);
        print(options, { findings }, findings.map(lines).join('\n'));
        if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1;
      }),
    );
}

const indent = ' '.repeat(10);

const lines = ({ name, status, says, remedy }: Finding): string =>
  `${status.padEnd(indent.length)}${name}: ${says}${remedy ? `\n${indent}→ ${remedy}` : ''}`;
