import { reads, writes } from '../../../policy/index.ts';
import { Unauthenticated } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { userByReference } from '../users/find.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { lockStatus, readStatuses, removeStatus, writeStatus, type StatusRow } from './statements.ts';
import { AvailabilityType, statusOf, StatusType } from './type.ts';

/** The emoji of a message that was set without one. */
const unsaid = 'speech_balloon';

/** Maximum length of a message, in characters. */
const longest = 100;

/** After how many seconds a status ends. */
const ClearAfterType = builder.enumType('UserStatusClearAfter', {
  description: 'When a status ends.',
  values: {
    THIRTY_MINUTES: { value: 1_800 },
    THREE_HOURS: { value: 10_800 },
    EIGHT_HOURS: { value: 28_800 },
    ONE_DAY: { value: 86_400 },
    THREE_DAYS: { value: 259_200 },
    SEVEN_DAYS: { value: 604_800 },
    THIRTY_DAYS: { value: 2_592_000 },
  } as const,
});

mutation('userSetStatus', {
  description: 'Sets your status. A status with neither emoji, message nor availability is removed.',
  admission: { class: 'token', scopes: writes },
  inputDescription: 'Omitted fields stay as they are; null clears.',
  input: (t) => ({
    emoji: t.string({ description: `The name of an emoji; null: \`${unsaid}\` if there is a message.` }),
    message: t.string({ description: `At most ${longest} characters.` }),
    availability: t.field({ type: AvailabilityType }),
    clearStatusAfter: t.field({ type: ClearAfterType, description: 'Null: it stays.' }),
  }),
  payload: (t: FieldsOf<{ readonly status: StatusRow | null }>) => ({
    status: t.field({ type: StatusType, nullable: true, resolve: ({ status }) => status }),
  }),
  resolve: async (context, { emoji, message, availability, clearStatusAfter: clearAfter }) => {
    const { viewer, database } = context;
    if (!viewer.person) throw new Unauthenticated();
    const { id } = viewer.person;
    const problems = new Problems();
    if (emoji && !(await emojiNamed(emoji))) problems.add('emoji', ['is not a valid emoji name']);
    if (message && [...message].length > longest) problems.add('message', [tooLong(longest)]);
    problems.refuse();
    const status = await database.transaction(async (sql): Promise<StatusRow | null> => {
      await sql.rows(lockStatus, [id]);
      const [before] = await sql.rows(readStatuses, [[id]]);
      const next = {
        emoji: emoji === undefined ? before?.emoji : emoji || undefined,
        message: (message === undefined ? before?.message : message) || null,
        availability: availability === undefined ? before?.availability : availability,
        clear_status_at:
          clearAfter === undefined
            ? (before?.clear_status_at ?? null)
            : clearAfter === null
              ? null
              : new Date(Date.now() + clearAfter * 1_000),
      };
      if (next.emoji === undefined && next.message === null && next.availability == null) {
        await sql.rows(removeStatus, [id]);
        return null;
      }
      const row = { ...next, id, emoji: next.emoji ?? unsaid, availability: next.availability ?? 'NOT_SET' } as const;
      await sql.rows(writeStatus, [id, row.emoji, row.message, row.availability, row.clear_status_at]);
      return row;
    });
    return { status };
  },
});

const UserStatusOf = builder.objectRef<{ readonly status: StatusRow | null }>('StatusOfUser').implement({
  fields: (t) => ({ status: t.field({ type: StatusType, nullable: true, resolve: ({ status }) => status }) }),
});

builder.queryField('statusOfUser', (t) =>
  t.field({
    type: UserStatusOf,
    nullable: true,
    description: 'The status of a person, by id or username; also for anonymous requests.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: async (_root, { userId }, context) => {
      const { id } = await userByReference(context, userId);
      return { status: (await statusOf(context, id)) ?? null };
    },
  }),
);
