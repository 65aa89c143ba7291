import { codePath, type CodeOf } from '../code/addresses.ts';
import { Hunks, type LineExtras } from './hunks.tsx';
import type { ShownDiff } from './patch.ts';

interface DiffsProps {
  readonly of: CodeOf;
  /** The revisions of both sides; null if there is none. */
  readonly from: string | null;
  readonly to: string;
  readonly files: readonly ShownDiff[];
  /** Whether there are more files than the list has. */
  readonly more: boolean;
  /** Whether both sides are shown beside each other. */
  readonly parallel?: boolean;
  /** What a page adds to lines. */
  readonly extras?: LineExtras | undefined;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Differences file by file, with a list of the files above. */
export function Diffs({ files, more, ...rest }: DiffsProps) {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  if (files.length === 0) return <p class="empty">No file differs.</p>;
  return (
    <>
      <h2>
        {more && 'More than '}
        {counted(files.length, 'changed file', 'changed files')}
      </h2>
      <p>
        {counted(additions, 'line', 'lines')} added, {counted(deletions, 'line', 'lines')} deleted
        {more && ' in the files shown here'}.
      </p>
      <details class="more changed-files" open={files.length <= 20}>
        <summary>List of files</summary>
        <ul>
          {files.map((file) => (
            <li>
              <a href={`#${file.anchor}`}>
                <bdi>{file.newPath}</bdi>
              </a>{' '}
              <Counts file={file} />
            </li>
          ))}
        </ul>
      </details>
      {files.map((file) => (
        <FileDiffs file={file} {...rest} />
      ))}
      {more && <p class="empty">There are more files than this page shows. Use git to see all of them.</p>}
    </>
  );
}

function Counts({ file: { additions, deletions } }: { readonly file: ShownDiff }) {
  if (additions + deletions === 0) return null;
  return (
    <span class="counts">
      <span class="added">
        +{additions}
        <span class="hidden"> added</span>
      </span>{' '}
      <span class="deleted">
        −{deletions}
        <span class="hidden"> deleted</span>
      </span>
    </span>
  );
}

/** What happened to a file, in a word. */
function happened({ newFile, deletedFile, renamedFile, aMode, bMode }: ShownDiff): string {
  if (newFile) return 'new';
  if (deletedFile) return 'deleted';
  if (renamedFile) return 'renamed';
  return aMode === bMode ? '' : `mode ${aMode} → ${bMode}`;
}

function FileDiffs({
  of,
  from,
  to,
  file,
  parallel = false,
  extras,
}: Omit<DiffsProps, 'files' | 'more'> & { readonly file: ShownDiff }) {
  const { newPath, oldPath, deletedFile, renamedFile, anchor, leftOut, folded } = file;
  const revision = deletedFile ? from : to;
  const word = happened(file);
  // It has no page: its files are in another repository.
  const isSubmodule = (deletedFile ? file.aMode : file.bMode) === '160000';
  return (
    <section class="folder diff" id={anchor} aria-labelledby={`${anchor}-name`}>
      <div class="folder-head">
        <h3 id={`${anchor}-name`}>
          {renamedFile && (
            <>
              <bdi>{oldPath}</bdi> →{' '}
            </>
          )}
          <bdi>{newPath}</bdi>
        </h3>
        <span class="file-ways">
          {word !== '' && <span class="file-facts">{word}</span>}
          <Counts file={file} />
          {revision !== null && !isSubmodule && (
            <a href={codePath(of, 'blob', revision, deletedFile ? oldPath : newPath)}>
              File<span class="hidden"> {newPath}</span>
            </a>
          )}
        </span>
      </div>
      {leftOut !== undefined ? (
        <p class="empty">{leftOut}</p>
      ) : folded ? (
        <details class="fold" open={extras?.isOpen(file) ?? false}>
          <summary>
            Show the lines<span class="hidden"> of {newPath}</span>
          </summary>
          <Hunks file={file} parallel={parallel} extras={extras} />
        </details>
      ) : (
        <Hunks file={file} parallel={parallel} extras={extras} />
      )}
    </section>
  );
}
