import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Masker } from '../../../ci/masking.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { batched } from '../../engine/batched.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import { maskedValuesOf } from '../variables/masked.ts';
import { masksOf } from './masks.ts';
import { abandonTraces, tracesOfJobs, type TraceRow } from './statements.ts';

/**
 * Reading logs. Secret values become `[MASKED]`, whatever the runner did: those of the job, and those that are masked now.
 * None of these functions asks whether the viewer reads the job.
 */

/** A log with what no one reads in it. */
export interface Trace extends TraceRow {
  readonly jobId: number;
  readonly projectId: number;
  readonly masks: readonly string[];
}

/** The logs of jobs, by the job; those of a page are read in one statement. */
export const traceOf = batched<Trace>(async (context, jobs) => {
  const rows = await context.database.rows(tracesOfJobs, [jobs]);
  return new Map(
    rows.map(({ sealedMasks, ...row }) => [row.jobId, { ...row, masks: masksOf(context, row.jobId, sealedMasks) }]),
  );
});

/** What no one reads in the logs of a project, read once for a page of jobs. */
const maskedIn = batched<readonly string[]>(
  async (context, projects) =>
    new Map(await Promise.all(projects.map(async (id) => [id, await maskedValuesOf(context, id)] as const))),
);

/** How many bytes of a log can be read: the last piece is counted before it is written. */
const readable = async (files: Context['files'], { location, size }: TraceRow): Promise<number> =>
  size === 0 ? 0 : Math.min(size, await files.size(location));

/** The bytes of a log from its beginning, without what is secret. */
export async function readTrace(context: Context, trace: Trace): Promise<Readable> {
  await requireStorage(context);
  const masking = maskingStream([...trace.masks, ...(await maskedValuesOf(context, trace.projectId))]);
  const size = await readable(context.files, trace);
  if (size === 0) return masking.end();
  // What breaks off reading ends what the client gets, and the other way round.
  pipeline(context.files.read(trace.location, 0, size), masking).catch(() => undefined);
  return masking;
}

/** The last lines of a log. */
export interface TraceEnd {
  readonly text: string;
  /** Whether there is more before them. */
  readonly cut: boolean;
}

/** The last whole lines of a log, of at most so many bytes: a value can’t hide behind the beginning of a line. */
export async function readEnd(context: Context, trace: Trace, most: number): Promise<TraceEnd> {
  // First what is read of all jobs of a page at once.
  const masked = (await maskedIn(context, trace.projectId)) ?? [];
  await requireStorage(context);
  const size = await readable(context.files, trace);
  if (size === 0) return { text: '', cut: false };
  const start = Math.max(0, size - most);
  const file = await context.files.open(trace.location);
  try {
    const bytes = await file.read(start, size - start);
    const line = start === 0 ? 0 : bytes.indexOf(10) + 1;
    if (start > 0 && line === 0) return { text: '', cut: true };
    const masker = new Masker([...trace.masks, ...masked]);
    const shown = Buffer.concat([masker.push(bytes.subarray(line)), masker.end()]);
    return { text: shown.toString(), cut: start > 0 };
  } finally {
    await file.close();
  }
}

/** A stream that masks what goes through it. */
function maskingStream(values: Iterable<string>): Transform {
  const masker = new Masker(values);
  return new Transform({
    transform: (piece: Buffer, _encoding, done: TransformCallback) => done(null, masker.push(piece)),
    flush: (done) => done(null, masker.end()),
  });
}

/** Gives logs up: no one sees them any more, and their files are removed soon. */
export async function abandonTracesOf(sql: Sql, jobs: readonly number[]): Promise<void> {
  await sql.rows(abandonTraces, [jobs]);
}

/** How much of the end of a log is looked at for its coverage. */
const lastBytes = 1_048_576;

type Place = Pick<Context, 'database' | 'files'>;

/** The end of a log, line by line, the last line first. */
export async function lastLinesOf({ database, files }: Place, job: number): Promise<readonly string[]> {
  const [trace] = await database.rows(tracesOfJobs, [[job]]);
  const size = trace ? await readable(files, trace) : 0;
  if (!trace || size === 0) return [];
  const file = await files.open(trace.location);
  try {
    const start = Math.max(0, size - lastBytes);
    const text = (await file.read(start, size - start)).toString();
    return text.split(/\r?\n/).reverse();
  } finally {
    await file.close();
  }
}
