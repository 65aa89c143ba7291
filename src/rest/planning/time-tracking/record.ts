import { objectSchema, type Record } from '../../engine/record.ts';

/** The time fields of an issue. */
export interface TimeData {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
  readonly humanTimeEstimate: string | null;
  readonly humanTotalTimeSpent: string | null;
}

export const timeFields = 'timeEstimate totalTimeSpent humanTimeEstimate humanTotalTimeSpent';

const human = { type: ['string', 'null'] };

/** Estimated and spent time, in seconds and in words. */
export const TimeStats: Record<TimeData> = {
  name: 'TimeStats',
  schema: objectSchema({
    time_estimate: { type: 'integer' },
    total_time_spent: { type: 'integer' },
    human_time_estimate: human,
    human_total_time_spent: human,
  }),
  present: ({ timeEstimate, totalTimeSpent, humanTimeEstimate, humanTotalTimeSpent }) => ({
    time_estimate: timeEstimate,
    total_time_spent: totalTimeSpent,
    human_time_estimate: humanTimeEstimate,
    human_total_time_spent: humanTotalTimeSpent,
  }),
};
