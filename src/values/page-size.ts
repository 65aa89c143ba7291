/** Bounds of every list, as in GitLab. */

export const pageSize = { defaultSize: 100, maxSize: 100 } as const;

/** Up to which length lists are counted. */
export const maxCounted = 10_000;

/** Maximum offset, in rows. */
export const maxSkipped = 50_000;
