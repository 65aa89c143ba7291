import { escapedHtml } from '../../../values/text/html.ts';
import { batchedRows } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { accountWith } from '../users/account.ts';
import { User } from '../users/types.ts';
import { readStatuses, type StatusRow } from './statements.ts';

/** What a person says about what they do. */

export const AvailabilityType = builder.enumType('AvailabilityEnum', {
  values: { NOT_SET: {}, BUSY: {} } as const,
});

export const StatusType = builder.objectRef<StatusRow>('UserStatus').implement({
  description: 'What a person says about what they do.',
  fields: (t) => ({
    emoji: t.exposeString('emoji', { nullable: true, description: 'The name of an emoji.' }),
    message: t.exposeString('message', { nullable: true }),
    messageHtml: t.string({
      nullable: true,
      description: 'The message as HTML.',
      resolve: ({ message }) => (message === null ? null : escapedHtml(message).replaceAll("'", '&#39;')),
    }),
    availability: t.expose('availability', { type: AvailabilityType }),
    clearStatusAt: t.expose('clear_status_at', {
      type: 'Time',
      nullable: true,
      description: 'When it ends; null: never.',
    }),
  }),
});

/** The present status of a person; many people are read in one statement. */
export const statusOf = batchedRows(readStatuses);

builder.interfaceField(User, 'status', (t) =>
  t.field({
    type: StatusType,
    nullable: true,
    description: 'What the person says about what they do; null if they say nothing.',
    resolve: async (user, _args, context) => {
      const read = accountWith(user)?.own_status;
      if (read === undefined) return (await statusOf(context, user.id)) ?? null;
      return (
        read && { ...read, id: user.id, clear_status_at: read.clear_status_at ? new Date(read.clear_status_at) : null }
      );
    },
  }),
);
