import { getArgumentValues, getOperationAST, Kind, type GraphQLSchema, type DocumentNode } from 'graphql';

/** The REST calls that stand for operations of GraphQL, for those who know one and want the other. */

/** A REST call, below `/api/v4` unless its path says otherwise. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** A template: the names in braces are keys of `named`. */
  readonly path: string;
  readonly named: Readonly<Record<string, string>>;
  /** Parameters of the address, or fields of the body. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type Arguments = Readonly<Record<string, unknown>>;
type Stands = (given: Arguments) => RestCall | null;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** An id as REST has it: the number of a global id, or the path. */
const idOf = (value: unknown): string | undefined => text(value)?.replace(/^gid:\/\/\w+\/\w+\//, '');

const get = (path: string, named: RestCall['named'] = {}, fields: Arguments = {}): RestCall => ({
  method: 'GET',
  path,
  named,
  fields: sent(fields),
});

const write = (method: 'POST' | 'PUT', path: string, named: RestCall['named'], fields: Arguments): RestCall => ({
  method,
  path,
  named,
  fields: sent(fields),
});

const sent = (fields: Arguments): Arguments =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** A record that is named by one argument. */
const one =
  (path: string, argument: string): Stands =>
  (given) => {
    const id = idOf(given[argument]);
    return id === undefined ? null : get(path, { id });
  };

/** A thing of a project with a number of its own. */
const ofProject =
  (path: string, name: string): Stands =>
  ({ project, iid }) => {
    const [id, number] = [idOf(project), text(iid)];
    return id === undefined || number === undefined ? null : get(path, { id, [name]: number });
  };

/** A page of a list. */
const page = ({ first, last, search }: Arguments): Arguments => ({ per_page: first ?? last, search });

const settingsPath = (place: Arguments): Pick<RestCall, 'path' | 'named'> => {
  const [group, project] = [idOf(place.group), idOf(place.project)];
  if (project !== undefined) return { path: '/projects/{id}/notification_settings', named: { id: project } };
  if (group !== undefined) return { path: '/groups/{id}/notification_settings', named: { id: group } };
  return { path: '/notification_settings', named: {} };
};

interface EventSwitch {
  readonly event: string;
  readonly enabled: boolean | null;
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined);

/** By root field. */
const stands: Readonly<Record<string, Stands>> = {
  currentUser: () => get('/user'),
  user: ({ id, username }) =>
    id === undefined ? get('/users', {}, { username }) : get('/users/{id}', { id: idOf(id) ?? '' }),
  users: (given) => {
    const names = given.usernames;
    return get('/users', {}, { ...page(given), username: Array.isArray(names) ? names[0] : undefined });
  },
  project: one('/projects/{id}', 'fullPath'),
  projects: (given) => get('/projects', {}, { ...page(given), membership: given.membership }),
  group: one('/groups/{id}', 'fullPath'),
  groups: (given) => get('/groups', {}, page(given)),
  issue: ofProject('/projects/{id}/issues/{issue_iid}', 'issue_iid'),
  mergeRequest: ofProject('/projects/{id}/merge_requests/{merge_request_iid}', 'merge_request_iid'),
  metadata: () => get('/metadata'),
  tokenInfo: () => get('/oauth/token/info'),
  notificationSettings: (given) => {
    const { path, named } = settingsPath(given);
    return get(path, named);
  },
  errorTrackingSettings: one('/projects/{id}/error_tracking/settings', 'project'),
  updateNotificationSettings: ({ input }) => {
    const { level, notificationEmail, events = [], ...place } = input as Arguments & { events?: EventSwitch[] };
    const { path, named } = settingsPath(place);
    return write('PUT', path, named, {
      level: lower(level),
      notification_email: notificationEmail,
      ...Object.fromEntries(events.map(({ event, enabled }) => [event.toLowerCase(), enabled])),
    });
  },
  updateErrorTrackingSettings: ({ input }) => {
    const { project, active, integrated } = input as Arguments;
    const id = idOf(project);
    return id === undefined
      ? null
      : write('PUT', '/projects/{id}/error_tracking/settings', { id }, { active, integrated });
  },
  createIssue: ({ input }) => {
    const { projectPath, title, description, confidential, labels, dueDate } = input as Arguments;
    const id = idOf(projectPath);
    const fields = { title, description, confidential, labels, due_date: dueDate };
    return id === undefined ? null : write('POST', '/projects/{id}/issues', { id }, fields);
  },
};

/**
 * The REST call for an operation.
 * @returns null if it has several root fields, or one for which no single call stands
 */
export function restCall(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Arguments,
  operationName?: string,
): RestCall | null {
  const operation = getOperationAST(document, operationName);
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  if (!operation || others.length > 0 || field?.kind !== Kind.FIELD) return null;
  const known = schema.getRootType(operation.operation)?.getFields()[field.name.value];
  const stand = Object.hasOwn(stands, field.name.value) ? stands[field.name.value] : undefined;
  if (!known || !stand) return null;
  return stand(getArgumentValues(known, field, variables));
}

/** The paths of all calls in the table, with the API's prefix. For tests: each is a route. */
export const fullPath = ({ path }: Pick<RestCall, 'path'>): string =>
  path.startsWith('/oauth/') ? path : `/api/v4${path}`;

/** A call as a curl command. @param origin of the gateway */
export function toCurl(call: RestCall, origin: string): string {
  const path = fullPath(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.named[name]!));
  const fields = Object.entries(call.fields);
  const quoted = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const header = '-H "Authorization: Bearer $TOKEN"';
  if (call.method === 'GET') {
    const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
    return `curl -s ${header} ${quoted(`${origin}${path}${query && `?${query}`}`)}`;
  }
  return [
    `curl -s -X ${call.method} ${header} -H 'Content-Type: application/json' ${quoted(origin + path)}`,
    `  -d ${quoted(JSON.stringify(call.fields))}`,
  ].join(' \\\n');
}
