import { pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { entryFields, type Entry } from './entries.tsx';
import { readmeFields, type Readme } from './readme.tsx';

/** How many entries a page shows of a long folder. */
export const entriesOnPage = 100;

/** A folder with what its page shows. */
export interface Folder {
  readonly entries: { readonly nodes: readonly Entry[]; readonly pageInfo: PageInfo };
  readonly readme: Readme | null;
  readonly lastCommit: ShownCommit | null;
}

export const folderFields = `
  entries(first: $first, last: $last, before: $before, after: $after) { nodes { ${entryFields} } ${pageInfoFields} }
  readme { ${readmeFields} }
  lastCommit { ${commitFields} }`;
