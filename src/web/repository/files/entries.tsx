import { codePath, type CodeOf } from '../code/addresses.ts';

/** An entry of a folder. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly type: 'tree' | 'blob' | 'commit';
  readonly mode: string;
}

export const entryFields = 'name path type mode';

const kinds = { tree: 'Folder', blob: 'File', commit: 'Submodule' } as const;

interface EntriesProps {
  readonly of: CodeOf;
  readonly at: { readonly ref: string; readonly path: string };
  readonly entries: readonly Entry[];
}

/** What is in a folder: folders, then files, then submodules. */
export function Entries({ of, at: { ref, path }, entries }: EntriesProps) {
  const up = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return (
    <ul class="entries">
      {path !== '' && (
        <li class="tree">
          <a href={codePath(of, 'tree', ref, up)} aria-label="The folder above">
            ..
          </a>
        </li>
      )}
      {entries.map((entry) => (
        <li class={entry.type}>
          <span class="hidden">{entry.mode === '120000' ? 'Symbolic link' : kinds[entry.type]} </span>
          {entry.type === 'commit' ? (
            <bdi>{entry.name}</bdi>
          ) : (
            <a href={codePath(of, entry.type, ref, entry.path)}>
              <bdi>{entry.name}</bdi>
            </a>
          )}
          {entry.type === 'commit' && <span class="entry-kind">submodule</span>}
        </li>
      ))}
    </ul>
  );
}
