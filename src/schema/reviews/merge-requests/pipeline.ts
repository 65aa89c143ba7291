import type { Context } from '../../../context.ts';
import type { HeadPipelineStatus } from './status.ts';
import type { MergeRequestRecord } from './statements/reading.ts';

/** The status of the pipeline of its head; null without one. */
export async function headPipelineStatusOf(_context: Context, _one: MergeRequestRecord): Promise<HeadPipelineStatus> {
  return null;
}
