/** What notes, to-dos and awards belong to: an issue or a merge request. */
export type ItemId = { readonly issueId: number } | { readonly mergeRequestId: number };

/** Which of both. */
export const kindOf = (item: ItemId): 'issue' | 'mergeRequest' => ('issueId' in item ? 'issue' : 'mergeRequest');

export const idOf = (item: ItemId): number => ('issueId' in item ? item.issueId : item.mergeRequestId);
