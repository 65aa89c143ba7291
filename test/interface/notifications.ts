import { expect } from 'vitest';
import type { WireEvent } from '../../src/values/notification-events.ts';
import type { WireLevel } from '../../src/values/notification-levels.ts';
import type { Answer, Call, Row } from './row.ts';

/** The interface's own list: that of the code must not be longer or shorter. */
const everyEvent = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'new_epic',
] as const satisfies readonly WireEvent[];
const ofEveryone = everyEvent.filter((event) => event !== 'new_epic');
const everyLevel = [
  'disabled',
  'participating',
  'watch',
  'global',
  'mention',
  'custom',
] as const satisfies readonly WireLevel[];

/** The three scopes of a setting: where it is, and what its record has. */
const scopes = [
  {
    of: 'global',
    path: '/notification_settings',
    members: ['level', 'notification_email'],
    custom: ['level', 'events', 'notification_email'],
  },
  { of: 'a group', path: '/groups/demo/notification_settings', members: ['level'], custom: ['level', 'events'] },
  {
    of: 'a project',
    path: '/projects/{storefront}/notification_settings',
    members: ['level'],
    custom: ['level', 'events'],
  },
] as const;

const flags = (value: boolean) => Object.fromEntries(ofEveryone.map((event) => [event, String(value)]));
const refusals: readonly [what: string, call: Omit<Call, 'call'>, gets: Answer][] = [
  [
    'a level that isn’t one',
    { query: { level: 'all' } },
    { status: 400, body: { message: "'all' is not a valid level" } },
  ],
  [
    'a flag that isn’t a boolean',
    { query: { new_note: 'perhaps' } },
    { status: 400, body: { error: 'new_note is invalid' } },
  ],
  [
    'a request without a credential',
    { as: 'nobody', query: { level: 'watch' } },
    { status: 401, body: { message: '401 Unauthorized' } },
  ],
];

export const notificationRows: readonly Row[] = [
  ...scopes.flatMap(({ of, path, members, custom }): Row[] => [
    ...everyLevel.map((level): Row => ({
      name: `the level ${level} can be set, ${of}`,
      asks: { call: `PUT ${path}`, query: { level } },
      gets: { status: 200, has: { level }, members: level === 'custom' ? custom : members },
    })),
    ...everyLevel.map((level): Row => ({
      name: `the level ${level} is read back, ${of}`,
      given: [{ call: `PUT ${path}`, query: { level } }],
      asks: { call: `GET ${path}` },
      gets: { status: 200, has: { level }, members: level === 'custom' ? custom : members },
    })),
    ...ofEveryone.flatMap((event) =>
      [true, false].map((value): Row => ({
        name: `the flag ${event} can be ${value}, ${of}`,
        given: [{ call: `PUT ${path}`, query: { level: 'custom', [event]: String(!value) } }],
        asks: { call: `PUT ${path}`, query: { [event]: String(value) } },
        gets: { status: 200, has: { level: 'custom', events: { [event]: value } } },
      })),
    ),
    {
      name: `the flag new_epic is for the higher tier, ${of}`,
      given: [{ call: `PUT ${path}`, as: 'premium', query: { level: 'custom' } }],
      asks: { call: `PUT ${path}`, as: 'premium', query: { new_epic: 'true' } },
      gets: { status: 200, has: { events: { new_epic: true } } },
    },
    {
      name: `the flag new_epic isn’t shown to others, ${of}`,
      asks: { call: `PUT ${path}`, as: 'developer', query: { level: 'custom', new_epic: 'true' } },
      gets: { status: 200, has: { events: expect.not.objectContaining({ new_epic: expect.anything() }) } },
    },
    {
      name: `the level custom has one boolean for each event, in the interface’s order, ${of}`,
      given: [
        {
          call: `PUT ${path}`,
          as: 'premium',
          query: { level: 'custom', ...flags(false), new_epic: 'false', moved_project: 'true' },
        },
      ],
      asks: { call: `GET ${path}`, as: 'premium' },
      gets: {
        status: 200,
        has: { events: Object.fromEntries(everyEvent.map((event) => [event, event === 'moved_project'])) },
      },
    },
    {
      name: `every parameter is optional, ${of}`,
      given: [{ call: `PUT ${path}`, query: { level: 'mention' } }],
      asks: { call: `PUT ${path}` },
      gets: { status: 200, has: { level: 'mention' } },
    },
    {
      name: `parameters may come in the body, ${of}`,
      asks: { call: `PUT ${path}`, json: { level: 'custom', new_note: true } },
      gets: { status: 200, has: { level: 'custom', events: { new_note: true } } },
    },
    ...refusals.map(([what, call, gets]): Row => ({
      name: `${what} is refused, ${of}`,
      asks: { call: `PUT ${path}`, ...call },
      gets,
    })),
    {
      name: `reading needs a credential, ${of}`,
      asks: { call: `GET ${path}`, as: 'nobody' },
      gets: { status: 401, body: { message: '401 Unauthorized' } },
    },
  ]),
  {
    name: 'the global setting has the address for notifications',
    given: [{ call: 'PUT /notification_settings', query: { level: 'participating' } }],
    asks: { call: 'GET /notification_settings' },
    gets: { status: 200, body: { level: 'participating', notification_email: 'maintainer@example.com' } },
  },
  {
    name: 'the address for notifications can be set',
    asks: { call: 'PUT /notification_settings', query: { notification_email: 'maintainer@example.com' } },
    gets: { status: 200, has: { notification_email: 'maintainer@example.com' } },
  },
  {
    name: 'the address for notifications is one of one’s own',
    asks: { call: 'PUT /notification_settings', query: { notification_email: 'guest@example.com' } },
    gets: { status: 400, body: { message: { notification_email: ['must be an email you have verified'] } } },
  },
  {
    name: 'a setting of a project has no address',
    asks: {
      call: 'PUT /projects/{storefront}/notification_settings',
      query: { level: 'watch', notification_email: 'maintainer@example.com' },
    },
    gets: { status: 200, body: { level: 'watch' } },
  },
  {
    name: 'a group is named by its ID',
    asks: { call: 'GET /groups/{demo}/notification_settings' },
    gets: { status: 200 },
  },
  {
    name: 'a group is named by its path',
    asks: { call: 'GET /groups/demo%2Fplatform/notification_settings' },
    gets: { status: 200 },
  },
  {
    name: 'a project is named by its ID',
    asks: { call: 'GET /projects/{storefront_id}/notification_settings' },
    gets: { status: 200 },
  },
  {
    name: 'a project is named by its path',
    asks: { call: 'GET /projects/demo%2Fplatform%2Fapi/notification_settings' },
    gets: { status: 200 },
  },
  {
    name: 'a group that isn’t there has no setting',
    asks: { call: 'GET /groups/999999/notification_settings' },
    gets: { status: 404, body: { message: '404 Group Not Found' } },
  },
  {
    name: 'a project that isn’t there has no setting',
    asks: { call: 'PUT /projects/999999/notification_settings', query: { level: 'watch' } },
    gets: { status: 404, body: { message: '404 Project Not Found' } },
  },
];
