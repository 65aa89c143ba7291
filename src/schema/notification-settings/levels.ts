import { builder } from '../builder.ts';

/** The levels, with what each brings, for the SDL and for everyone who reads it. */
export const levelDescriptions = {
  DISABLED: 'Nothing.',
  PARTICIPATING: 'What you take part in, and where you are mentioned.',
  WATCH: 'Everything, except what is sent on every push, on due dates and on successful pipelines.',
  GLOBAL: 'What applies one step further out: the nearest group with a level of its own, else your global level.',
  MENTION: 'Only where you are mentioned.',
  CUSTOM: 'What `PARTICIPATING` brings, and the events that are switched on.',
} as const;

export type Level = keyof typeof levelDescriptions;
export const levels = Object.keys(levelDescriptions) as Level[];

/** What applies where nobody ever chose a level. */
export const defaultLevel = { GLOBAL: 'PARTICIPATING', GROUP: 'GLOBAL', PROJECT: 'GLOBAL' } as const satisfies Record<Scope, Level>;

/** Where a setting belongs. */
export type Scope = 'GLOBAL' | 'GROUP' | 'PROJECT';

export const LevelType = builder.enumType('NotificationLevel', {
  description: 'How much a person wants to hear.',
  values: Object.fromEntries(
    Object.entries(levelDescriptions).map(([level, description]) => [level, { description }]),
  ) as { [L in Level]: { description: string } },
});

export const ScopeType = builder.enumType('NotificationScope', {
  description: 'Where a setting belongs.',
  values: {
    GLOBAL: { description: 'Everywhere, unless something nearer says otherwise.' },
    GROUP: { description: 'One group and everything in it.' },
    PROJECT: { description: 'One project.' },
  } as const,
});
