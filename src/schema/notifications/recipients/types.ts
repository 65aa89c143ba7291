import { reasons, vias, type CauseName, type Reason, type Via } from '../../../notify/causes.ts';
import { steps, type Decision, type Step } from '../../../notify/decide.ts';
import type { EventName } from '../../../values/kinds/notification-events.ts';
import type { Level } from '../../../values/kinds/notification-levels.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { seesEmail } from '../../accounts/users/seen.ts';
import { builder } from '../../engine/builder.ts';
import { visibleGroupById } from '../../places/place/read.ts';
import { Group } from '../../places/place/types.ts';
import { SourceType } from '../../settings/notification-settings/effective.ts';
import { EventSettingType, EventType, type EventSetting } from '../../settings/notification-settings/events.ts';
import { LevelType } from '../../settings/notification-settings/levels.ts';

const described = <Name extends string>(list: { readonly [N in Name]: string }) =>
  Object.fromEntries(Object.entries(list).map(([name, description]) => [name, { description }])) as {
    [N in Name]: { description: string };
  };

const reasonTexts: Record<Reason, string> = {
  OWN_ACTIVITY: 'They did it themselves, and want e-mail about that.',
  ASSIGNED: 'It is assigned to them.',
  REVIEW_REQUESTED: 'Their review was requested.',
  MENTIONED: 'They are mentioned.',
  SUBSCRIBED: 'They subscribed to it, or to one of its labels.',
};

export const ReasonType = builder.enumType('NotificationReason', {
  description: 'The reason that a message gives. A message can also have none.',
  values: described(Object.fromEntries(reasons.map((name) => [name, reasonTexts[name]])) as typeof reasonTexts),
});

export const ViaType = builder.enumType('NotificationVia', {
  description: 'How a person comes to be notified of something.',
  values: described<Via>(vias),
});

const StepNameType = builder.enumType('NotificationDecisionStepName', {
  description: 'A step of the decision whether a person is notified of something.',
  values: described(
    Object.fromEntries(Object.entries(steps).map(([name, { description }]) => [name, description])) as {
      [N in keyof typeof steps]: string;
    },
  ),
});

const StepType = builder.objectRef<Step>('NotificationDecisionStep').implement({
  description: 'One step of the decision whether a person is notified of something.',
  fields: (t) => ({
    step: t.expose('step', { type: StepNameType }),
    passed: t.exposeBoolean('passed'),
    explanation: t.string({
      description: 'What it means, in words.',
      direct: true,
      resolve: ({ step, passed }) => steps[step][passed ? 'yes' : 'no'],
    }),
  }),
});

/** Whether a person is notified of something, and why. */
export interface Explained extends Decision {
  readonly userId: number;
  readonly event: EventName;
  readonly cause: CauseName;
  readonly level: Level;
  readonly source: 'PROJECT' | 'GROUP' | 'GLOBAL' | 'DEFAULT';
  readonly groupId: number | null;
  readonly switch: EventSetting | null;
  readonly subscribed: boolean | null;
  readonly mutedUntil: Date | null;
  readonly address: string | null;
}

export const DecisionType = builder.objectRef<Explained>('NotificationDecision').implement({
  description: 'Whether a person is notified of something now, and why.',
  fields: (t) => ({
    user: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    event: t.expose('event', { type: EventType }),
    notified: t.exposeBoolean('notified', { description: 'Whether a message goes to the person.' }),
    reason: t.expose('reason', {
      type: ReasonType,
      nullable: true,
      description: 'The reason that the message gives; null for none.',
    }),
    via: t.expose('via', { type: ViaType, nullable: true, description: 'Null if the person isn’t notified.' }),
    steps: t.field({
      type: [StepType],
      description: 'The steps in their order, up to the one that decided it.',
      direct: true,
      resolve: ({ steps: taken }) => [...taken],
    }),
    level: t.expose('level', { type: LevelType, description: 'The effective level, never an inherited one.' }),
    source: t.expose('source', { type: SourceType }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description: 'The group whose level applies; null if it comes from elsewhere or you can’t see the group.',
      resolve: ({ groupId }, _args, context) => visibleGroupById(context, groupId),
    }),
    switch: t.expose('switch', {
      type: EventSettingType,
      nullable: true,
      description: 'The switch of the event in the setting that applies. It counts at the level `CUSTOM`.',
    }),
    subscribed: t.exposeBoolean('subscribed', {
      nullable: true,
      description: 'Whether the person subscribed (true) or unsubscribed (false); null if they did neither.',
    }),
    mutedUntil: t.expose('mutedUntil', {
      type: 'Time',
      nullable: true,
      description: 'Until when the person muted all notifications.',
    }),
    notificationEmail: t.string({
      nullable: true,
      description: 'The verified address that a message goes to; null if there is none.',
      resolve: ({ userId, address }, _args, context) => (seesEmail(userId, context) ? address : null),
    }),
  }),
});

/** Someone who would be notified. */
export interface Recipient {
  readonly id: number;
  readonly reason: Reason | null;
  /** Only for those who may see it. */
  readonly explain: () => Promise<Explained | null>;
}

export const RecipientType = builder.objectRef<Recipient>('NotificationRecipient').implement({
  description: 'A person who would be notified of something now.',
  fields: (t) => ({
    user: t.field({ type: UserCore, nullable: true, resolve: ({ id }, _args, context) => userById(context, id) }),
    reason: t.expose('reason', {
      type: ReasonType,
      nullable: true,
      description: 'The reason that the message gives; null for none.',
    }),
    decision: t.field({
      type: DecisionType,
      nullable: true,
      description: 'Why, with the setting that decided it. Only of yourself, and for administrators.',
      resolve: ({ explain }) => explain(),
    }),
    notificationEmail: t.string({
      nullable: true,
      description:
        'The verified address that the message goes to. Only your own, and for administrators: otherwise null.',
      resolve: async ({ id, explain }, _args, context) =>
        seesEmail(id, context) ? ((await explain())?.address ?? null) : null,
    }),
  }),
});
