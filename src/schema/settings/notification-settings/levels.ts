import type { NotificationLevel } from '../../../database/index.ts';
import { levels, notificationLevels, type Scope } from '../../../values/kinds/notification-levels.ts';
import { builder } from '../../engine/builder.ts';

/** The enum of levels. Its type comes from the database: a level that the database lacks fails the type check. */
export const LevelType = builder.enumType('NotificationLevel', {
  description: 'How much a person wants to be notified of.',
  values: Object.fromEntries(
    levels.map((level) => [level, { description: notificationLevels[level].description }]),
  ) as { [L in NotificationLevel]: { description: string } },
});

export const ScopeType = builder.enumType('NotificationScope', {
  description: 'What a setting applies to.',
  values: {
    GLOBAL: { description: 'Everything without a more specific setting.' },
    GROUP: { description: 'One group and everything in it.' },
    PROJECT: { description: 'One project.' },
  } as const satisfies Record<Scope, { description: string }>,
});
