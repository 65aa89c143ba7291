/**
 * The levels of notification settings: the only list of them. The GraphQL enum, the values
 * of version 4 and the choices on pages are all made from it.
 */

interface LevelFacts {
  /** What is sent; for the schema. */
  readonly description: string;
  /** Its name on pages. */
  readonly label: string;
  /** What is sent; for pages. */
  readonly explanation: string;
  /** Its position among the choices on pages, from nothing to everything. */
  readonly rank: number;
}

/** In the order of the interface; some records use the index, from 0. Version 4 has each name in lower case. */
const list = {
  DISABLED: { rank: 1, label: 'Disabled', description: 'Nothing.', explanation: 'No e-mail at all.' },
  PARTICIPATING: {
    rank: 3,
    label: 'Participate',
    description: 'What you take part in, and where you are mentioned.',
    explanation: 'What you take part in, and where someone mentions you.',
  },
  WATCH: {
    rank: 4,
    label: 'Watch',
    description: 'Everything, except what is sent on every push, on due dates and on successful pipelines.',
    explanation: 'Everything, except pushes, due dates and successful pipelines.',
  },
  GLOBAL: {
    rank: 0,
    label: 'Global',
    description:
      'What applies one step further out: the nearest group with a level of its own, else your global level.',
    explanation:
      'What applies one step further out: the group around, else your level for everywhere. Forgets what was set there.',
  },
  MENTION: {
    rank: 2,
    label: 'On mention',
    description: 'Only where you are mentioned.',
    explanation: 'Only where someone mentions you.',
  },
  CUSTOM: {
    rank: 5,
    label: 'Custom',
    description: 'What `PARTICIPATING` brings, and the events that are switched on.',
    explanation: 'What you take part in, and the events that you switch on.',
  },
} as const satisfies Record<string, LevelFacts>;

export type Level = keyof typeof list;

/** A level as version 4 names it. */
export type WireLevel = Lowercase<Level>;

export const notificationLevels: Readonly<Record<Level, LevelFacts>> = list;
export const levels = Object.keys(list) as Level[];

export const isLevel = (text: string | undefined): text is Level => text !== undefined && Object.hasOwn(list, text);

/** The levels as pages offer them, from nothing to everything. */
export const levelChoices = levels.toSorted((one, other) => list[one].rank - list[other].rank);

export const toWireLevel = (level: Level): WireLevel => level.toLowerCase() as WireLevel;

/** Where a setting belongs. */
export type Scope = 'GLOBAL' | 'GROUP' | 'PROJECT';

/** What applies while no level was chosen. */
export const defaultLevel = { GLOBAL: 'PARTICIPATING', GROUP: 'GLOBAL', PROJECT: 'GLOBAL' } as const satisfies Record<
  Scope,
  Level
>;
