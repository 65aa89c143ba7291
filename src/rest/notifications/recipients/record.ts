import { eventNames, toWireEvent, type EventName } from '../../../values/kinds/notification-events.ts';
import { levels, toWireLevel, type Level } from '../../../values/kinds/notification-levels.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';

/** The data of `decisionFields`. */
export interface DecisionData {
  readonly event: EventName;
  readonly notified: boolean;
  readonly reason: string | null;
  readonly via: string | null;
  readonly level: Level;
  readonly source: string;
  readonly sourceGroup: { readonly id: number; readonly fullPath: string } | null;
  readonly switch: { readonly enabled: boolean; readonly isSet: boolean } | null;
  readonly subscribed: boolean | null;
  readonly mutedUntil: string | null;
  readonly notificationEmail: string | null;
  readonly steps: readonly { readonly step: string; readonly passed: boolean; readonly explanation: string }[];
  readonly user: UserBasicData;
}
export const decisionFields = `event notified reason via level source sourceGroup { id: databaseId fullPath }
  switch { enabled isSet } subscribed mutedUntil notificationEmail steps { step passed explanation } user { ${userBasicFields} }`;

/** The data of `recipientFields`. */
export interface RecipientData {
  readonly reason: string | null;
  readonly user: UserBasicData;
  readonly decision: Pick<DecisionData, 'level' | 'source' | 'sourceGroup' | 'notificationEmail'> | null;
}
export const recipientFields = `reason user { ${userBasicFields} }
  decision { level source sourceGroup { id: databaseId fullPath } notificationEmail }`;

const lower = (name: string | null) => name?.toLowerCase() ?? null;
const reason: JsonSchema = {
  type: ['string', 'null'],
  enum: ['own_activity', 'assigned', 'review_requested', 'mentioned', 'subscribed', null],
  description: 'The reason that the message gives; null for none.',
};
const address: JsonSchema = { type: ['string', 'null'], format: 'email', description: 'Where the message goes.' };
const setting = {
  level: { type: 'string', enum: levels.map(toWireLevel), description: 'The effective level.' },
  source: { type: 'string', enum: ['project', 'group', 'global', 'default'] },
  source_group: {
    type: ['object', 'null'],
    properties: { id: { type: 'integer' }, full_path: { type: 'string' } },
    required: ['id', 'full_path'],
    additionalProperties: false,
    description: 'The group whose level applies, if you can see it.',
  },
} satisfies { readonly [name: string]: JsonSchema };

const settingOf = ({ level, source, sourceGroup }: Pick<DecisionData, 'level' | 'source' | 'sourceGroup'>) => ({
  level: toWireLevel(level),
  source: source.toLowerCase(),
  source_group: sourceGroup && { id: sourceGroup.id, full_path: sourceGroup.fullPath },
});

/** Someone who would be notified. The setting and the address are shown of oneself, and to administrators. */
export const NotificationRecipient: Record<RecipientData> = {
  name: 'NotificationRecipient',
  schema: objectSchema({ user: UserBasic.schema, reason, notification_email: address, ...setting }, [
    'notification_email',
    'level',
    'source',
    'source_group',
  ]),
  present: ({ user, reason: why, decision }) => ({
    user: UserBasic.present(user),
    reason: lower(why),
    ...(decision && { notification_email: decision.notificationEmail, ...settingOf(decision) }),
  }),
};

/** Whether a person would be notified, and why. */
export const NotificationDecision: Record<DecisionData> = {
  name: 'NotificationDecision',
  schema: objectSchema({
    user: UserBasic.schema,
    event: { type: 'string', enum: eventNames.map(toWireEvent) },
    notified: { type: 'boolean' },
    reason,
    via: { type: ['string', 'null'], enum: ['participant', 'mention', 'subscription', 'setting', null] },
    ...setting,
    enabled: {
      type: ['boolean', 'null'],
      description: 'The switch of the event in the setting that applies. It counts at the level `custom`.',
    },
    is_set: { type: 'boolean', description: 'Whether that switch was ever set.' },
    subscribed: { type: ['boolean', 'null'] },
    muted_until: { type: ['string', 'null'], format: 'date-time' },
    notification_email: address,
    steps: {
      type: 'array',
      items: objectSchema({
        step: { type: 'string' },
        passed: { type: 'boolean' },
        explanation: { type: 'string' },
      }),
      description: 'The steps in their order, up to the one that decided it.',
    },
  }),
  present: (decision) => ({
    user: UserBasic.present(decision.user),
    event: toWireEvent(decision.event),
    notified: decision.notified,
    reason: lower(decision.reason),
    via: lower(decision.via),
    ...settingOf(decision),
    enabled: decision.switch?.enabled ?? null,
    is_set: decision.switch?.isSet ?? false,
    subscribed: decision.subscribed,
    muted_until: decision.mutedUntil,
    notification_email: decision.notificationEmail,
    steps: decision.steps.map(({ step, passed, explanation }) => ({
      step: step.toLowerCase(),
      passed,
      explanation,
    })),
  }),
};
