import { parametersOf } from '../engine/parameters.ts';
import type { AnyRoute } from '../engine/route.ts';
import { routes } from '../routes.ts';

/** A parsed call from the table of changes. */
export interface Call {
  /** The call as in the table, without the patterns of its segments. */
  readonly written: string;
  readonly method: string;
  /** Matches a path below the version. Its groups are the names in the path. */
  readonly path: RegExp;
  /** Names of the parameters in its query string. */
  readonly parameters: readonly string[];
}

export function parseCall(call: string): Call {
  const [, method = '', path = '', query = ''] = /^(\S+) (.*?)(?:\?(\w.*))?$/.exec(call)!;
  const segment = (_all: string, name: string, form?: string, rest?: string) =>
    `(?<${name}>${rest ? '.+' : (form ?? '[^/]+')})`;
  return {
    written: call.replace(/\(.*\)/, ''),
    method,
    path: new RegExp(`^${path.replace(/:(\w+)(?:\((.*)\)|(\*))?/g, segment)}$`),
    parameters: [...query.matchAll(/(\w+)(\[\])?=/g)].map(([, name]) => name!),
  };
}

export function fits(call: Call, asked: string, path: string): boolean {
  const method = asked === 'HEAD' ? 'GET' : asked;
  return (call.method === '*' || call.method === method) && call.path.test(path);
}

const version4 = '/api/v4';

/** The routes of version 4, each with a pattern of its paths below the version. */
const served = routes.flatMap((route: AnyRoute) =>
  route.path.startsWith(`${version4}/`)
    ? [
        {
          route,
          path: new RegExp(
            `^${route.path
              .slice(version4.length)
              .replace(/:\w+\*$/, '.+')
              .replace(/:\w+/g, '[^/]+')}$`,
          ),
        },
      ]
    : [],
);

/** Whether a route serves the call with its parameters. */
export function isServed(call: Call): boolean {
  return served.some(
    ({ route: { method, path, parameters } }) =>
      fits(call, method, path.slice(version4.length)) &&
      call.parameters.every((required) => parametersOf(parameters).some(({ name }) => name === required)),
  );
}

/** Whether a path below the version is one of version 4. @param method undefined for any */
export const isRouted = (path: string, method?: string): boolean =>
  served.some((one) => (method === undefined || one.route.method === method) && one.path.test(path));

/**
 * Fills the path of a call of version 4 with values from the old call's path.
 * @param values the values by their names in the old path
 * @returns undefined if the old call lacks a value
 */
export function pathOf(
  { written }: Pick<Call, 'written'>,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const [, , path = '', query = ''] = /^(\S+) (.*?)(?:\?(\w.*))?$/.exec(written)!;
  let complete = true;
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => {
    complete &&= values[name] !== undefined;
    return values[name] ?? '';
  });
  if (!complete) return undefined;
  // Keep parameters set to `true` or named in the old path; the other values are examples.
  const pairs = query.split('&').flatMap((pair) => {
    const [name = '', value] = pair.split('=');
    if (value === 'true') return [pair];
    return values[name] === undefined ? [] : [`${name}=${values[name].replace(/[&+=]/g, encodeURIComponent)}`];
  });
  return written.startsWith('GET ') && pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}
