import type { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../../config/index.ts';
import { explained, orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';
import type { Finding } from '../../values/findings.ts';
import { problem } from './finding.ts';

type Check = (config: Config) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;

/** The checks, loaded when they are made: they load much of the gateway. */
async function loadChecks() {
  const [{ database }, { binaries, disk, node, port, repositories, secretFiles }, services] = await Promise.all([
    import('./database.ts'),
    import('./machine.ts'),
    import('./services.ts'),
  ]);
  const { address, demo, mail, overSsh, redis } = services;
  return {
    node,
    /** All, in the order of the output. */
    all: [
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
    ] satisfies Check[],
    /** Those that suit a gateway that runs. Its port is taken, and what it has opened works. */
    running: [node, address, disk, secretFiles, mail, redis, demo] satisfies Check[],
  };
}

/** Checks what a running gateway depends on besides its database. A check that fails is a problem itself. */
export async function examineRunning(config: Config): Promise<Finding[]> {
  const { running } = await loadChecks();
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
  const { node, all } = await loadChecks();
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
  for (const check of all) findings.push(...[await check(config)].flat());
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
