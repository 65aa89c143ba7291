import { expect } from 'vitest';
import { everyEvent, everyLevel } from '../support/places/notification-names.ts';
import type { Answer, Call, Row } from './row.ts';

const ofEveryone = everyEvent.filter((event) => event !== 'new_epic');

/** The three scopes of a setting: path, and keys of the record. */
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
const refusals: readonly [what: string, call: Omit<Call, 'call'>, response: Answer][] = [
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
    { as: 'anonymous', query: { level: 'watch' } },
    { status: 401, body: { message: '401 Unauthorized' } },
  ],
];

export const notificationRows: readonly Row[] = [
  ...scopes.flatMap(({ of, path, members, custom }): Row[] => [
    ...everyLevel.map((level): Row => ({
      name: `the level ${level} can be set, ${of}`,
      request: { call: `PUT ${path}`, query: { level } },
      response: { status: 200, has: { level }, members: level === 'custom' ? custom : members },
    })),
    ...everyLevel.map((level): Row => ({
      name: `the level ${level} is read back, ${of}`,
      given: [{ call: `PUT ${path}`, query: { level } }],
      request: { call: `GET ${path}` },
      response: { status: 200, has: { level }, members: level === 'custom' ? custom : members },
    })),
    ...ofEveryone.flatMap((event) =>
      [true, false].map((value): Row => ({
        name: `the flag ${event} can be ${value}, ${of}`,
        given: [{ call: `PUT ${path}`, query: { level: 'custom', [event]: String(!value) } }],
        request: { call: `PUT ${path}`, query: { [event]: String(value) } },
        response: { status: 200, has: { level: 'custom', events: { [event]: value } } },
      })),
    ),
    {
      name: `the flag new_epic is for users on the higher tier, ${of}`,
      given: [{ call: `PUT ${path}`, as: 'premium', query: { level: 'custom' } }],
      request: { call: `PUT ${path}`, as: 'premium', query: { new_epic: 'true' } },
      response: { status: 200, has: { events: { new_epic: true } } },
    },
    {
      name: `the flag new_epic isn’t shown to others, ${of}`,
      request: { call: `PUT ${path}`, as: 'developer', query: { level: 'custom', new_epic: 'true' } },
      response: { status: 200, has: { events: expect.not.objectContaining({ new_epic: expect.anything() }) } },
    },
    {
      name: `the level custom has one boolean for each event, in GitLab’s order, ${of}`,
      given: [
        {
          call: `PUT ${path}`,
          as: 'premium',
          query: { level: 'custom', ...flags(false), new_epic: 'false', moved_project: 'true' },
        },
      ],
      request: { call: `GET ${path}`, as: 'premium' },
      response: {
        status: 200,
        has: { events: Object.fromEntries(everyEvent.map((event) => [event, event === 'moved_project'])) },
      },
    },
    {
      name: `every parameter is optional, ${of}`,
      given: [{ call: `PUT ${path}`, query: { level: 'mention' } }],
      request: { call: `PUT ${path}` },
      response: { status: 200, has: { level: 'mention' } },
    },
    {
      name: `parameters may come in the body, ${of}`,
      request: { call: `PUT ${path}`, json: { level: 'custom', new_note: true } },
      response: { status: 200, has: { level: 'custom', events: { new_note: true } } },
    },
    ...refusals.map(([what, call, response]): Row => ({
      name: `${what} is refused, ${of}`,
      request: { call: `PUT ${path}`, ...call },
      response,
    })),
    {
      name: `reading needs a credential, ${of}`,
      request: { call: `GET ${path}`, as: 'anonymous' },
      response: { status: 401, body: { message: '401 Unauthorized' } },
    },
  ]),
  {
    name: 'the global setting has notification_email',
    given: [{ call: 'PUT /notification_settings', query: { level: 'participating' } }],
    request: { call: 'GET /notification_settings' },
    response: { status: 200, body: { level: 'participating', notification_email: 'maintainer@example.com' } },
  },
  {
    name: 'notification_email can be set',
    request: { call: 'PUT /notification_settings', query: { notification_email: 'maintainer@example.com' } },
    response: { status: 200, has: { notification_email: 'maintainer@example.com' } },
  },
  {
    name: 'notification_email must be an own address',
    request: { call: 'PUT /notification_settings', query: { notification_email: 'guest@example.com' } },
    response: { status: 400, body: { message: { notification_email: ['must be an email you have verified'] } } },
  },
  {
    name: 'a setting of a project has no notification_email',
    request: {
      call: 'PUT /projects/{storefront}/notification_settings',
      query: { level: 'watch', notification_email: 'maintainer@example.com' },
    },
    response: { status: 200, body: { level: 'watch' } },
  },
  {
    name: 'a group is named by its ID',
    request: { call: 'GET /groups/{demo}/notification_settings' },
    response: { status: 200 },
  },
  {
    name: 'a group is named by its path',
    request: { call: 'GET /groups/demo%2Fplatform/notification_settings' },
    response: { status: 200 },
  },
  {
    name: 'a project is named by its ID',
    request: { call: 'GET /projects/{storefront_id}/notification_settings' },
    response: { status: 200 },
  },
  {
    name: 'a project is named by its path',
    request: { call: 'GET /projects/demo%2Fplatform%2Fapi/notification_settings' },
    response: { status: 200 },
  },
  {
    name: 'an unknown group answers 404',
    request: { call: 'GET /groups/999999/notification_settings' },
    response: { status: 404, body: { message: '404 Group Not Found' } },
  },
  {
    name: 'an unknown project answers 404',
    request: { call: 'PUT /projects/999999/notification_settings', query: { level: 'watch' } },
    response: { status: 404, body: { message: '404 Project Not Found' } },
  },
];
