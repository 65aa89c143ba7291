import { all, holds, type Condition, type Facts } from './condition.ts';
import { commentLocked } from './planning.ts';
import type { Viewer } from './viewer.ts';

/**
 * Who may change something in a project. What permissions show and what mutations require ask the same functions: nothing
 * changes in an archived project.
 */

/** Whether a condition holds for what would change, and the project isn't archived. */
export const mayChange = (condition: Condition, viewer: Viewer, facts: Facts, archived: boolean): boolean =>
  !archived && holds(condition, viewer, facts);

/** What decides whether a discussion takes anything more. */
export interface Discussed {
  readonly facts: Facts;
  readonly isArchived: boolean;
  readonly isLocked: boolean;
}

/** Whether a discussion is open to a viewer: a locked one only to members. */
export const isOpenTo = (viewer: Viewer, { facts, isArchived, isLocked }: Discussed): boolean =>
  mayChange(isLocked ? commentLocked : all(), viewer, facts, isArchived);
