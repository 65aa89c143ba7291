import { Forbidden } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { reads } from '../../../policy/index.ts';
import { orNull } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import {
  iidOf,
  lookUpMergeRequest,
  lookUpMergeRequestById,
  prefetchMergeRequest,
  type SeenMergeRequest,
} from './look-up.ts';
import { upToDate } from './up-to-date.ts';
import { isSubscribed, readableMergeRequestById } from './read.ts';
import { findIids } from './statements/reading.ts';
import { MergeRequest, type ShownMergeRequest } from './types.ts';

/** Single merge requests, and fields of them that read something more. */

/** A merge request with what its look-up read. It is the look-up's own record: a copy of one so large takes long. */
const shown = (seen: SeenMergeRequest): ShownMergeRequest => {
  const { mergeRequest, subscribed, headPipelineId } = seen;
  return Object.assign(mergeRequest, { subscribed, headPipelineId, rights: seen });
};

/** Null instead of a merge request that is missing. */
async function shownOrNull(work: Promise<SeenMergeRequest>): Promise<ShownMergeRequest | null> {
  const seen = await orNull('MergeRequest', work);
  return seen && shown(seen);
}

/** The same by id: null also where the viewer sees the project only. */
async function byId(context: Context, id: string): Promise<ShownMergeRequest | null> {
  try {
    return await shownOrNull(lookUpMergeRequestById(context, id));
  } catch (error) {
    if (error instanceof Forbidden) return null;
    throw error;
  }
}

builder.queryField('mergeRequest', (t) =>
  t.field({
    type: MergeRequest,
    nullable: true,
    description:
      'A merge request, by its id or by its project and its iid; null if it is missing. By its id, also if you can’t read it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchMergeRequest,
    args: {
      id: t.arg({ type: 'MergeRequestID' }),
      project: t.arg.id({ description: 'Instead of `id`: id or full path of the target, and `iid`.' }),
      iid: t.arg.string(),
      current: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to look at its branches first, if they may have changed. Only with `project`.',
      }),
    },
    resolve: async (_root, { id, project, iid, current }, context) => {
      if (project != null && iid != null)
        return await shownOrNull((current ? upToDate : lookUpMergeRequest)(context, { project, iid }));
      return id == null ? null : await byId(context, id);
    },
  }),
);

builder.objectField(Project, 'mergeRequest', (t) =>
  t.field({
    type: MergeRequest,
    nullable: true,
    description: 'The merge request into the project with a number; null if it is missing or you can’t read it.',
    args: { iid: t.arg.string({ required: true }) },
    resolve: async (project, { iid }, context) => {
      const [row] = await context.database.rows(findIids, [project.id, [iidOf(iid)]]);
      return await readableMergeRequestById(context, row?.id ?? null);
    },
  }),
);

builder.objectFields(MergeRequest, (t) => ({
  subscribed: t.boolean({
    description: 'Whether you are notified of it: as you decided, otherwise if you take part.',
    resolve: async ({ id, subscribed }, _args, context) => subscribed ?? (await isSubscribed(context, id)) ?? false,
  }),
}));
