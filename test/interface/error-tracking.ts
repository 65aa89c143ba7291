import { expect } from 'vitest';
import type { Row } from './row.ts';
import { newProject } from './steps.ts';

const path = '/projects/{storefront}/error_tracking/settings';
const members = ['active', 'project_name', 'tracker_external_url', 'sentry_external_url', 'api_url'];

/** R8: only maintainers have access. */
const refused = [
  ['a developer', 'developer', { status: 403, body: { message: '403 Forbidden' } }],
  ['a guest', 'guest', { status: 403, body: { message: '403 Forbidden' } }],
  ['a user who isn’t a member', 'stranger', { status: 403, body: { message: '403 Forbidden' } }],
  ['a request without a credential', 'anonymous', { status: 401, body: { message: '401 Unauthorized' } }],
] as const;

export const errorTrackingRows: readonly Row[] = [
  {
    name: 'the record has active, project_name, tracker_external_url and api_url',
    request: { call: `GET ${path}` },
    response: {
      status: 200,
      members,
      has: {
        active: expect.any(Boolean),
        project_name: expect.any(String),
        tracker_external_url: expect.stringMatching(/^https:/),
        api_url: expect.stringMatching(/^https:/),
      },
    },
  },
  {
    name: 'active=true turns configured settings on, and returns the record',
    given: [{ call: `PATCH ${path}`, query: { active: 'false' } }],
    request: { call: `PATCH ${path}`, query: { active: 'true' } },
    response: { status: 200, members, has: { active: true } },
  },
  {
    name: 'active=false turns them off, and returns the record',
    given: [{ call: `PATCH ${path}`, query: { active: 'true' } }],
    request: { call: `PATCH ${path}`, query: { active: 'false' } },
    response: { status: 200, members, has: { active: false } },
  },
  {
    name: 'a change is visible on reading',
    given: [{ call: `PATCH ${path}`, query: { active: 'true' } }],
    request: { call: `GET ${path}` },
    response: { status: 200, has: { active: true } },
  },
  {
    name: 'active is required',
    request: { call: `PATCH ${path}` },
    response: { status: 400, body: { error: 'active is missing, active is empty' } },
  },
  {
    name: 'active is a boolean',
    request: { call: `PATCH ${path}`, query: { active: 'perhaps' } },
    response: { status: 400, body: { error: 'active is invalid' } },
  },
  {
    name: 'the project is named by its ID',
    request: { call: 'GET /projects/{storefront_id}/error_tracking/settings' },
    response: { status: 200, members },
  },
  {
    name: 'the project is named by its path',
    request: { call: 'GET /projects/demo%2Fstorefront/error_tracking/settings' },
    response: { status: 200, members },
  },
  {
    name: 'settings that aren’t configured answer 404',
    given: [newProject],
    request: { call: 'GET /projects/{project}/error_tracking/settings' },
    response: { status: 404, body: { message: '404 Error Tracking Setting Not Found' } },
  },
  {
    name: 'settings that aren’t configured can’t be turned on',
    given: [newProject],
    request: { call: 'PATCH /projects/{project}/error_tracking/settings', query: { active: 'true' } },
    response: { status: 404, body: { message: '404 Error Tracking Setting Not Found' } },
  },
  {
    name: 'an unknown project answers 404',
    request: { call: 'GET /projects/999999/error_tracking/settings' },
    response: { status: 404, body: { message: '404 Project Not Found' } },
  },
  ...refused.flatMap(([who, as, response]): Row[] => [
    { name: `R8: ${who} can’t read the settings`, request: { call: `GET ${path}`, as }, response },
    {
      name: `R8: ${who} can’t change them`,
      request: { call: `PATCH ${path}`, as, query: { active: 'true' } },
      response,
    },
  ]),
];
