import { parametersOf } from '../parameters.ts';
import { routes } from '../routes/index.ts';
import type { AnyRoute } from '../route.ts';
import { changes, type Change } from './changes.ts';

/** A call as the table writes it. */
interface Call {
  readonly method: string;
  /** Matches a path below the version, or that of a route. */
  readonly path: RegExp;
  /** Parameters that it is about. */
  readonly parameters: readonly string[];
}

function parseCall(written: string): Call {
  const [, method = '', path = '', query = ''] = /^(\S+) (.*?)(?:\?(\w.*))?$/.exec(written)!;
  return {
    method,
    path: new RegExp(`^${path.replace(/:\w+(?:\((.*)\)|(\*))?/g, (_name, form?: string, rest?: string) => (rest ? '.+' : (form ?? '[^/]+')))}$`),
    parameters: [...query.matchAll(/(\w+)(\[\])?=/g)].map(([, name]) => name!),
  };
}

function fits(call: Call, asked: string, path: string): boolean {
  const method = asked === 'HEAD' ? 'GET' : asked;
  return (call.method === '*' || call.method === method) && call.path.test(path);
}

/** Whether a route answers the call, with the parameters that it is about. */
function isServed(call: Call, among: readonly AnyRoute[]): boolean {
  return among.some(
    ({ method, path, parameters }) =>
      path.startsWith('/api/v4/') &&
      fits(call, method, path.slice('/api/v4'.length)) &&
      call.parameters.every((wanted) => parametersOf(parameters).some(({ name }) => name === wanted)),
  );
}

/** A line of the migration guide. */
export interface Migration extends Change {
  /** Whether this gateway answers every one of the new calls. */
  readonly served: boolean;
  /** What a client that still makes the old call is told. */
  readonly hint: string;
}

const notServed = 'This server doesn’t serve that yet.';

function toMigration(change: Change): Migration {
  const served = change.now.every((call) => isServed(parseCall(call), routes));
  const instead = change.now.map((call) => call.replace(' ', ' /api/v4')).join(' or ');
  const says = change.says ?? `Use ${instead}.`;
  return { ...change, old: change.old.map(withoutForm), served, hint: served ? says : `${says} ${notServed}` };
}

/** Without what a segment must look like, which is for programs. */
const withoutForm = (call: string) => call.replace(/\(.*\)/, '');

/** The whole table, with what this gateway serves of it. */
export const migrations: readonly Migration[] = changes.map(toMigration);

const oldCalls = changes.map(({ old }, index) => ({ calls: old.map(parseCall), migration: migrations[index]! }));

const aboutCall = (method: string, path: string) =>
  oldCalls.filter(({ calls }) => calls.some((call) => fits(call, method, path))).map(({ migration }) => migration);

const together = (found: readonly Migration[]): string | undefined =>
  found.length === 0 ? undefined : found.map(({ hint }) => hint).join(' ');

/** What to do in place of a call of version 3. @param path below `/api/v3` */
export function hintForVersion3(method: string, path: string): string | undefined {
  return together(aboutCall(method, path));
}

/**
 * What to do in place of a call that version 4 refused with a status, where it is
 * refused because it is one of version 3. @param path below `/api/v4`
 */
export function hintForRefusal(method: string, path: string, status: number): string | undefined {
  return together(
    aboutCall(method, path).filter(
      // Where nothing is served yet, the path is unknown, whatever the status will be.
      ({ refused, served }) => refused !== undefined && (refused === status || (status === 404 && !served)),
    ),
  );
}
