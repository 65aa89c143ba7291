import type { UserRecord } from '../../../database/access/records.ts';
import { User, UserCore } from '../../accounts/users/types.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage, within } from '../../engine/page.ts';
import { withTimes } from '../../engine/times.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { findReviewStates, type ReviewState } from './statements.ts';

/** How far the reviewer of a merge request has come since they were asked. */

interface ReviewRecord {
  readonly user: UserRecord;
  readonly state: ReviewState;
  readonly since: Date;
}

/** The states of merge requests with a reviewer. */
const stateOf = batched<ReviewState>(async ({ database }, ids) => {
  const rows = await database.rows(findReviewStates, [ids]);
  return new Map(rows.map(({ id, state }) => [id, state]));
});

const MergeRequestReviewState = builder.enumType('MergeRequestReviewState', {
  description: 'What a reviewer did since they were asked.',
  values: {
    UNREVIEWED: { description: 'Nothing.' },
    REVIEWED: { description: 'They commented.' },
    APPROVED: {},
    UNAPPROVED: { description: 'They approved, and took it back.' },
  } as const,
});

const Review = builder.objectRef<ReviewRecord>('MergeRequestReview').implement({
  description: 'That a person is to review a merge request.',
  fields: (t) => ({
    user: t.field({ type: UserCore, direct: true, resolve: ({ user }) => user }),
    reviewState: t.field({ type: MergeRequestReviewState, direct: true, resolve: ({ state }) => state }),
    createdAt: t.expose('since', { type: 'Time', description: 'Since when.' }),
  }),
});

/** What a reviewer did, as clients ask for it beside the person. */
const Interaction = builder.objectRef<{ readonly state: ReviewState }>('UserMergeRequestInteraction').implement({
  description: 'What a person did in a merge request.',
  fields: (t) => ({
    reviewState: t.field({
      type: MergeRequestReviewState,
      nullable: true,
      direct: true,
      resolve: ({ state }) => state,
    }),
    reviewed: t.boolean({
      description: 'Whether they did anything since they were asked for a review.',
      direct: true,
      resolve: ({ state }) => state !== 'UNREVIEWED',
    }),
    approved: t.boolean({
      description: 'Whether they approved it.',
      direct: true,
      resolve: ({ state }) => state === 'APPROVED',
    }),
  }),
});

type ReviewerRecord = UserRecord & { readonly mergeRequestId: number };

const MergeRequestReviewer = builder.objectRef<ReviewerRecord>('MergeRequestReviewer').implement({
  interfaces: [User],
  description: 'A person who is to review a merge request.',
  fields: (t) => ({
    mergeRequestInteraction: t.field({
      type: Interaction,
      nullable: true,
      description: 'What they did in it.',
      resolve: async ({ mergeRequestId }, _args, context) => ({
        state: (await stateOf(context, mergeRequestId)) ?? 'UNREVIEWED',
      }),
    }),
  }),
});

builder.objectField(MergeRequest, 'reviewers', (t) =>
  t.connection(
    {
      type: MergeRequestReviewer,
      description: 'At most one.',
      ...within(1, 1),
      args: offsetArg,
      resolve: ({ id, reviewer }, args) => {
        const reviewers: ReviewerRecord[] =
          reviewer === null ? [] : [Object.assign(withTimes<UserRecord>(reviewer), { mergeRequestId: id })];
        return resolveArrayPage(args, reviewers, (one) => String(one.id)) as never;
      },
    },
    connectionOf(MergeRequestReviewer) as never,
  ),
);

builder.objectField(MergeRequest, 'reviews', (t) =>
  t.connection(
    {
      type: Review,
      nullable: true,
      description: 'Who reviews it, and how far they have come.',
      args: { ...offsetArg },
      resolve: async ({ id, reviewer, reviewerSince, createdAt }, args, context) => {
        const reviews: ReviewRecord[] =
          reviewer === null
            ? []
            : [
                {
                  user: withTimes<UserRecord>(reviewer),
                  state: (await stateOf(context, id)) ?? 'UNREVIEWED',
                  since: reviewerSince ?? createdAt,
                },
              ];
        return resolveArrayPage(args, reviews, ({ user }) => String(user.id)) as never;
      },
    },
    connectionOf(Review) as never,
  ),
);
