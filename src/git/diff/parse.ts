import type { Taker } from '../pool/diffs.ts';

/** Bounds of a comparison. Contract §7. */
export interface DiffLimits {
  /** Files with a patch; further ones are cut off. */
  readonly files: number;
  /** Lines of all patches. */
  readonly lines: number;
  /** Bytes of all patches. */
  readonly bytes: number;
  /** Bytes of one patch; a larger one is left out. */
  readonly fileBytes: number;
}

/** How one file differs. */
export interface FileDiff {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly oldPath: string;
  readonly newPath: string;
  /** Six digits; `000000` where there is no file. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
  /** The patch from its first `@@` on, or the line about binary files; empty for a pure rename, or a patch left out. */
  readonly patch: string;
  readonly binary: boolean;
  /** The patch is over the limit of one file. */
  readonly tooLarge: boolean;
  readonly additions: number;
  readonly deletions: number;
}

/** How two commits differ. */
export interface Diff {
  readonly files: readonly FileDiff[];
  /** All files that differ, also those that were cut off. */
  readonly count: number;
  /** Whether a limit was reached: files, or patches, are missing. */
  readonly overflow: boolean;
}

/** A line of `--raw -z`, without its paths. */
const rawLine =
  /^:(?<oldMode>\d{6}) (?<newMode>\d{6}) (?<oldId>[0-9a-f]{40}) (?<newId>[0-9a-f]{40}) (?<state>[A-Z])\d*$/;

type Entry = Omit<FileDiff, 'patch' | 'binary' | 'tooLarge' | 'additions' | 'deletions'>;
const noMode = '000000';
const noId = '0'.repeat(40);

/** Takes `git diff-tree --raw -p -z`: first all entries, then a patch of each, in the same order. */
export class DiffParser implements Taker {
  readonly #limits: DiffLimits;
  readonly #files: FileDiff[] = [];
  #entries: Entry[] = [];
  #rest: Buffer = Buffer.alloc(0);
  /** Fields of the entry that is being read; undefined once the patches begin. */
  #fields: string[] | undefined = [];
  /** Lines of the patch that is being read. */
  #patch: Buffer[] | undefined;
  #size = 0;
  #additions = 0;
  #deletions = 0;
  #inHunks = false;
  #lines = 0;
  #bytes = 0;
  #overflow = false;
  /** Whether the text that was taken ended inside of a line whose beginning was dropped. */
  #skipping = false;

  constructor(limits: DiffLimits) {
    this.#limits = limits;
  }

  take(bytes: Buffer): boolean {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    if (this.#fields) this.#takeEntries();
    return this.#fields ? true : this.#takePatches();
  }

  /** The result, after all bytes. */
  finish(): Diff {
    if (!this.#overflow && !this.#endPatch()) this.#stop();
    const count = this.#entries.length;
    return { files: this.#files, count, overflow: this.#overflow };
  }

  #takeEntries(): void {
    let at = 0;
    while (this.#fields) {
      const end = this.#rest.indexOf(0, at);
      if (end < 0) break;
      const field = this.#rest.toString('utf8', at, end);
      at = end + 1;
      if (this.#fields.length === 0 && field === '') {
        this.#fields = undefined;
        break;
      }
      // Git names the commit first.
      if (this.#fields.length === 0 && !field.startsWith(':')) continue;
      this.#fields.push(field);
      const line = rawLine.exec(this.#fields[0]!)!.groups!;
      const paths = line.state === 'R' || line.state === 'C' ? 2 : 1;
      if (this.#fields.length > paths) {
        this.#entries.push(...entriesOf(line, this.#fields[1]!, this.#fields[paths]!));
        this.#fields = [];
      }
    }
    this.#rest = this.#rest.subarray(at);
  }

  /** @returns false when a limit of the whole is reached */
  #takePatches(): boolean {
    let at = 0;
    for (;;) {
      const end = this.#rest.indexOf(10, at);
      if (end < 0) break;
      const line = this.#rest.subarray(at, end + 1);
      at = end + 1;
      if (this.#skipping) this.#skipping = false;
      else if (!this.#takeLine(line)) return false;
    }
    this.#rest = this.#rest.subarray(at);
    // A line longer than a patch may be isn't collected.
    if (this.#rest.length > this.#limits.fileBytes) {
      if (!this.#skipping && !this.#takeLine(this.#rest)) return false;
      this.#skipping = true;
      this.#rest = Buffer.alloc(0);
    }
    return true;
  }

  #takeLine(line: Buffer): boolean {
    const first = line[0];
    if (first === 0x64 /* d */ && line.toString('latin1', 0, 11) === 'diff --git ') {
      if (!this.#endPatch() || this.#files.length >= this.#limits.files) return this.#stop();
      this.#patch = [];
      this.#size = this.#additions = this.#deletions = 0;
      this.#inHunks = false;
      return true;
    }
    if (!this.#patch) return true;
    if (!this.#inHunks) {
      const binary = first === 0x42 /* B */ && line.toString('latin1', 0, 13) === 'Binary files ';
      if (first !== 0x40 /* @ */ && !binary) return true;
      this.#inHunks = true;
    }
    if (first === 0x2b /* + */) this.#additions++;
    if (first === 0x2d /* - */) this.#deletions++;
    this.#size += line.length;
    if (this.#size > this.#limits.fileBytes) this.#patch = [];
    else this.#patch.push(line);
    return true;
  }

  #stop(): boolean {
    this.#overflow = true;
    this.#patch = undefined;
    return false;
  }

  /** @returns false if the patch doesn't fit into the limits of the whole; one that is left out takes no room */
  #endPatch(): boolean {
    if (!this.#patch) return true;
    const entry = this.#entries[this.#files.length]!;
    const tooLarge = this.#size > this.#limits.fileBytes;
    if (!tooLarge) {
      this.#bytes += this.#size;
      this.#lines += this.#patch.length;
      if (this.#lines > this.#limits.lines || this.#bytes > this.#limits.bytes) return false;
    }
    const patch = tooLarge ? '' : Buffer.concat(this.#patch).toString();
    const binary = patch.startsWith('Binary files ');
    this.#files.push({
      ...entry,
      patch,
      binary,
      tooLarge,
      additions: this.#additions,
      deletions: this.#deletions,
    });
    this.#patch = undefined;
    return true;
  }
}

/** A file that became something else (a link, a submodule) is two changes, as git writes two patches. */
function entriesOf(line: Record<string, string>, oldPath: string, newPath: string): Entry[] {
  const { oldMode, newMode, oldId, newId, state } = line as Record<
    'oldMode' | 'newMode' | 'oldId' | 'newId' | 'state',
    string
  >;
  const entry = { oldPath, newPath, oldMode, newMode, oldId, newId };
  if (state === 'T') {
    return [
      { ...entry, status: 'deleted', newMode: noMode, newId: noId },
      { ...entry, status: 'added', oldMode: noMode, oldId: noId },
    ];
  }
  const states = { A: 'added', D: 'deleted', R: 'renamed' } as const;
  return [{ ...entry, status: states[state as keyof typeof states] ?? 'modified' }];
}
