import { isNumber, maxNameLength } from '../../values/text/place-names.ts';
import { isRouted } from '../version-3/calls.ts';

const rule = 'A full path is one segment of the address, with %2F for each slash';

/**
 * The hint for a full path that was sent with plain slashes: `/projects/demo/storefront/starrers`. Such an address is
 * ambiguous, so it isn't served.
 * @param path below the version
 * @returns the hint, and the path that it names if a route serves it; undefined for any other address
 */
export function unescapedPath(
  requestMethod: string,
  path: string,
): { readonly hint: string; readonly path?: string } | undefined {
  const [, kind, first = '', rest = ''] = /^\/(projects|groups)\/([^/]+)\/(.*?)\/?$/.exec(path) ?? [];
  const segments = [first, ...rest.split('/')];
  if (
    kind === undefined ||
    /%2f/i.test(first) ||
    segments.some((segment) => segment === '' || segment.length > maxNameLength) ||
    isNumber(first) ||
    isNumber(segments[1]!)
  )
    return undefined;
  const method = requestMethod === 'HEAD' ? 'GET' : requestMethod;
  const escaped = (length: number) =>
    [`/${kind}`, segments.slice(0, length).join('%2F'), ...segments.slice(length)].join('/');
  // With more than two segments, the last ones may belong to the full path or to the call: try each split.
  const lengths = segments.length === 2 ? [2] : segments.slice(2).map((_segment, at) => at + 2);
  const found = lengths.map(escaped).find((one) => isRouted(one, method));
  if (found === undefined) return { hint: `${rule}, as in group%2Fproject.` };
  return { hint: `${rule}: use ${method} /api/v4${found}.`, path: found };
}
