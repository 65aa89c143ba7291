import { SentFile } from '../../../src/http/index.ts';
import { png } from '../../support/places/pictures.ts';
import { none, ofPlaces, type Inputs } from './inputs.ts';

/** The inputs for the routes of people. */
export const inputsOfPeople = (): Inputs => ({
  'GET /api/v4/avatar': {
    readable: [{ values: { email: 'developer@example.com', size: '20' } }, { values: { email: '' } }],
  },
  'PUT /api/v4/user/avatar': {
    readable: [
      { values: { avatar: '' } },
      { values: { avatar: new SentFile('me.png', png()) } },
      { values: { avatar: new SentFile('me.svg', Buffer.from('<svg/>')) } },
    ],
  },
  'GET /api/v4/user': { readable: none },
  'GET /api/v4/user_counts': { readable: none },
  'GET /api/v4/user/emails': { readable: [{ values: {} }, { values: { per_page: '1' } }] },
  'GET /api/v4/users': {
    readable: [
      {},
      { username: 'MAINTAINER' },
      { username: 'nobody' },
      { search: 'dev' },
      { search: 'developer@example.com' },
      { active: 'true' },
      { blocked: '1' },
      { active: 'true', blocked: 'true' },
      { exclude_active: 'yes' },
      { humans: 'true' },
      { exclude_humans: 'true' },
      { admins: 'true' },
      { two_factor: 'enabled' },
      { two_factor: 'disabled', order_by: 'username', sort: 'asc' },
      { created_after: '2020-01-01' },
      { created_before: '2020-01-01T00:00:00Z' },
      { order_by: 'name', per_page: '2', page: '2' },
    ].map((values) => ({ values })),
  },
  'GET /api/v4/users/:id': { readable: ofPlaces(['1', '2', '0', '99999999999', 'maintainer'], [{}]) },
  'GET /api/v4/users/:id/status': { readable: ofPlaces(['2', '0', 'maintainer', 'nobody'], [{}]) },
  'GET /api/v4/users/:id/memberships': { readable: ofPlaces(['2', '0'], [{}, { type: 'Project' }]) },
  'GET /api/v4/users/:id/associations_count': { readable: ofPlaces(['2', '0', 'maintainer'], [{}]) },
  'GET /api/v4/user/emails/:email_id': {
    readable: ['2', '0', '99999999999'].map((email_id) => ({ path: { email_id }, values: {} })),
  },
  'GET /api/v4/user/preferences': { readable: none },
  'PUT /api/v4/user/preferences': {
    readable: [{ values: { view_diffs_file_by_file: true } }, { values: { show_whitespace_in_diffs: null } }],
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/user/status': { readable: none },
  'PUT /api/v4/user/status': {
    readable: [
      { values: { emoji: 'coffee', message: 'Back soon', availability: 'busy' } },
      { values: { emoji: 'nothing_like_it' } },
      { values: {} },
    ],
    unreadable: [{ values: { clear_status_after: 'never' } }],
  },
  'PATCH /api/v4/user/status': {
    readable: [{ values: { message: 'Back soon' } }, { values: { message: 'x'.repeat(101) } }, { values: {} }],
    unreadable: [{ values: { clear_status_after: 'never' } }],
  },
  'GET /api/v4/users/:id/emails': { readable: ofPlaces(['2', '0'], [{}, { page: '2' }]) },
});
