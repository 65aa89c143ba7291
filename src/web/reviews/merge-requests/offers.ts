import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { ShownLabel } from '../../planning/labels/chip.tsx';
import type { Fields } from '../../site/fields.ts';
import type { Visit } from '../../site/visit.ts';
import type { MergeRequestDraft, MergeRequestErrors } from './draft.ts';
import type { Offered } from './form.tsx';
import type { ShownMergeRequest } from './merge-request.ts';

interface OfferedData {
  readonly place: {
    readonly id: number;
    readonly fullPath: string;
    readonly squashOption: string | null;
    readonly forkedFrom: { readonly id: number; readonly fullPath: string } | null;
    readonly repository: { readonly branchNames: readonly string[] } | null;
    readonly labels: {
      readonly nodes: readonly (ShownLabel & { readonly id: number })[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
    readonly milestones: { readonly nodes: readonly { readonly id: number; readonly title: string }[] };
    readonly members: { readonly nodes: readonly { readonly user: { readonly username: string } | null }[] };
  } | null;
}

interface Proposal {
  readonly repository: {
    readonly rootRef: string | null;
    readonly compare?: {
      readonly commits: readonly { readonly title: string; readonly description: string | null }[];
    };
  };
  readonly place: {
    readonly squashOption: string | null;
    readonly removeSourceBranchAfterMerge: boolean | null;
  } | null;
}

/** What the forms of merge requests offer and propose. */
export function offerReader(schema: GraphQLSchema) {
  const offers = compileOperation<OfferedData>(
    schema,
    `query ($path: ID!) { place: project(fullPath: $path) {
      id: databaseId fullPath squashOption forkedFrom { id: databaseId fullPath }
      repository { branchNames(searchPattern: "*", offset: 0, limit: 100) }
      labels(first: 100, includeAncestorGroups: true) { nodes { id: databaseId title color } pageInfo { hasNextPage } }
      milestones(first: 100, includeAncestors: true, state: active) { nodes { id: databaseId title } }
      members: projectMembers(first: 50) { nodes { user { username } } }
    } }`,
  );
  const readPlace = compileOperation<Proposal>(
    schema,
    `query ($path: ID!) {
      place: project(fullPath: $path) { squashOption removeSourceBranchAfterMerge }
      repository(project: $path) { rootRef }
    }`,
  );
  const readCommits = compileOperation<Proposal>(
    schema,
    `query ($path: ID!, $from: String!, $to: String!) {
      repository(project: $path) { rootRef compare(from: $from, to: $to) { commits { title description } } }
    }`,
  );
  const readBranches = compileOperation<{ repository: { branchNames: readonly string[] } }>(
    schema,
    `query ($path: ID!, $name: String!) { repository(project: $path) { branchNames(searchPattern: $name, offset: 0, limit: 100) } }`,
  );

  const isThere = async ({ context }: Visit, { fullPath }: PlaceHead, name: string) =>
    !name.includes('*') &&
    (await readBranches.execute(context, { path: fullPath, name })).repository.branchNames.includes(name);

  return {
    /** What the form offers, with what the merge request has. */
    async offered({ context }: Visit, { fullPath }: PlaceHead, one?: ShownMergeRequest): Promise<Offered> {
      const { place } = await offers.execute(context, { path: fullPath });
      const withOwn = <One extends { readonly id: number }>(all: readonly One[], own: readonly One[]) => [
        ...own.filter(({ id }) => !all.some((other) => other.id === id)),
        ...all,
      ];
      return {
        labels: withOwn(place?.labels.nodes ?? [], one?.labels.nodes ?? []),
        moreLabels: place?.labels.pageInfo.hasNextPage ?? false,
        milestones: withOwn(place?.milestones.nodes ?? [], one?.milestone ? [one.milestone] : []),
        people: place?.members.nodes.flatMap(({ user }) => user?.username ?? []) ?? [],
        branches: place?.repository?.branchNames ?? [],
        targets: place ? [...(place.forkedFrom ? [place.forkedFrom] : []), place] : [],
        squashOption: place?.squashOption ?? 'default_off',
      };
    },

    /** What a new form holds: what the address says, and a title and a description by the commits of the branch. */
    async proposed(visit: Visit, place: PlaceHead, query: Fields): Promise<MergeRequestDraft> {
      const { context } = visit;
      const { place: rules, repository } = await readPlace.execute(context, { path: place.fullPath });
      const source = query.source?.trim() ?? '';
      const target = query.target?.trim() || (repository.rootRef ?? '');
      const isComparable =
        source !== '' && !query.title && (await isThere(visit, place, source)) && (await isThere(visit, place, target));
      const commits = isComparable
        ? (await readCommits.execute(context, { path: place.fullPath, from: target, to: source })).repository.compare!
            .commits
        : [];
      const [only] = commits.length === 1 ? commits : [];
      return {
        source,
        target,
        targetProject: '',
        title: query.title ?? only?.title ?? source,
        description: query.description ?? only?.description?.trim() ?? '',
        draft: false,
        assignee: '',
        reviewer: '',
        milestone: '',
        labels: [],
        squash: rules?.squashOption === 'default_on' || rules?.squashOption === 'always',
        removes: rules?.removeSourceBranchAfterMerge === true,
      };
    },

    /** Which branches of a draft aren't there; null if nothing is wrong with them. */
    async missing(visit: Visit, place: PlaceHead, draft: MergeRequestDraft): Promise<MergeRequestErrors | null> {
      const { source, target } = draft;
      const says = ['This branch isn’t there.'];
      const isWithin = draft.targetProject === '' || draft.targetProject === String(place.id);
      const errors = {
        ...(!(await isThere(visit, place, source)) && { source: says }),
        ...(isWithin && !(await isThere(visit, place, target)) && { target: says }),
      };
      return Object.keys(errors).length > 0 ? errors : null;
    },
  };
}
