import type { NotificationLevel } from '../../../database/index.ts';
import { levels, notificationLevels, type Scope } from '../../../values/notification-levels.ts';
import { builder } from '../../engine/builder.ts';

/** Typed by the levels that the database can store, so that a level which it lacks fails the type check. */
export const LevelType = builder.enumType('NotificationLevel', {
  description: 'How much a person wants to hear.',
  values: Object.fromEntries(
    levels.map((level) => [level, { description: notificationLevels[level].description }]),
  ) as { [L in NotificationLevel]: { description: string } },
});

export const ScopeType = builder.enumType('NotificationScope', {
  description: 'Where a setting belongs.',
  values: {
    GLOBAL: { description: 'Everywhere, unless something nearer says otherwise.' },
    GROUP: { description: 'One group and everything in it.' },
    PROJECT: { description: 'One project.' },
  } as const satisfies Record<Scope, { description: string }>,
});
