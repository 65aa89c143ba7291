import type { Tags } from 'yaml';

/** Tags of YAML 1.1 that configurations don't use: a date is a string, as it was written. */
const unused = new Set(['binary', 'omap', 'pairs', 'set', 'timestamp'].map((name) => `tag:yaml.org,2002:${name}`));

/** A list that stands for the value at a path. */
const reference = { tag: '!reference', collection: 'seq' } as const;

/** How configurations are read and written: as YAML 1.1, in which GitLab reads them. */
export const schema = {
  version: '1.1',
  customTags: (tags: Tags) => [...tags.filter((tag) => typeof tag === 'string' || !unused.has(tag.tag)), reference],
} as const;
