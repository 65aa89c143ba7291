import { expect } from 'vitest';
import type { Row } from './row.ts';
import { newProject } from './steps.ts';

const path = '/projects/{storefront}/error_tracking/settings';
const members = ['active', 'project_name', 'tracker_external_url', 'sentry_external_url', 'api_url'];

/** R8: only maintainers. A project out of sight isn't there. */
const refused = [
  ['a developer', 'developer', { status: 403, body: { message: '403 Forbidden' } }],
  ['a guest', 'guest', { status: 403, body: { message: '403 Forbidden' } }],
  ['a person who is no member', 'stranger', { status: 403, body: { message: '403 Forbidden' } }],
  ['a request without a credential', 'nobody', { status: 401, body: { message: '401 Unauthorized' } }],
] as const;

export const errorTrackingRows: readonly Row[] = [
  {
    name: 'the record has active, project_name, tracker_external_url and api_url',
    asks: { call: `GET ${path}` },
    gets: {
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
    name: 'active=true turns configured settings on, and brings the record',
    given: [{ call: `PATCH ${path}`, query: { active: 'false' } }],
    asks: { call: `PATCH ${path}`, query: { active: 'true' } },
    gets: { status: 200, members, has: { active: true } },
  },
  {
    name: 'active=false turns them off, and brings the record',
    given: [{ call: `PATCH ${path}`, query: { active: 'true' } }],
    asks: { call: `PATCH ${path}`, query: { active: 'false' } },
    gets: { status: 200, members, has: { active: false } },
  },
  {
    name: 'what was set is read back',
    given: [{ call: `PATCH ${path}`, query: { active: 'true' } }],
    asks: { call: `GET ${path}` },
    gets: { status: 200, has: { active: true } },
  },
  {
    name: 'active is required',
    asks: { call: `PATCH ${path}` },
    gets: { status: 400, body: { error: 'active is missing, active is empty' } },
  },
  {
    name: 'active is a boolean',
    asks: { call: `PATCH ${path}`, query: { active: 'perhaps' } },
    gets: { status: 400, body: { error: 'active is invalid' } },
  },
  {
    name: 'the project is named by its ID',
    asks: { call: 'GET /projects/{storefront_id}/error_tracking/settings' },
    gets: { status: 200, members },
  },
  {
    name: 'the project is named by its path',
    asks: { call: 'GET /projects/demo%2Fstorefront/error_tracking/settings' },
    gets: { status: 200, members },
  },
  {
    name: 'settings that aren’t configured aren’t there',
    given: [newProject],
    asks: { call: 'GET /projects/{project}/error_tracking/settings' },
    gets: { status: 404, body: { message: '404 Error Tracking Setting Not Found' } },
  },
  {
    name: 'settings that aren’t configured can’t be turned on',
    given: [newProject],
    asks: { call: 'PATCH /projects/{project}/error_tracking/settings', query: { active: 'true' } },
    gets: { status: 404, body: { message: '404 Error Tracking Setting Not Found' } },
  },
  {
    name: 'a project that isn’t there has none',
    asks: { call: 'GET /projects/999999/error_tracking/settings' },
    gets: { status: 404, body: { message: '404 Project Not Found' } },
  },
  ...refused.flatMap(([who, as, gets]): Row[] => [
    { name: `R8: ${who} can’t read the settings`, asks: { call: `GET ${path}`, as }, gets },
    { name: `R8: ${who} can’t change them`, asks: { call: `PATCH ${path}`, as, query: { active: 'true' } }, gets },
  ]),
];
