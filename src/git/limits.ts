/** Bounds of one engine. Sizes in bytes. */
export interface Limits {
  /** A blob read into memory; larger ones are streamed. */
  readonly blob: number;
  /** One tree object, or one commit. */
  readonly object: number;
  /** Entries of a recursive tree. */
  readonly treeEntries: number;
  /** Actions of one commit. */
  readonly actions: number;
  /** Output of a command that is read into memory. */
  readonly output: number;
  /** A push, as git receives it. */
  readonly push: number;
  /** What a repository holds; what makes it larger is refused. */
  readonly repository: number;
  /** What is fetched of a repository that is imported. */
  readonly imported: number;
  /** What must stay free on the disk after a push was let in. */
  readonly freeSpace: number;
  /** References in one push. */
  readonly pushedRefs: number;
  /** Request of a fetch, after decompression: its "have" lines. */
  readonly fetchRequest: number;
  /** Commits that one rebase moves. */
  readonly rebasedCommits: number;
}

/** The defaults: those of `docs/decisions/0072`. */
export const defaultLimits: Limits = {
  blob: 100 * 2 ** 20,
  object: 16 * 2 ** 20,
  treeEntries: 100_000,
  actions: 1_000,
  output: 64 * 2 ** 20,
  push: 5 * 2 ** 30,
  repository: Infinity,
  imported: 50 * 2 ** 30,
  freeSpace: 256 * 2 ** 20,
  pushedRefs: 1_000,
  fetchRequest: 10 * 2 ** 20,
  rebasedCommits: 500,
};
