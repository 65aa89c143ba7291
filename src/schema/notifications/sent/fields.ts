import { reads } from '../../../policy/index.ts';
import { CurrentUser } from '../../accounts/users/types.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { countQueue, notificationsTo, queued, resendFailed, type PartOfQueue } from './statements.ts';
import { NotificationType } from './type.ts';

/** What was sent to a person, and the queue of all messages for administrators. */

const orders = { id: { column: 'm.id', type: 'int' } } as const;

nestedList(CurrentUser, 'notifications', {
  type: NotificationType,
  description: 'The messages to you, the newest first, with why you got each and what became of it.',
  admission: { class: 'token', scopes: reads },
  orders,
  by: 'id_desc',
  rows: (_context, _asked, _info, { id }) => notificationsTo(id),
});

const PartType = builder.enumType('NotificationQueuePart', {
  values: {
    WAITING: { description: 'Messages that wait for their turn.' },
    HELD: { description: 'Messages that are held: in quiet hours, for a digest, or until an address is confirmed.' },
    FAILED: { description: 'Messages that failed in every attempt.' },
  } as const satisfies Record<PartOfQueue, object>,
});

rootList('queuedNotifications', {
  type: NotificationType,
  description: 'The messages that aren’t sent, the newest first. For administrators.',
  admission: { class: 'session' },
  args: (t) => ({ part: t.field({ type: PartType, required: true }) }),
  orders,
  by: 'id_desc',
  rows: (context, { part }) => {
    requireAdministrator(context);
    return queued(part);
  },
});

type Counts = Record<Lowercase<PartOfQueue>, number>;
const CountsType = builder.objectRef<Counts>('NotificationQueueCounts').implement({
  description: 'How many messages aren’t sent.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting'),
    held: t.exposeInt('held'),
    failed: t.exposeInt('failed'),
  }),
});

builder.queryField('notificationQueueCounts', (t) =>
  t.field({
    type: CountsType,
    nullable: true,
    description: 'How many messages aren’t sent. For administrators.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      requireAdministrator(context);
      return (await context.database.rows(countQueue, []))[0]!;
    },
  }),
);

mutation('resendNotifications', {
  description:
    'Sends messages again that failed, and forgets how often the addresses of their people refused one. For administrators.',
  admission: { class: 'session' },
  input: (t) => ({ id: t.id({ description: 'One of them. Omitted: all.' }) }),
  payload: (t: FieldsOf<{ resent: number }>) => ({ resent: t.exposeInt('resent') }),
  resolve: async (context, { id }) => {
    requireAdministrator(context);
    const [row] = await context.database.rows(resendFailed, [id == null ? null : idOf(id, 'Notification')]);
    return row!;
  },
});
