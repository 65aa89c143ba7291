import { expect } from 'vitest';
import type { Fields, Row, Step } from './row.ts';
import { newMember, newProject, newToDo, newUser } from './steps.ts';

const members = '/projects/{project}/members';

const memberChanges: readonly { of: string; call: string; given: readonly Step[]; who: Fields }[] = [
  { of: 'creating', call: `POST ${members}`, given: [newProject], who: { user_id: '{stranger}' } },
  { of: 'updating', call: `PUT ${members}/{stranger}`, given: [newProject, newMember], who: {} },
];

const confirmations: readonly { what: string; form: Fields; confirmed: unknown; deprecation: RegExp | null }[] = [
  {
    what: 'skip_confirmation=true',
    form: { skip_confirmation: 'true' },
    confirmed: expect.any(String),
    deprecation: null,
  },
  { what: 'skip_confirmation=false', form: { skip_confirmation: 'false' }, confirmed: null, deprecation: null },
  {
    what: 'confirm=false, the deprecated one,',
    form: { confirm: 'false' },
    confirmed: expect.any(String),
    deprecation: /^@\d+$/,
  },
  { what: 'confirm=true, the deprecated one,', form: { confirm: 'true' }, confirmed: null, deprecation: /^@\d+$/ },
];

export const changesOfPeople: readonly Row[] = [
  {
    name: '9.0: POST /projects/:id/members adds a member',
    given: [newProject],
    request: { call: `POST ${members}`, form: { user_id: '{stranger}', access_level: '30' } },
    response: { status: 201, has: { id: '{stranger}', access_level: 30 } },
  },
  {
    name: '9.0: POST /projects/:id/members answers 409 when the member exists',
    given: [newProject, newMember],
    request: { call: `POST ${members}`, form: { user_id: '{stranger}', access_level: '30' } },
    response: { status: 409, body: { message: 'Member already exists' } },
  },
  ...memberChanges.flatMap(({ of, call, given, who }): Row[] => [
    {
      name: `9.0: ${of} a member with an invalid level answers 400`,
      given,
      request: { call, form: { ...who, access_level: '15000' } },
      response: { status: 400 },
    },
    {
      name: `9.0: ${of} a member without a level answers 400`,
      given,
      request: { call, form: who },
      response: { status: 400, body: { error: 'access_level is missing' } },
    },
    {
      name: `9.0: ${of} a member with a date in the past answers 400`,
      given,
      request: { call, form: { ...who, access_level: '30', expires_at: '2001-01-01' } },
      response: { status: 400, body: { message: { expires_at: ['cannot be a date in the past'] } } },
    },
  ]),
  {
    name: '9.0: PUT /projects/:id/members/:user_id changes the level',
    given: [newProject, newMember],
    request: { call: `PUT ${members}/{stranger}`, form: { access_level: '40' } },
    response: { status: 200, has: { access_level: 40 } },
  },
  {
    name: '9.0: GET /groups/owned is removed',
    request: { call: 'GET /groups/owned' },
    response: { status: 404, has: { message: '404 Group Not Found' }, hint: 'Use GET /api/v4/groups?owned=true.' },
  },
  {
    name: '9.0: GET /groups?owned=true lists owned groups',
    request: { call: 'GET /groups', as: 'stranger', query: { owned: 'true' } },
    response: { status: 200, body: [] },
  },
  {
    name: '9.0: PUT /users/:id/block is removed',
    given: [newUser],
    request: { call: 'PUT /users/{user}/block', as: 'root' },
    response: { status: 405, has: { error: '405 Not Allowed' }, hint: 'Use POST /api/v4/users/:id/block.' },
  },
  {
    name: '9.0: PUT /users/:id/unblock is removed',
    given: [newUser],
    request: { call: 'PUT /users/{user}/unblock', as: 'root' },
    response: { status: 405, has: { error: '405 Not Allowed' }, hint: 'Use POST /api/v4/users/:id/unblock.' },
  },
  {
    name: '9.0: POST /users/:id/block blocks',
    given: [newUser],
    request: { call: 'POST /users/{user}/block', as: 'root' },
    response: { status: 201, body: true },
  },
  {
    name: '9.0: POST /users/:id/block of a blocked user answers null',
    given: [newUser, { call: 'POST /users/{user}/block', as: 'root' }],
    request: { call: 'POST /users/{user}/block', as: 'root' },
    response: { status: 201, body: null },
  },
  {
    name: '9.0: POST /users/:id/unblock unblocks',
    given: [newUser, { call: 'POST /users/{user}/block', as: 'root' }],
    request: { call: 'POST /users/{user}/unblock', as: 'root' },
    response: { status: 201, body: true },
  },
  {
    name: '9.0: POST /users/:id/unblock of an active user answers false',
    given: [newUser],
    request: { call: 'POST /users/{user}/unblock', as: 'root' },
    response: { status: 201, body: false },
  },
  ...confirmations.map(({ what, form, confirmed, deprecation }): Row => ({
    name: `9.0: ${what} on POST /users sets whether the address is confirmed`,
    request: {
      call: 'POST /users',
      as: 'root',
      form: {
        email: 'row-{row}@example.com',
        name: 'Row {row}',
        username: 'row-{row}',
        force_random_password: 'true',
        ...form,
      },
    },
    response: { status: 201, has: { username: 'row-{row}', confirmed_at: confirmed }, headers: { deprecation } },
  })),
  {
    name: 'POST /users reports the email address if the username is taken too',
    given: [newUser],
    request: {
      call: 'POST /users',
      as: 'root',
      form: { email: 'row-{row}@example.com', name: 'Again', username: 'row-{row}', force_random_password: 'true' },
    },
    response: { status: 409, body: { message: 'Email has already been taken' } },
  },
  {
    name: '9.0: DELETE /todos is removed',
    request: { call: 'DELETE /todos' },
    response: { status: 405, has: { error: '405 Not Allowed' }, hint: 'Use POST /api/v4/todos/mark_as_done.' },
  },
  {
    name: '9.0: POST /todos/mark_as_done marks all',
    given: newToDo,
    request: { call: 'POST /todos/mark_as_done' },
    response: { status: 204 },
  },
  {
    name: '9.0: DELETE /todos/:todo_id is removed',
    given: newToDo,
    request: { call: 'DELETE /todos/{todo}' },
    response: { status: 404, has: { error: '404 Not Found' }, hint: 'Use POST /api/v4/todos/:todo_id/mark_as_done.' },
  },
  {
    name: '9.0: POST /todos/:todo_id/mark_as_done marks one',
    given: newToDo,
    request: { call: 'POST /todos/{todo}/mark_as_done' },
    response: { status: 201, has: { id: '{todo}', state: 'done' } },
  },
  {
    name: '9.0: to-dos are created by the IID of an issue',
    given: newToDo.slice(0, -1),
    request: { call: 'POST /projects/{project}/issues/{issue}/todo' },
    response: { status: 201, has: { action_name: 'marked', target: { iid: '{issue}' } } },
  },
];
