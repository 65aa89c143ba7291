import type { Parameter, Values } from '../../engine/parameters.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** What people say about what they do. */

interface StatusData {
  readonly emoji: string | null;
  readonly message: string | null;
  readonly availability: string | null;
  readonly messageHtml: string | null;
  readonly clearStatusAt: string | null;
}
const fields = 'emoji message availability messageHtml clearStatusAt';

const text = { type: ['string', 'null'] };
const schema = objectSchema({
  emoji: text,
  message: text,
  availability: { ...text, enum: ['not_set', 'busy', null] },
  message_html: text,
  clear_status_at: { ...text, format: 'date-time' },
});

const nothing = { emoji: null, message: null, availability: null, message_html: null, clear_status_at: null };

const present = ({ emoji, message, availability, messageHtml, clearStatusAt }: StatusData) => ({
  emoji,
  message,
  availability: availability === null ? null : availability.toLowerCase(),
  message_html: messageHtml,
  clear_status_at: clearStatusAt,
});

/** A status that is read: without one, every member is null. */
const read = <Data>(find: (data: Data) => StatusData | null): Record<Data> => ({
  name: 'UserStatus',
  schema,
  present(data) {
    const status = find(data);
    return status ? present(status) : nothing;
  },
});

interface Changed {
  /** Undefined if nothing was to be set. */
  readonly userSetStatus: { readonly status?: StatusData | null };
}
/** A status that was set; null if it was removed. */
const written: Record<Changed> = {
  name: 'UserStatusSet',
  schema: { anyOf: [schema, { type: 'null' }] },
  present: ({ userSetStatus: { status } }) => (status ? present(status) : null),
};

const ends: Readonly<{ [wire: string]: string }> = {
  '30_minutes': 'THIRTY_MINUTES',
  '3_hours': 'THREE_HOURS',
  '8_hours': 'EIGHT_HOURS',
  '1_day': 'ONE_DAY',
  '3_days': 'THREE_DAYS',
  '7_days': 'SEVEN_DAYS',
  '30_days': 'THIRTY_DAYS',
};
const availabilities: Readonly<{ [wire: string]: string }> = { not_set: 'NOT_SET', busy: 'BUSY' };

const parameters: readonly Parameter[] = [
  { name: 'emoji', type: 'string', description: 'Name of an emoji; `speech_balloon` by default.' },
  { name: 'message', type: 'string', description: 'At most 100 characters.' },
  {
    name: 'availability',
    type: 'string',
    values: Object.keys(availabilities),
    description: 'Another value counts as not sent.',
  },
  { name: 'clear_status_after', type: 'string', allowed: Object.keys(ends), description: 'When the status ends.' },
];

/** The value of an enumeration; undefined if it wasn't sent or isn't known, null if it was empty. */
const chosen = (of: Readonly<{ [wire: string]: string }>, value: Values[string]) =>
  value == null ? value : Object.hasOwn(of, String(value)) ? of[String(value)] : undefined;

const input = ({ emoji, message, availability, clear_status_after: clearAfter }: Values) => ({
  emoji,
  message,
  availability: chosen(availabilities, availability),
  clearStatusAfter: chosen(ends, clearAfter),
});

/** The same, where what isn't sent is cleared. */
const replacing = (values: Values) =>
  Object.fromEntries(Object.entries(input(values)).map(([name, value]) => [name, value ?? null]));

const change = (
  method: 'PUT' | 'PATCH',
  summary: string,
  inputOf: (values: Values) => { readonly [name: string]: unknown },
): AnyRoute =>
  route<Changed>({
    method,
    path: '/api/v4/user/status',
    summary,
    tag: 'Users',
    parameters,
    example: { emoji: 'coffee', message: 'Back soon' },
    operation: `mutation ($input: UserSetStatusInput!, $sent: Boolean!) {
      userSetStatus(input: $input) { errors status @include(if: $sent) { ${fields} } }
    }`,
    variables(values) {
      const sent = inputOf(values);
      return { input: sent, sent: Object.values(sent).some((value) => value !== undefined) };
    },
    silent: ({ userSetStatus: { status } }) => status === undefined,
    record: written,
    dialect: 'version 4',
  });

export const statusRoutes: readonly AnyRoute[] = [
  route<{ currentUser: { status: StatusData | null } }>({
    method: 'GET',
    path: '/api/v4/user/status',
    summary: 'Get your status',
    tag: 'Users',
    parameters: [],
    operation: `query { currentUser { status { ${fields} } } }`,
    variables: () => ({}),
    person: 401,
    record: read(({ currentUser }) => currentUser.status),
    dialect: 'version 4',
  }),
  route<{ statusOfUser: { status: StatusData | null } }>({
    method: 'GET',
    path: '/api/v4/users/:id/status',
    summary: 'Get the status of a user',
    tag: 'Users',
    parameters: [],
    operation: `query ($id: ID!) { statusOfUser(userId: $id) { status { ${fields} } } }`,
    variables: ({ id }) => ({ id }),
    record: read(({ statusOfUser }) => statusOfUser.status),
    dialect: 'version 4',
  }),
  change('PUT', 'Set your status; parameters that aren’t sent are cleared', replacing),
  change('PATCH', 'Change your status; parameters that aren’t sent stay', input),
];
