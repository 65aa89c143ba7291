/** Page sizes of every list, as in GitLab. */
export const pageSize = { defaultSize: 100, maxSize: 100 } as const;
