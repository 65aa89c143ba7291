import type { MilestoneRecord } from '../../../database/access/planning.ts';
import { isUniqueViolation, type Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { longestDescription, titleProblems } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';
import type { FieldsOf, InputsOf } from '../../engine/mutation.ts';
import type { PlanningPlace } from '../place/look-up.ts';
import { placeIds } from './read.ts';
import { findSameTitle } from './statements/changes.ts';
import { Milestone } from './types.ts';

/** What writers give of a milestone. */
export const milestoneValues = (t: InputsOf) => ({
  description: t.string(),
  startDate: t.field({ type: 'Date', description: 'Its first day. Null: none.' }),
  dueDate: t.field({ type: 'Date', description: 'Its last day, after the first one. Null: none.' }),
});

interface GivenMilestone {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly startDate: string | null;
  readonly dueDate: string | null;
}

/**
 * Checks a milestone as it would be.
 * @returns its title; undefined if none was given
 * @throws InvalidFields
 */
export function checkedTitle({ title: given, description, startDate, dueDate }: GivenMilestone): string | undefined {
  const problems = new Problems();
  const title = given === undefined ? undefined : (given ?? '').trim();
  if (title === '') problems.add('title', ["can't be blank"]);
  problems.add('title', titleProblems(title ?? ''));
  problems.bound('description', description, longestDescription);
  if (startDate !== null && dueDate !== null && dueDate <= startDate)
    problems.add('dueDate', ['must be greater than start date']);
  problems.refuse();
  return title;
}

export const titleUsed = 'already being used for another group or project milestone.';
const taken = () => new InvalidFields({ title: [titleUsed] });

/** @throws InvalidFields if another milestone around a place has this title */
export async function requireFreeTitle(
  sql: Pick<Sql, 'rows'>,
  place: PlanningPlace,
  title: string,
  except: number | null,
): Promise<void> {
  const [used] = await sql.rows(findSameTitle, [...placeIds(place), title, except]);
  if (used) throw taken();
}

/** Runs a write that a concurrent one of the same title may refuse. @throws InvalidFields */
export async function unlessTitleTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

/** How inputs name a milestone. */
export const milestoneName = (t: InputsOf) => ({
  id: t.field({ type: 'MilestoneID', required: true }),
  projectPath: t.id({ description: 'The project that it must belong to.' }),
  groupPath: t.id({ description: 'The group that it must belong to.' }),
});

export const milestonePayload = (t: FieldsOf<{ milestone: MilestoneRecord }>) => ({
  milestone: t.expose('milestone', { type: Milestone }),
});
