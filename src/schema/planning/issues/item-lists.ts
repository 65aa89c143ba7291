import type { ObjectRef } from '@pothos/core';
import type { Inside } from '../../../database/access/inside.ts';
import type { LabelRecord } from '../../../database/access/planning.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage, within } from '../../engine/page.ts';
import { withTimes } from '../../engine/times.ts';
import { Label } from '../labels/types.ts';

/** An issue or a merge request, with its labels and its assignee in the same row. */
interface Item {
  readonly labels: readonly Inside<LabelRecord>[];
  readonly assignee: Inside<UserRecord> | null;
}

/** Declares the lists of labels and of assignees that issues and merge requests have. */
export function labelsAndAssignees<One extends Item>(type: ObjectRef<Types, One>): void {
  builder.objectField(type, 'labels', (t) =>
    t.connection(
      {
        type: Label,
        description: 'By title.',
        ...within(10),
        args: offsetArg,
        resolve: ({ labels }, args) =>
          resolveArrayPage(
            args,
            labels.map((one) => withTimes<LabelRecord>(one)),
            ({ id }) => String(id),
          ) as never,
      },
      connectionOf(Label) as never,
    ),
  );
  builder.objectField(type, 'assignees', (t) =>
    t.connection(
      {
        type: UserCore,
        description: 'At most one.',
        ...within(1, 1),
        args: offsetArg,
        resolve: ({ assignee }, args) =>
          resolveArrayPage(args, assignee === null ? [] : [withTimes<UserRecord>(assignee)], ({ id }) =>
            String(id),
          ) as never,
      },
      connectionOf(UserCore) as never,
    ),
  );
}
