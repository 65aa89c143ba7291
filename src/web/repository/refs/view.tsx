import type { ComponentChildren } from 'preact';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { WhyNot } from '../../places/place/why-not.tsx';
import { newMergeRequestPath } from '../../reviews/merge-requests/addresses.ts';
import { TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Nothing, Pager } from '../../site/records/records.tsx';
import {
  archivePath,
  branchesPath,
  codePath,
  comparePath,
  creationPath,
  deletionPath,
  tagsPath,
} from '../code/addresses.ts';
import { LastCommit, type ShownCommit } from '../code/commit-line.tsx';

/** A branch as lists show it. */
export interface ShownBranch {
  readonly name: string;
  readonly default: boolean;
  readonly merged: boolean;
  readonly protected: boolean;
  readonly canPush: boolean;
  readonly commit: ShownCommit | null;
}

export interface ShownTag {
  readonly name: string;
  /** What an annotated tag says. */
  readonly message: string | null;
  readonly protected: boolean;
  readonly canDelete: boolean;
  readonly commit: ShownCommit | null;
}

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly search: string;
  readonly pages: { readonly before: string | null; readonly after: string | null };
  /** Whether the viewer writes to the repository. */
  readonly writes: boolean;
}

interface FrameProps extends ListProps {
  readonly kind: 'branches' | 'tags';
  readonly list: ComponentChildren;
  readonly isEmpty: boolean;
}

function Frame({ site, place, search, pages, writes, kind, list, isEmpty }: FrameProps) {
  const title = kind === 'branches' ? 'Branches' : 'Tags';
  const paths = { branches: branchesPath(place), tags: tagsPath(place) };
  return (
    <PlaceLayout site={site} place={place} title={`${title} · ${place.name}`} current="code">
      <h1>{title}</h1>
      <nav class="tabs" aria-label="Branches and tags">
        <a href={paths.branches} aria-current={kind === 'branches' ? 'page' : undefined}>
          Branches
        </a>
        <a href={paths.tags} aria-current={kind === 'tags' ? 'page' : undefined}>
          Tags
        </a>
        <a href={comparePath(place)}>Compare</a>
      </nav>
      {writes ? (
        <p class="ways">
          <a class="button" href={creationPath(place, kind)}>
            New {kind === 'branches' ? 'branch' : 'tag'}
          </a>
        </p>
      ) : (
        <WhyNot site={site} place={place} role="Developer" to={`create ${kind}`} />
      )}
      <form class="filters" method="get" action={paths[kind]}>
        <TextField name="search" label="Search" type="search" value={search} />
        <button class="button">Show</button>
      </form>
      {isEmpty ? (
        <Nothing says={search ? `No ${kind} match.` : `No ${kind} yet.`} all={search ? paths[kind] : undefined} />
      ) : (
        list
      )}
      <Pager of={kind} {...pages} labels={['Previous', 'Next']} />
    </PlaceLayout>
  );
}

interface BranchListProps extends ListProps {
  readonly branches: readonly ShownBranch[];
  readonly rootRef: string | null;
}

/** The branches of a repository. */
export function BranchList({ branches, rootRef, writes, ...frame }: BranchListProps) {
  const { place } = frame;
  return (
    <Frame
      {...frame}
      writes={writes}
      kind="branches"
      isEmpty={branches.length === 0}
      list={
        <ul class="records">
          {branches.map(({ name, commit, merged, canPush, ...branch }) => (
            <li>
              <span class="badges">
                <a href={codePath(place, 'tree', name)}>
                  <bdi>{name}</bdi>
                </a>
                {branch.default && <Badge tone="good">Default</Badge>}
                {branch.protected && <Badge>Protected</Badge>}
                {merged && <Badge>Merged</Badge>}
              </span>
              {commit && <LastCommit of={place} commit={commit} />}
              <div class="ways">
                {rootRef !== null && !branch.default && (
                  <a href={comparePath(place, [rootRef, name])}>
                    Compare<span class="hidden"> with {name}</span>
                  </a>
                )}
                {rootRef !== null && !branch.default && !merged && writes && place.mergeRequestsEnabled && (
                  <a href={newMergeRequestPath(place, { source: name })}>
                    Create merge request<span class="hidden"> from {name}</span>
                  </a>
                )}
                {writes && !branch.default && (canPush || !branch.protected) && (
                  <a href={deletionPath(place, 'branches', name)}>
                    Delete<span class="hidden"> the branch {name}</span>
                  </a>
                )}
              </div>
            </li>
          ))}
        </ul>
      }
    />
  );
}

/** What a tag is downloaded as. Programs that watch for new versions, such as uscan, look for these links. */
const offeredFormats = ['zip', 'tar.gz'] as const;

interface TagListProps extends ListProps {
  readonly tags: readonly ShownTag[];
}

/** The tags of a repository. */
export function TagList({ tags, writes, ...frame }: TagListProps) {
  const { place } = frame;
  return (
    <Frame
      {...frame}
      writes={writes}
      kind="tags"
      isEmpty={tags.length === 0}
      list={
        <ul class="records">
          {tags.map(({ name, message, commit, canDelete, ...tag }) => (
            <li>
              <span class="badges">
                <a href={codePath(place, 'tree', name)}>
                  <bdi>{name}</bdi>
                </a>
                {tag.protected && <Badge>Protected</Badge>}
              </span>
              {message && (
                <p class="quoted">
                  <bdi>{message}</bdi>
                </p>
              )}
              {commit && <LastCommit of={place} commit={commit} />}
              <div class="ways">
                {offeredFormats.map((format) => (
                  <a href={archivePath(place, name, format)}>
                    Download<span class="hidden"> {name} as</span> {format}
                  </a>
                ))}
                {canDelete && (
                  <a href={deletionPath(place, 'tags', name)}>
                    Delete<span class="hidden"> the tag {name}</span>
                  </a>
                )}
              </div>
            </li>
          ))}
        </ul>
      }
    />
  );
}
