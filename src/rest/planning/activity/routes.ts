import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { Activity, activityFields } from './record.ts';

const actions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
  'approved',
];
const targets = ['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user', 'epic', 'wiki', 'design'];

const parameters: readonly Parameter[] = [
  { name: 'action', type: 'string', allowed: actions, description: 'Only those with this action.' },
  { name: 'target_type', type: 'string', allowed: targets, description: 'Only those about this type.' },
  { name: 'before', type: 'date', description: 'Only those before this day.' },
  { name: 'after', type: 'date', description: 'Only those after this day.' },
  { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: 'desc', description: 'Sort direction, by time.' },
];

const upperCase = (value: Values[string]) => (typeof value === 'string' ? value.toUpperCase() : undefined);

const filters = (values: Values) => ({
  action: upperCase(values.action),
  targetType: upperCase(values.target_type),
  createdBefore: values.before ?? undefined,
  createdAfter: values.after ?? undefined,
  sort: values.sort === 'asc' ? 'CREATED_ASC' : 'CREATED_DESC',
});

const args = {
  action: 'EventAction',
  targetType: 'EventTarget',
  createdBefore: 'ISO8601Date',
  createdAfter: 'ISO8601Date',
  sort: 'EventSort',
};

const listed = { tag: 'Events', of: 'Event', selection: activityFields, record: Activity } as const;

/** What people did. */
export const activityRoutes: readonly AnyRoute[] = [
  listRoute({
    ...listed,
    path: '/api/v4/events',
    summary: 'List what you did',
    parameters: [
      ...parameters,
      { name: 'scope', type: 'string', allowed: ['all'], description: '`all`: what everybody did in your projects.' },
    ],
    within: { field: 'currentUser' },
    field: 'events',
    args: { ...args, everybody: 'Boolean' },
    variables: (values) => ({ ...filters(values), everybody: values.scope === 'all' }),
    person: 401,
  }),
  listRoute({
    ...listed,
    path: '/api/v4/users/:id/events',
    summary: 'List what a person did',
    parameters,
    field: 'userEvents',
    args: { user: 'ID!', ...args },
    variables: (values) => ({ user: values.id, ...filters(values) }),
  }),
  listRoute({
    ...listed,
    path: '/api/v4/projects/:id/events',
    summary: 'List what happened in a project',
    parameters,
    field: 'projectEvents',
    args: { project: 'ID!', ...args },
    variables: (values) => ({ project: values.id, ...filters(values) }),
  }),
];
