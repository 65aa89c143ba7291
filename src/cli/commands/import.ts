import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { InvalidArgumentError, type Command } from 'commander';
import { importFrom, instanceAddress, parts, type Part } from '../../import/index.ts';
import { operator, runCommand } from './accounts.ts';
import { CommandError, orFail } from '../failure.ts';
import { withJson, type Printing } from '../output.ts';
import { withProgress } from '../progress.ts';

/** `causeway import`: takes people, groups, projects and what is in them over from a GitLab, or from another instance. */

interface ImportOptions extends Printing {
  readonly from: string;
  readonly tokenFile?: string;
  readonly dryRun?: boolean;
  readonly only?: readonly Part[];
  readonly group?: string;
  readonly since?: string;
  readonly same: ReadonlyMap<string, string>;
  readonly report?: string;
  readonly minutes?: number;
}

/** The token, from a file or the terminal: other people on the machine can see arguments. @throws CommandError */
async function tokenOf({ tokenFile, from }: ImportOptions): Promise<string> {
  const token = (tokenFile === undefined ? await typed(from) : readFile(tokenFile)).trim();
  if (tokenFile !== undefined && (statSync(tokenFile).mode & 0o077) !== 0)
    process.stderr.write(`Others on this machine can read ${tokenFile}: run chmod 600 on it.\n`);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandError('That is no token.', 'A token is one word, like glpat-….');
  return token;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CommandError(`${path} can’t be read.`, 'Name a file that has nothing but the token in it.');
  }
}

async function typed(from: string): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, ...(isTerminal && { output: hidden, terminal: true }) });
  // readline catches Ctrl-C on a terminal.
  reader.on('SIGINT', () => process.exit(130));
  if (isTerminal) process.stderr.write(`Token of an administrator of ${from}: `);
  try {
    for await (const line of reader) return line;
    return '';
  } finally {
    reader.close();
    if (isTerminal) process.stderr.write('\n');
  }
}

async function importCommandOf(options: ImportOptions): Promise<void> {
  const { from, dryRun = false, only = [], same, group, since, report: file, minutes } = options;
  instanceAddress(from);
  // It may run for hours beside the gateway, and what is live of it is little: the heap grows to twice that, as the gateway's.
  setFlagsFromString('--heap-growing-percent=100');
  const token = await tokenOf(options);
  const stop = new AbortController();
  const interrupted = () => stop.abort(new CommandError('Interrupted.', 'Run it again: it goes on where it stopped.'));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const outOfTime = new CommandError('The time is over.', 'Run it again: it goes on where it stopped.');
  const timer = minutes === undefined ? undefined : setTimeout(() => stop.abort(outOfTime), minutes * 60_000);
  try {
    await runCommand(options, async (application, schema) => {
      const run = await operator(application, schema);
      const report = await withProgress((progress) =>
        importFrom({ from, token, run, dryRun, only, group, since, same, signal: stop.signal, progress }),
      );
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
      const title = dryRun ? `What an import from ${from} would do:` : `Imported from ${from}:`;
      return { result: report.toJSON(), words: `${title}\n${report.words()}` };
    });
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

function partsIn(given: string): readonly Part[] {
  const named = given.split(',').map((one) => one.trim());
  const unknown = named.find((one) => !(parts as readonly string[]).includes(one));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${parts.join(', ')}.`);
  return named as Part[];
}

function sameIn(given: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [there, here, ...more] = given.split('=');
  if (!there || !here || more.length > 0) throw new InvalidArgumentError('Write name-there=name-here.');
  return new Map([...before, [there, here]]);
}

function dayIn(given: string): string {
  const time = Date.parse(given);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a day, like 2026-01-31.');
  return new Date(time).toISOString();
}

function minutesIn(given: string): number {
  const minutes = Number(given);
  if (!(minutes > 0 && minutes < 30_000)) throw new InvalidArgumentError('Write a number of minutes.');
  return minutes;
}

export function importCommand(program: Command): void {
  withJson(program.command('import'))
    .description('take people, groups, projects and what is in them over from a GitLab')
    .requiredOption('--from <url>', 'the address of the GitLab')
    .option('--token-file <path>', 'a file with the token of an administrator there; otherwise it is asked for')
    .option('--dry-run', 'only say what would be done')
    .option('--only <parts>', `some of ${parts.join(', ')}, separated by commas`, partsIn)
    .option('--group <path>', 'only this group, what is in it, and its members')
    .option('--since <day>', 'only issues, merge requests and comments that changed since then', dayIn)
    .option('--same <there=here>', 'a person there who is a person here; may be repeated', sameIn, new Map())
    .option('--report <path>', 'a file for the whole report, as JSON')
    .option('--minutes <number>', 'stop after this time; the next run goes on', minutesIn)
    .action(orFail(importCommandOf));
}
