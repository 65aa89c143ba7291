/** What notes, to-dos, awards and people belong to: an issue or a merge request. SQL of its id. */
export type Item = { readonly issue: string } | { readonly mergeRequest: string };

/** The column that names it in the tables of what belongs to it. */
export const columnOf = (item: Item): 'issue_id' | 'merge_request_id' =>
  'issue' in item ? 'issue_id' : 'merge_request_id';

/** SQL of its id. */
export const keyOf = (item: Item): string => ('issue' in item ? item.issue : item.mergeRequest);
