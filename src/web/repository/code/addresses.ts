import type { PlaceHead } from '../../places/place/route.ts';
import { encodedPath } from '../../../values/text/file-path.ts';

/** The addresses of the pages of a repository. */

/** A project, as far as its addresses need it. */
export type CodeOf = Pick<PlaceHead, 'fullPath'>;

/** The pages that show a path at a revision. */
export type CodePage = 'tree' | 'blob' | 'raw' | 'blame' | 'commits';

/** @param path empty for the root */
export const codePath = ({ fullPath }: CodeOf, page: CodePage, ref: string, path = ''): string =>
  `/${fullPath}/-/${page}/${encodedPath(ref)}${path === '' ? '' : `/${encodedPath(path)}`}`;

export const commitPath = ({ fullPath }: CodeOf, sha: string): string => `/${fullPath}/-/commit/${sha}`;

export const branchesPath = ({ fullPath }: CodeOf): string => `/${fullPath}/-/branches`;

/** @param names both, or none for the form that asks for them */
export const comparePath = ({ fullPath }: CodeOf, names?: readonly [from: string, to: string]): string =>
  `/${fullPath}/-/compare${names ? `/${encodedPath(names[0])}...${encodedPath(names[1])}` : ''}`;

/** The page that leads to another revision of the same path. */
export const switchPath = ({ fullPath }: CodeOf): string => `/${fullPath}/-/refs/switch`;

export const tagsPath = ({ fullPath }: CodeOf): string => `/${fullPath}/-/tags`;

/** The files of a tag as one, at the address that is found in pages of tags: `archive/v1.2/boat-v1.2.tar.gz`. */
export const archivePath = ({ fullPath }: CodeOf, tag: string, format: string): string => {
  const project = fullPath.slice(fullPath.lastIndexOf('/') + 1);
  const file = encodeURIComponent(`${project}-${tag.replaceAll('/', '-')}.${format}`);
  return `/${fullPath}/-/archive/${encodedPath(tag)}/${file}`;
};

/** The page that asks before it deletes a branch or a tag. */
export const deletionPath = ({ fullPath }: CodeOf, kind: 'branches' | 'tags', name: string): string =>
  `/${fullPath}/-/${kind}/delete/${encodedPath(name)}`;

/** The page of the rules that protect branches and tags. */
export const protectionPath = ({ fullPath }: CodeOf): string => `/${fullPath}/-/settings/repository`;

/** The page that asks before it deletes a rule. */
export const removalPath = (place: CodeOf, kind: 'branches' | 'tags', name: string): string =>
  `${protectionPath(place)}/${kind}/${encodedPath(name)}`;

/** The page that makes a branch or a tag. */
export const creationPath = ({ fullPath }: CodeOf, kind: 'branches' | 'tags'): string => `/${fullPath}/-/${kind}/new`;
