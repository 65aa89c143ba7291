import type { GraphQLSchema } from 'graphql';
import { PlaceLayout } from '../../places/place/layout.tsx';
import { placePath, writesTo } from '../../places/place/place.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { suggester } from '../../planning/issues/list-controller.tsx';
import { Commands } from '../../repository/overview/view.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { mergeRequestsPath, newMergeRequestPath } from './addresses.ts';
import { mergeRequestLister } from './list.ts';
import { MergeRequestList } from './list-view.tsx';
import { readMergeRequestQuery } from './query.ts';

/** The merge requests of a project or of a group. */
export function mergeRequestListPages(schema: GraphQLSchema): PlaceRoute[] {
  const list = mergeRequestLister(schema);
  const suggest = suggester(schema);
  return [
    {
      path: '/merge_requests',
      name: 'merge requests',
      async get(visit, place) {
        if (!place.mergeRequestsEnabled) return null;
        const { kind, fullPath } = place;
        const query = readMergeRequestQuery(visit.exchange);
        const page = await list(visit, kind === 'project' ? { project: fullPath } : { group: fullPath }, query);
        const begins = kind === 'project' && page.counts.all === 0 && writesTo(place);
        return toAnswer(
          <PlaceLayout
            site={visit.site}
            place={place}
            title={`Merge requests · ${place.name}`}
            current="merge-requests"
            load={begins ? ['copy.js'] : []}
          >
            <h1>Merge requests</h1>
            {kind === 'project' && <NewMergeRequest site={visit.site} place={place} />}
            <MergeRequestList
              path={mergeRequestsPath(place)}
              query={query}
              page={page}
              suggestions={await suggest(visit, place)}
              begin={
                kind === 'group' && (
                  <>
                    Merge requests belong to projects:{' '}
                    <a href={placePath('group', fullPath)}>choose one of this group</a>.
                  </>
                )
              }
            />
            {begins && <Begin />}
          </PlaceLayout>,
          200,
          begins ? { scripts: true } : {},
        );
      },
    },
  ];
}

interface PlaceProps {
  readonly site: Site;
  readonly place: PlaceHead;
}

/** The link to the form of a new merge request, or why there is none. */
function NewMergeRequest({ site, place }: PlaceProps) {
  if (place.archived) return <p class="lead">This project is archived, so its merge requests can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="lead">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to create a merge request.
      </p>
    );
  if (!place.userPermissions.pushCode) return null;
  return (
    <p>
      <a class="button primary" href={newMergeRequestPath(place)}>
        New merge request
      </a>
    </p>
  );
}

/** How the first one begins. */
function Begin() {
  return (
    <section aria-labelledby="begin">
      <h2 id="begin">How to begin</h2>
      <p>Commit to a branch, and push it. Then create a merge request here.</p>
      <Commands
        title="Push a branch"
        lines={[
          'git switch --create my-change',
          'git commit --all --message "Say what changes"',
          'git push --set-upstream origin my-change',
        ]}
      />
    </section>
  );
}
