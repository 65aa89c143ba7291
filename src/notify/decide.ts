import { defaultLevel, type Level } from '../values/kinds/notification-levels.ts';
import { causes, rankOf, type CauseName, type Reason, type Via } from './causes.ts';

/**
 * Who is notified of what, for one person and from plain data: it says why, step by step. The statement that finds all
 * recipients at once (`src/schema/notifications/recipients/statements`) says the same in SQL; a property test compares them.
 */

/** What decides whether one person is notified. */
export interface Standing {
  /** How they come to be notified; empty: not at all. */
  readonly candidacies: readonly { readonly via: Via; readonly reason: Reason | null }[];
  /** Whether the account may use Causeway, and belongs to a person. */
  readonly active: boolean;
  /** Whether they read what it is about. */
  readonly reads: boolean;
  /** Whether mail is on in the project and in every group above it. */
  readonly mailEnabled: boolean;
  /** Whether it is their own activity, and whether they want to be notified of that. */
  readonly own: boolean;
  readonly wantsOwn: boolean;
  /** Whether they are subscribed to what it is about; null if they never said so. */
  readonly subscribed: boolean | null;
  /** The level that applies; null if none was chosen. */
  readonly level: Level | null;
  /** Whether the setting that applies has the event switched on, by itself or by its default. */
  readonly switchedOn: boolean;
  /** Whether they asked for silence until a moment that hasn't come. */
  readonly muted: boolean;
  /** The confirmed address that a message goes to; null if there is none. */
  readonly address: string | null;
  /** Whether that address refused too many messages. */
  readonly bounces: boolean;
  /** Whether the person who did it has addresses, and none is confirmed. Omitted: no. */
  readonly unconfirmed?: boolean;
}

interface StepFacts {
  /** What it checks, for the schema. */
  readonly description: string;
  /** What it means that the step was passed, and that it wasn't. */
  readonly yes: string;
  readonly no: string;
}

/** The steps of a decision, in their order. */
export const steps = {
  AUTHOR_CONFIRMED: {
    description: 'For something new: whether its author has a confirmed address.',
    yes: 'The author has a confirmed address.',
    no: 'The author has no confirmed address, so no one gets e-mail about it.',
  },
  CANDIDATE: {
    description: 'Whether it concerns the person at all.',
    yes: 'It concerns the person.',
    no: 'It doesn’t concern the person: they don’t take part, aren’t mentioned, didn’t subscribe, and no setting of theirs brings it.',
  },
  ACCOUNT: {
    description: 'Whether the account is active, and a person’s.',
    yes: 'The account is active.',
    no: 'The account isn’t active.',
  },
  ACCESS: {
    description: 'Whether the person reads what it is about.',
    yes: 'The person can read it.',
    no: 'The person can’t read it.',
  },
  MAIL_ENABLED: {
    description: 'Whether the project and the groups above it send mail.',
    yes: 'The project and its groups send e-mail.',
    no: 'E-mail is switched off in the project or in a group above it.',
  },
  OWN_ACTIVITY: {
    description: 'Whether someone else did it, or the person wants mail about what they do themselves.',
    yes: 'Someone else did it, or the person wants e-mail about their own activity.',
    no: 'It is the person’s own activity, about which they want no e-mail.',
  },
  MUTED: {
    description: 'Whether the person didn’t mute everything for now.',
    yes: 'The person didn’t mute notifications.',
    no: 'The person muted all notifications for now.',
  },
  SUBSCRIPTION: {
    description: 'Whether the person subscribed, or didn’t unsubscribe.',
    yes: 'The person didn’t unsubscribe from it, or is mentioned.',
    no: 'The person unsubscribed from it, and isn’t mentioned.',
  },
  LEVEL: {
    description: 'Whether the level that applies brings it.',
    yes: 'The person’s level brings it, or they subscribed, which counts at every level.',
    no: 'The person’s level doesn’t bring it.',
  },
  ADDRESS_CONFIRMED: {
    description: 'Whether the person has a confirmed address.',
    yes: 'The person has a confirmed address.',
    no: 'The person has no confirmed address: a message waits for one for a week.',
  },
  BOUNCING: {
    description: 'Whether the address didn’t refuse too many messages within a day, or the person subscribed.',
    yes: 'The address doesn’t refuse messages, or the person subscribed, which counts even then.',
    no: 'The address refused too many messages within a day.',
  },
} as const satisfies Record<string, StepFacts>;

type StepName = keyof typeof steps;

/** One step of a decision. */
export interface Step {
  readonly step: StepName;
  readonly passed: boolean;
}

export interface Decision {
  readonly notified: boolean;
  /** How, and the reason that the message gives; null if they aren't notified, or there is none. */
  readonly via: Via | null;
  readonly reason: Reason | null;
  /** The steps up to the one that decided it. */
  readonly steps: readonly Step[];
}

/** Whether a level brings something to a person who is notified of it in this way. */
function levelBrings(level: Level | null, via: Via, cause: CauseName, switchedOn: boolean): boolean {
  const { quiet = false, own = false } = causes[cause];
  switch (level ?? defaultLevel.GLOBAL) {
    case 'DISABLED':
    case 'GLOBAL':
      return false;
    case 'MENTION':
      return via === 'MENTION';
    case 'PARTICIPATING':
      return via === 'PARTICIPANT' || via === 'MENTION' || own;
    case 'WATCH':
      return !quiet || via !== 'SETTING';
    case 'CUSTOM':
      return switchedOn || via === 'PARTICIPANT' || via === 'MENTION';
  }
}

/** Decides whether a person is notified of something of this cause, and says why. */
export function decide(cause: CauseName, person: Standing): Decision {
  const { candidacies, active, reads, mailEnabled, own, wantsOwn, subscribed, level, switchedOn, muted } = person;
  const { address, bounces, unconfirmed = false } = person;
  const taken: Step[] = [];
  const step = (name: StepName, passed: boolean) => {
    taken.push({ step: name, passed });
    return passed;
  };
  const no = (): Decision => ({ notified: false, via: null, reason: null, steps: taken });
  if (causes[cause].confirmed && !step('AUTHOR_CONFIRMED', !unconfirmed)) return no();
  if (!step('CANDIDATE', candidacies.length > 0)) return no();
  if (!step('ACCOUNT', active)) return no();
  if (!step('ACCESS', reads)) return no();
  if (!step('MAIL_ENABLED', mailEnabled)) return no();
  if (!step('OWN_ACTIVITY', !own || wantsOwn)) return no();
  if (!step('MUTED', !muted)) return no();
  // Who unsubscribed is notified only where they are mentioned; who subscribed, whatever their level.
  const heard = candidacies.filter(({ via }) => subscribed !== false || via === 'MENTION');
  if (!step('SUBSCRIPTION', heard.length > 0)) return no();
  const passing = heard.filter(({ via }) => via === 'SUBSCRIPTION' || levelBrings(level, via, cause, switchedOn));
  if (!step('LEVEL', passing.length > 0)) return no();
  if (!step('ADDRESS_CONFIRMED', address !== null)) return no();
  const arriving = passing.filter(({ via }) => !bounces || via === 'SUBSCRIPTION');
  if (!step('BOUNCING', arriving.length > 0)) return no();
  const [best] = arriving
    .map(({ via, reason }) => ({ via, reason: own ? ('OWN_ACTIVITY' as const) : reason }))
    .toSorted((a, b) => rankOf(a.reason) - rankOf(b.reason) || a.via.localeCompare(b.via));
  return { notified: true, ...best!, steps: taken };
}
