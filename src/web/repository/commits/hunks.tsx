import type { ComponentChildren } from 'preact';
import type { Hunk, HunkLine } from '../../../values/text/hunks.ts';
import { signOf, type ShownDiff } from './patch.ts';

/** What a page adds to the lines of a difference. */
export interface LineExtras {
  /** The address behind the number of a line; null: none. */
  readonly href: (file: ShownDiff, line: HunkLine) => string | null;
  /** What is shown below a line; null: nothing. */
  readonly below: (file: ShownDiff, line: HunkLine) => ComponentChildren;
  /** Whether a large file is unfolded at once. */
  readonly isOpen: (file: ShownDiff) => boolean;
}

interface HunksProps {
  readonly file: ShownDiff;
  readonly parallel: boolean;
  readonly extras?: LineExtras | undefined;
}

/** Lines with their numbers on both sides. */
export function Hunks({ file, parallel, extras }: HunksProps) {
  const columns = parallel
    ? ['Line before', 'Text before', 'Line now', 'Text now']
    : ['Line before', 'Line now', 'Text'];
  return (
    <div
      class={parallel ? 'hunks parallel' : 'hunks'}
      tabIndex={0}
      role="region"
      aria-label={`Changes of ${file.newPath}`}
    >
      <table>
        <caption class="hidden">Changes of {file.newPath}</caption>
        {parallel && (
          <colgroup>
            <col class="numbers" />
            <col />
            <col class="numbers" />
            <col />
          </colgroup>
        )}
        <thead class="hidden">
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        {file.hunks.map((hunk) => (
          <tbody>
            <tr class="hunk">
              <td colSpan={columns.length}>
                @@ −{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@ {hunk.heading}
              </td>
            </tr>
            {parallel
              ? pairsOf(hunk).map((pair) => <ParallelLine file={file} pair={pair} extras={extras} />)
              : hunk.lines.map((line) => <UnifiedLine file={file} line={line} extras={extras} />)}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface LineProps extends Omit<HunksProps, 'parallel'> {
  readonly line: HunkLine;
}

function UnifiedLine({ file, line, extras }: LineProps) {
  return (
    <>
      <tr class={line.kind}>
        <td class="number">{line.newLine === undefined ? <Number {...{ file, line, extras }} /> : line.oldLine}</td>
        <td class="number">{line.newLine !== undefined && <Number {...{ file, line, extras }} />}</td>
        <Text line={line} />
      </tr>
      <Below file={file} lines={[line]} extras={extras} columns={3} />
    </>
  );
}

/** A number of a line, with the link that the page adds. */
function Number({ file, line, extras }: LineProps) {
  const number = line.newLine ?? line.oldLine;
  const href = extras?.href(file, line) ?? null;
  if (href === null) return <>{number}</>;
  return (
    <a href={href} rel="nofollow">
      <span class="hidden">Comment on line </span>
      {number}
    </a>
  );
}

function Text({ line }: { readonly line: HunkLine }) {
  return (
    <td class="text">
      <span class="sign">{signOf(line)}</span>
      {line.text}
      {line.unfinished && <span class="file-facts"> (no line feed at the end)</span>}
    </td>
  );
}

interface BelowProps extends Omit<HunksProps, 'parallel'> {
  readonly lines: readonly (HunkLine | undefined)[];
  readonly columns: number;
}

function Below({ file, lines, extras, columns }: BelowProps) {
  const shown = lines.map((line) => line && extras?.below(file, line)).filter((one) => one != null && one !== false);
  if (shown.length === 0) return null;
  return (
    <tr class="below">
      <td colSpan={columns}>{shown}</td>
    </tr>
  );
}

type Pair = readonly [before: HunkLine | undefined, now: HunkLine | undefined];

/** The lines of a hunk, each beside the one that replaced it. */
function pairsOf({ lines }: Hunk): Pair[] {
  const pairs: Pair[] = [];
  let deleted: HunkLine[] = [];
  let added: HunkLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(deleted.length, added.length); index++)
      pairs.push([deleted[index], added[index]]);
    [deleted, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'deleted') {
      // A new block of changes begins.
      if (added.length > 0) flush();
      deleted.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}

function ParallelLine({ file, pair: [before, now], extras }: Omit<LineProps, 'line'> & { readonly pair: Pair }) {
  const isSame = before !== undefined && before === now;
  return (
    <>
      <tr>
        {before ? (
          <>
            <td class={`number ${before.kind}`}>
              {isSame ? before.oldLine : <Number {...{ file, line: before, extras }} />}
            </td>
            <Side line={before} />
          </>
        ) : (
          <td class="nothing" colSpan={2} />
        )}
        {now ? (
          <>
            <td class={`number ${now.kind}`}>
              <Number {...{ file, line: now, extras }} />
            </td>
            <Side line={now} />
          </>
        ) : (
          <td class="nothing" colSpan={2} />
        )}
      </tr>
      <Below file={file} lines={isSame ? [now] : [before, now]} extras={extras} columns={4} />
    </>
  );
}

function Side({ line }: { readonly line: HunkLine }) {
  return (
    <td class={`text ${line.kind}`}>
      <span class="sign">{signOf(line)}</span>
      {line.text}
    </td>
  );
}
