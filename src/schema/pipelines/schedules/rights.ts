import {
  adminSchedules,
  holds,
  isAdministrator,
  runPipelines,
  type Facts,
  type Viewer,
} from '../../../policy/index.ts';
import type { ScheduleRow } from './statements/reading.ts';

const owns = (viewer: Viewer, { ownerId }: ScheduleRow) => ownerId !== null && viewer.person?.id === ownerId;

/**
 * Who may do what with a schedule. What it runs, it runs with the rights of its owner: so no one else says what that is,
 * but for administrators.
 */
export const may = {
  change: (viewer: Viewer, facts: Facts, schedule: ScheduleRow) =>
    isAdministrator(viewer) || (owns(viewer, schedule) && holds(runPipelines, viewer, facts)),
  /** Deletes it, and sees its variables. */
  administer: (viewer: Viewer, facts: Facts, schedule: ScheduleRow) =>
    holds(adminSchedules, viewer, facts) || (owns(viewer, schedule) && holds(runPipelines, viewer, facts)),
  takeOwnership: (viewer: Viewer, facts: Facts) => viewer.person !== null && holds(adminSchedules, viewer, facts),
  play: (viewer: Viewer, facts: Facts) => viewer.person !== null && holds(runPipelines, viewer, facts),
} as const;
