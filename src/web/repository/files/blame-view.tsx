import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager } from '../../site/records/records.tsx';
import { codePath, commitPath } from '../code/addresses.ts';
import type { ShownCommit } from '../code/commit-line.tsx';
import { CodeHeading, type RefNames } from '../code/heading.tsx';
import type { Located } from '../code/locate.ts';
import { numberedLine } from './lines.tsx';

/** Neighbouring lines that one commit wrote. */
export interface Blamed {
  readonly startLine: number;
  readonly lines: readonly string[];
  readonly commit: ShownCommit;
}

interface BlamePageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly at: Located;
  readonly name: string;
  readonly refs: RefNames;
  /** Null if the file is no text, or too long. */
  readonly blamed: readonly Blamed[] | null;
  /** All lines of the file as safe HTML. */
  readonly lines: readonly string[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** Which commit wrote which lines of a file. */
export function BlamePage({ site, place, at, name, refs, blamed, lines, pages }: BlamePageProps) {
  const { ref, path } = at;
  return (
    <PlaceLayout site={site} place={place} title={`Blame of ${path} · ${place.name}`} current="code">
      <h1 class="code-title">
        <bdi>{name}</bdi>
      </h1>
      <CodeHeading of={place} at={at} page="blame" refs={refs} />
      <div class="folder">
        <div class="folder-head">
          <span class="file-facts">Who wrote which lines</span>
          <span class="file-ways">
            <a href={codePath(place, 'blob', ref, path)}>File</a>
            <a href={codePath(place, 'commits', ref, path)}>History</a>
          </span>
        </div>
        {blamed === null || blamed.length === 0 ? (
          <p class="empty">
            {blamed ? 'There are no lines.' : 'This file can’t be shown here: it isn’t text, or it is too long.'}
          </p>
        ) : (
          <div class="hunks blame" tabIndex={0} role="region" aria-label={`Lines of ${name}`}>
            <table>
              <caption class="hidden">Lines of {name}, with the commits that wrote them</caption>
              <thead class="hidden">
                <tr>
                  <th scope="col">Commit</th>
                  <th scope="col">Lines</th>
                </tr>
              </thead>
              <tbody>
                {blamed.map(({ startLine, lines: own, commit }) => (
                  <tr>
                    <td class="blamed">
                      <a href={commitPath(place, commit.sha)} title={commit.title}>
                        <bdi>{commit.title}</bdi>
                      </a>
                      <span class="written">
                        <bdi>{commit.authorName}</bdi>, <Day at={commit.authoredDate} />
                      </span>
                    </td>
                    <td class="text">
                      <code
                        class="source"
                        dangerouslySetInnerHTML={{
                          __html: own
                            .map((_line, index) => numberedLine(startLine + index, lines[startLine + index - 1] ?? ''))
                            .join(''),
                        }}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <Pager of="lines" {...pages} labels={['Lines before', 'Lines after']} />
    </PlaceLayout>
  );
}
