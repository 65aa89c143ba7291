import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { placePath, type Kind } from '../../places/place/place.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import type { Visit } from '../../site/visit.ts';
import { issueLister } from './list.ts';
import { IssueList, type Suggestions } from './list-view.tsx';
import { readIssueQuery } from './query.ts';

/** How many labels, milestones and people the filters suggest. Any other may be typed. */
const suggested = 50;

interface Suggested {
  readonly place: {
    readonly labels: { readonly nodes: readonly { readonly title: string }[] };
    readonly milestones: {
      readonly nodes: readonly { readonly title: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
    readonly members: { readonly nodes: readonly { readonly user: { readonly username: string } | null }[] };
  } | null;
}

/** The issues of a project or of a group. */
export function issueListPages(schema: GraphQLSchema): PlaceRoute[] {
  const list = issueLister(schema);
  const suggest = suggester(schema);
  return [
    {
      path: '/issues',
      name: 'issues',
      async get(visit, place) {
        if (!place.issuesEnabled) return null;
        const { kind, fullPath } = place;
        const query = readIssueQuery(visit.exchange);
        const page = await list(visit, kind === 'project' ? { project: fullPath } : { group: fullPath }, query);
        return toAnswer(
          <PlaceLayout site={visit.site} place={place} title={`Issues · ${place.name}`} current="issues">
            <h1>Issues</h1>
            {kind === 'project' && <NewIssue site={visit.site} place={place} />}
            <IssueList
              path={below(place, '/issues')}
              query={query}
              page={page}
              suggestions={await suggest(visit, place)}
              begin={<FirstIssue site={visit.site} place={place} />}
            />
          </PlaceLayout>,
        );
      },
    },
  ];
}

interface PlaceProps {
  readonly site: Site;
  readonly place: PlaceHead;
}

/** The link to the form of a new issue, or why there is none. */
function NewIssue({ site, place }: PlaceProps) {
  if (place.archived) return <p class="lead">This project is archived, so its issues can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="lead">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to create an issue.
      </p>
    );
  return (
    <p>
      <a class="button primary" href={below(place, '/issues/new')}>
        New issue
      </a>
    </p>
  );
}

/** How the first issue of a place is made. */
function FirstIssue({ site, place }: PlaceProps) {
  if (place.kind === 'group')
    return (
      <>
        Issues belong to projects: <a href={placePath('group', place.fullPath)}>choose one of this group</a>.
      </>
    );
  if (place.archived || !site.visitor) return null;
  return (
    <>
      An issue is a task, a question or a fault. <a href={below(place, '/issues/new')}>Create the first one</a>.
    </>
  );
}

/** Finds what the filters of a place suggest. */
export function suggester(schema: GraphQLSchema): (visit: Visit, place: PlaceHead) => Promise<Suggestions> {
  const finder = (kind: Kind) =>
    compileOperation<Suggested>(
      schema,
      `query ($path: ID!) { place: ${kind}(fullPath: $path) {
        labels(first: ${suggested}, includeAncestorGroups: true) { nodes { title } }
        milestones(first: ${suggested}, includeAncestors: true, state: active) { nodes { title } pageInfo { hasNextPage } }
        members: ${kind}Members(first: ${suggested}) { nodes { user { username } } }
      } }`,
    );
  const find = { project: finder('project'), group: finder('group') };
  return async ({ context }, { kind, fullPath }) => {
    const { place } = await find[kind].execute(context, { path: fullPath });
    const titles = (nodes: readonly { readonly title: string }[] = []) => [...new Set(nodes.map(({ title }) => title))];
    return {
      labels: titles(place?.labels.nodes),
      milestones: titles(place?.milestones.nodes),
      moreMilestones: place?.milestones.pageInfo.hasNextPage ?? false,
      people: place?.members.nodes.flatMap(({ user }) => user?.username ?? []) ?? [],
    };
  };
}
