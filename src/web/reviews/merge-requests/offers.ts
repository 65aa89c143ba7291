import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import {
  offersAsked,
  offersDeclared,
  offersFields,
  offersReader,
  type OfferedPlace,
  type Sought,
} from '../../planning/issues/offered.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import type { MergeRequestDraft, MergeRequestErrors } from './draft.ts';
import type { Offered } from './form.tsx';
import type { ShownMergeRequest } from './merge-request.ts';

interface SourceData {
  readonly place: {
    readonly id: number;
    readonly fullPath: string;
    readonly mrDefaultTargetSelf: boolean | null;
    readonly forkedFrom: { readonly id: number; readonly fullPath: string } | null;
    readonly repository: { readonly branchNames: readonly string[] } | null;
  } | null;
}

interface TargetData {
  readonly place:
    | ({
        readonly squashOption: string | null;
        readonly removeSourceBranchAfterMerge: boolean | null;
        readonly userPermissions: { readonly createMergeRequestFrom: boolean };
        readonly repository: { readonly rootRef: string | null; readonly branchNames: readonly string[] } | null;
      } & OfferedPlace)
    | null;
}

interface Compared {
  readonly repository: {
    readonly compare: {
      readonly commits: readonly { readonly title: string; readonly description: string | null }[];
    };
  };
}

/** A project that a merge request may go into. */
interface Target {
  readonly id: number;
  readonly fullPath: string;
}

/** What the forms of merge requests offer and propose. */
export function offerReader(schema: GraphQLSchema) {
  const readSource = compileOperation<SourceData>(
    schema,
    `query ($path: ID!) { place: project(fullPath: $path) {
      id: databaseId fullPath mrDefaultTargetSelf forkedFrom { id: databaseId fullPath }
      repository { branchNames(searchPattern: "*", offset: 0, limit: 100) }
    } }`,
  );
  const readTarget = compileOperation<TargetData>(
    schema,
    `query ($path: ID!, ${offersDeclared}) { place: project(fullPath: $path) {
      squashOption removeSourceBranchAfterMerge userPermissions { createMergeRequestFrom }
      repository { rootRef branchNames(searchPattern: "*", offset: 0, limit: 100) }
      ${offersFields}
    } }`,
  );
  const namesOf = offersReader(schema);
  const readCommits = compileOperation<Compared>(
    schema,
    `query ($path: ID!, $from: String!, $to: String!) {
      repository(project: $path) { compare(from: $from, to: $to) { commits { title description } } }
    }`,
  );
  const readBranches = compileOperation<{ repository: { branchNames: readonly string[] } }>(
    schema,
    `query ($path: ID!, $name: String!) { repository(project: $path) { branchNames(searchPattern: $name, offset: 0, limit: 100) } }`,
  );

  const isThere = async ({ context }: Visit, { fullPath }: PlaceHead, name: string) =>
    !name.includes('*') &&
    (await readBranches.execute(context, { path: fullPath, name })).repository.branchNames.includes(name);

  /** What a project offers to merge requests into it. */
  async function offersOf(visit: Visit, path: string, asked: Parameters<typeof namesOf>[3]) {
    const { place } = await readTarget.execute(visit.context, { path, ...offersAsked(asked.sought, asked.draft) });
    return {
      ...(await namesOf(visit, path, place, asked)),
      targetBranches: place?.repository?.branchNames ?? [],
      squashOption: place?.squashOption ?? 'default_off',
      maySet: place?.userPermissions.createMergeRequestFrom ?? false,
    };
  }

  /** Where merge requests of a project may go: of a fork, first of all into where it comes from, unless it says otherwise. */
  async function targetsOf({ context }: Visit, { fullPath }: PlaceHead) {
    const { place } = await readSource.execute(context, { path: fullPath });
    const others = place?.forkedFrom ? [place.forkedFrom] : [];
    const targets = place?.mrDefaultTargetSelf ? [place, ...others] : place ? [...others, place] : [];
    return { targets, branches: place?.repository?.branchNames ?? [] };
  }

  /** The one that was chosen; the first, if none was. */
  const chosenOf = (targets: readonly Target[], number: string): Target | undefined =>
    targets.find(({ id }) => String(id) === number) ?? targets[0];

  return {
    /** What the form of a new one offers: labels, people, milestones and branches are those of the target. */
    async offered(visit: Visit, place: PlaceHead, draft: MergeRequestDraft, sought?: Sought): Promise<Offered> {
      const { targets, branches } = await targetsOf(visit, place);
      const target = chosenOf(targets, draft.targetProject);
      const offers = await offersOf(visit, target?.fullPath ?? place.fullPath, { sought, draft });
      return { ...offers, branches, targets, target };
    },

    /** What the form of an existing one offers, with what it has and what is chosen. */
    async offeredTo(
      visit: Visit,
      { fullPath }: PlaceHead,
      one: ShownMergeRequest,
      draft: MergeRequestDraft,
      sought?: Sought,
    ): Promise<Offered> {
      const own = { labels: one.labels.nodes, milestone: one.milestone };
      const offers = await offersOf(visit, fullPath, { sought, draft, own });
      return { ...offers, branches: [], targets: [], target: undefined };
    },

    /** What a new form holds: what the address says, and a title and a description by the commits of the branch. */
    async proposed(visit: Visit, place: PlaceHead, query: Fields): Promise<MergeRequestDraft> {
      const { context } = visit;
      const { targets } = await targetsOf(visit, place);
      const into = chosenOf(targets, query.target_project ?? '');
      const { place: target } = await readTarget.execute(context, {
        path: into?.fullPath ?? place.fullPath,
        ...offersAsked(),
      });
      const [source, branch] = [
        query.source?.trim() ?? '',
        query.target?.trim() || (target?.repository?.rootRef ?? ''),
      ];
      const isComparable =
        source !== '' && !query.title && (await isThere(visit, place, source)) && (await isThere(visit, place, branch));
      const commits = isComparable
        ? (await readCommits.execute(context, { path: place.fullPath, from: branch, to: source })).repository.compare
            .commits
        : [];
      const [only] = commits.length === 1 ? commits : [];
      return {
        source,
        target: branch,
        targetProject: into ? String(into.id) : '',
        title: query.title ?? only?.title ?? source,
        description: query.description ?? only?.description?.trim() ?? '',
        draft: false,
        assignee: '',
        reviewer: '',
        milestone: isRecordNumber(query.milestone) ? query.milestone : '',
        labels: [],
        squash: target?.squashOption === 'default_on' || target?.squashOption === 'always',
        removes: target?.removeSourceBranchAfterMerge === true,
        mergeAfter: '',
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
