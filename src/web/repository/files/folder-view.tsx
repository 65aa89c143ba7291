import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager } from '../../site/records/records.tsx';
import { branchesPath, codePath, tagsPath } from '../code/addresses.ts';
import { LastCommit } from '../code/commit-line.tsx';
import { CodeHeading, type RefNames } from '../code/heading.tsx';
import type { Located } from '../code/locate.ts';
import { Entries } from './entries.tsx';
import type { Folder } from './folder.ts';
import { ReadmePanel } from './readme.tsx';

interface FolderPageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly at: Located;
  readonly folder: Folder;
  readonly refs: RefNames;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** A folder at a revision. */
export function FolderPage({ site, place, at, folder: { entries, readme, lastCommit }, refs, pages }: FolderPageProps) {
  const { ref, path } = at;
  return (
    <PlaceLayout site={site} place={place} title={`${path || 'Code'} at ${ref} · ${place.name}`} current="code">
      <h1 class="code-title">
        <bdi>{path === '' ? 'Code' : path.slice(path.lastIndexOf('/') + 1)}</bdi>
      </h1>
      <CodeHeading of={place} at={at} page="tree" refs={refs} />
      <div class="folder">
        <div class="folder-head">
          {lastCommit && <LastCommit of={place} commit={lastCommit} />}
          <span class="file-ways">
            <a href={codePath(place, 'commits', ref, path)}>History</a>
            <a href={branchesPath(place)}>Branches</a>
            <a href={tagsPath(place)}>Tags</a>
          </span>
        </div>
        {entries.nodes.length === 0 && path === '' ? (
          <p class="empty">There is no file.</p>
        ) : (
          <Entries of={place} at={at} entries={entries.nodes} />
        )}
      </div>
      <Pager of="entries" {...pages} labels={['Before', 'More']} />
      {readme && <ReadmePanel of={place} at={ref} file={readme} />}
    </PlaceLayout>
  );
}
