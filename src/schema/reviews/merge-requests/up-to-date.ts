import type { Context } from '../../../context.ts';
import { refreshVersion } from '../versions/refresh.ts';
import { lookUpMergeRequest, type MergeRequestName, type SeenMergeRequest } from './look-up.ts';

/**
 * A merge request by the present heads of its branches: also right after a push, which is followed in the background.
 * @throws as `lookUpMergeRequest`
 */
export async function upToDate(context: Context, name: MergeRequestName): Promise<SeenMergeRequest> {
  const seen = await lookUpMergeRequest(context, name);
  if (!seen.isBehind) return seen;
  await refreshVersion(context, seen.mergeRequest.id);
  return await lookUpMergeRequest(context, name);
}
