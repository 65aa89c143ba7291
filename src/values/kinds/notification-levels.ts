/**
 * The levels of notification settings: the only list of them. The GraphQL enum, the values
 * of version 4 and the choices on pages are all made from it.
 */

interface LevelFacts {
  /** Which e-mail is sent at this level; the description in the schema. */
  readonly description: string;
  /** Its name on pages, as people know it from GitLab. */
  readonly label: string;
  /** The same for pages. */
  readonly explanation: string;
  /** Its position among the choices on pages. */
  readonly rank: number;
}

/**
 * The levels, in the order of GitLab's API: keep it, since some records of the API contain the index in this list.
 * Version 4 has each name in lower case.
 */
const list = {
  DISABLED: { rank: 1, label: 'Disabled', description: 'No e-mail.', explanation: 'No e-mail.' },
  PARTICIPATING: {
    rank: 3,
    label: 'Participate',
    description: 'What you take part in, and where you are mentioned.',
    explanation: 'E-mail about what you take part in, and where someone mentions you.',
  },
  WATCH: {
    rank: 4,
    label: 'Watch',
    description: 'Everything, except what is sent on every push, on due dates and on successful pipelines.',
    explanation: 'E-mail about everything, except pushes, due dates and successful pipelines.',
  },
  GLOBAL: {
    rank: 0,
    label: 'Global',
    description:
      'Inherited: the level of the nearest group that has one, otherwise your global level. As that, it brings nothing but what you subscribed to.',
    explanation:
      'The level of the nearest group that has one, otherwise your global level. Choosing it deletes what you set for that group or project.',
  },
  MENTION: {
    rank: 2,
    label: 'On mention',
    description: 'Only where you are mentioned.',
    explanation: 'E-mail only where someone mentions you.',
  },
  CUSTOM: {
    rank: 5,
    label: 'Custom',
    description: 'What `PARTICIPATING` brings, and the events that are switched on.',
    explanation: 'What Participate brings, and the events that you switch on.',
  },
} as const satisfies Record<string, LevelFacts>;

export type Level = keyof typeof list;

/** A level as version 4 names it. */
export type WireLevel = Lowercase<Level>;

export const notificationLevels: Readonly<Record<Level, LevelFacts>> = list;
export const levels = Object.keys(list) as Level[];

/** The name of a level that applies. `GLOBAL` is one only as the global level: there is nothing else to inherit then. */
export const appliedLabel = (level: Level): string => (level === 'GLOBAL' ? 'No e-mail' : list[level].label);

export const isLevel = (text: string | undefined): text is Level => text !== undefined && Object.hasOwn(list, text);

/** The levels in the order of the choices on pages: `GLOBAL` first, then from the fewest e-mails to the most, `CUSTOM` last. */
export const levelChoices = levels.toSorted((one, other) => list[one].rank - list[other].rank);

export const toWireLevel = (level: Level): WireLevel => level.toLowerCase() as WireLevel;

/** What a setting belongs to: the person alone, a group or a project. */
export type Scope = 'GLOBAL' | 'GROUP' | 'PROJECT';

/** The level of a setting that was never set. */
export const defaultLevel = { GLOBAL: 'PARTICIPATING', GROUP: 'GLOBAL', PROJECT: 'GLOBAL' } as const satisfies Record<
  Scope,
  Level
>;
