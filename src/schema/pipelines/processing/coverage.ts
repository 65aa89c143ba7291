import { loadPlanner } from '../../../ci/planner.ts';
import type { Context } from '../../../context.ts';
import { lastLinesOf } from '../traces/read.ts';
import { findCoverage } from './statements.ts';

/** A number beyond this is no share of lines. */
const most = 1_000_000;

/** Characters of a log that are searched, from its end, and of one line: the search holds up everything else. */
const mostSearched = 200_000;
const longestLine = 2_000;

/**
 * The coverage that a job’s expression finds in its log, the last line first, in percent: the first number in the first group,
 * or in the whole match. Null without an expression, and if nothing fits.
 */
export async function coverageOf(context: Pick<Context, 'database' | 'files'>, jobId: number): Promise<number | null> {
  const [row] = await context.database.rows(findCoverage, [jobId]);
  if (!row?.expression) return null;
  const { Patterns, writtenPattern } = await loadPlanner();
  const written = writtenPattern(row.expression) ?? { pattern: row.expression, flags: '' };
  const pattern = new Patterns().regexp(written.pattern, written.flags);
  if (!pattern) return null;
  let searched = 0;
  for (const whole of await lastLinesOf(context, jobId)) {
    const line = whole.slice(0, longestLine);
    if ((searched += line.length) > mostSearched) return null;
    const matcher = pattern.matcher(line);
    if (!matcher.find()) continue;
    const text = (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group() ?? '';
    const number = Number(/\d+(?:\.\d+)?/.exec(text)?.[0] ?? Number.NaN);
    if (number <= most) return number;
  }
  return null;
}
