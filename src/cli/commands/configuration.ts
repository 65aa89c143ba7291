import type { Command } from 'commander';
import { ConfigError, readConfig, settings } from '../../config/index.ts';
import { orFail } from '../failure.ts';
import { print, table, withJson, type Printing } from '../output.ts';

export function configurationCommands(program: Command): void {
  const configuration = program.command('config').description('check the settings');
  withJson(configuration.command('check'))
    .description(
      'list every problem of the settings with its remedy, or print the values in effect, with secrets masked',
    )
    .action(
      orFail((options: Printing) => {
        const problems = problemsOf(process.env);
        const values = effective(process.env);
        const words =
          problems.length > 0
            ? `The gateway can't start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
            : `${table(
                ['SETTING', '', 'VALUE'],
                values.map(({ name, value, given }) => [name, given ? 'set' : 'default', value]),
              )}\nThe settings are valid. Run causeway doctor to check the services that they name.`;
        print(options, { problems, settings: values }, words);
        if (problems.length > 0) process.exitCode = 1;
      }),
    );
}

type Environment = Record<string, string | undefined>;

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

interface Effective {
  readonly name: string;
  /** The value, or the default in words. */
  readonly value: string;
  readonly given: boolean;
}

/** Every setting with the value in effect, secrets masked. */
export function effective(environment: Environment): Effective[] {
  return Object.entries(settings).map(([name, { otherwise }]) => {
    const value = environment[name];
    return value
      ? { name, value: masked(name, value), given: true }
      : { name, value: otherwise.replaceAll('`', ''), given: false };
  });
}

/** Matches the names of secret settings. It is a pattern, so that it covers new settings too. */
const secretName = /(KEY|PASSWORD|TOKEN|SECRET)S?$/;
const secretParameter = /password|secret|token|key/i;
const mask = '****';

function masked(name: string, value: string): string {
  if (secretName.test(name)) return value.replaceAll(/[^,]+/g, mask);
  return name.endsWith('_URL') ? maskedAddress(value) : value;
}

function maskedAddress(value: string): string {
  if (!URL.canParse(value)) return mask;
  const url = new URL(value);
  if (url.password) url.password = mask;
  for (const parameter of new Set(url.searchParams.keys()))
    if (secretParameter.test(parameter)) url.searchParams.set(parameter, mask);
  return url.href;
}
