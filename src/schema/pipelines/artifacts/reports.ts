import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { longestDotenv, readDotenv, type ReportedVariable } from '../../../ci/dotenv.ts';
import { JunitReader, UnreadableReport } from '../../../ci/junit.ts';
import type { Context } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import { openSecret, sealSecret } from '../variables/sealing.ts';
import { keepReportedVariables, keepTestReport, reportedVariables } from './statements.ts';

/** Reports that are read when they come: tests, and variables for jobs that need this one. */

interface StoredReport {
  readonly job: number;
  readonly kind: string;
  readonly format: string;
  readonly location: string;
  readonly size: number;
}

/** Most bytes of a report of tests, unpacked. */
const longestJunit = 50 * 1_048_576;

/** @throws BadRequest for variables that can’t be read. A report of tests keeps what is wrong with it. */
export async function readReport(context: Context, report: StoredReport): Promise<void> {
  if (report.kind === 'dotenv') await readVariables(context, report);
  else if (report.kind === 'junit') await readTests(context, report);
}

class TooLong extends Error {}

/** The text of a stored file, unpacked, in pieces. @throws TooLong, the error of zlib */
async function unpacked(
  { files }: Pick<Context, 'files'>,
  { location, size, format }: StoredReport,
  most: number,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let length = 0;
  const raw = files.read(location, 0, size);
  const read = async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > most) throw new TooLong();
      take(decoder.write(piece));
    }
    take(decoder.end());
  };
  if (format === 'gzip') await pipeline(raw, createGunzip(), read);
  else await pipeline(raw, read);
}

const rowOf = (job: number, key: string) => `ci_reported_variable:${job}:${key}`;

async function readVariables(context: Context, report: StoredReport): Promise<void> {
  let text = '';
  try {
    await unpacked(context, report, longestDotenv, (piece) => (text += piece));
  } catch (error) {
    if (error instanceof TooLong)
      throw new BadRequest(`Dotenv Artifact Too Big. Maximum Allowable Size: ${longestDotenv}`);
    throw new BadRequest('Invalid Format');
  }
  const found = readDotenv(text);
  if (typeof found === 'string') throw new BadRequest(found);
  const sealed = found.map(({ key, value }) => sealSecret(context.keys, rowOf(report.job, key), value));
  await context.database.rows(keepReportedVariables, [report.job, found.map(({ key }) => key), sealed]);
}

async function readTests(context: Context, report: StoredReport): Promise<void> {
  const reader = new JunitReader();
  let problem: string | null = null;
  try {
    await unpacked(context, report, longestJunit, (text) => reader.push(text));
    reader.end();
  } catch (error) {
    problem =
      error instanceof UnreadableReport
        ? error.message
        : error instanceof TooLong
          ? 'JUnit XML parsing failed: it is too long'
          : 'JUnit data parsing failed: it isn’t gzip';
  }
  const cases = problem === null ? reader.cases : [];
  await context.database.rows(keepTestReport, [report.job, problem, JSON.stringify(cases)]);
}

/** The variables that jobs reported, for a job that needs them: of equal keys that of the later job counts. */
export async function variablesOfNeeded(
  context: Pick<Context, 'database' | 'keys'>,
  jobs: readonly number[],
): Promise<readonly ReportedVariable[]> {
  if (jobs.length === 0) return [];
  const found = new Map<string, string>();
  for (const { jobId, key, sealed } of await context.database.rows(reportedVariables, [jobs])) {
    const value = openSecret(context.keys, rowOf(jobId, key), sealed);
    if (value !== null) found.set(key, value);
  }
  return [...found].map(([key, value]) => ({ key, value }));
}
