import { isNumber, maxNameLength } from '../../values/place-names.ts';
import { isRouted } from '../version-3/calls.ts';

const rule = 'A full path is one segment of the address, with %2F for each slash';

/**
 * What a client may have meant that wrote the full path of a project or a group with slashes:
 * `/projects/demo/storefront/starrers`. It isn't served, since such an address means other things too.
 * @param path below the version
 * @returns the hint, and the path that it names where a route answers that; undefined for any other address
 */
export function unescapedPath(
  asked: string,
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
  const method = asked === 'HEAD' ? 'GET' : asked;
  const escaped = (length: number) =>
    [`/${kind}`, segments.slice(0, length).join('%2F'), ...segments.slice(length)].join('/');
  // With more than two segments the whole may be a path, or a path with a call that isn't served: the address doesn't say.
  const lengths = segments.length === 2 ? [2] : segments.slice(2).map((_segment, at) => at + 2);
  const found = lengths.map(escaped).find((one) => isRouted(one, method));
  if (found === undefined) return { hint: `${rule}, as in group%2Fproject.` };
  return { hint: `${rule}: use ${method} /api/v4${found}.`, path: found };
}
