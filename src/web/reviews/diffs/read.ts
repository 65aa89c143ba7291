import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { NoteRights } from '../../planning/notes/host.ts';
import {
  fitting,
  notesDeclared,
  notesFor,
  placedFields,
  threadFieldsWith,
  type Thread,
} from '../../planning/notes/thread.ts';
import { diffFields, type FileDiff } from '../../repository/commits/patch.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import { reviewFields, type WithReview } from '../draft-notes/draft.ts';
import { headFields, type MergeRequestHead } from '../merge-requests/merge-request.ts';

/** Files and threads that a page shows. */
const mostFiles = 100;
const mostThreads = 100;

interface DiffRefs {
  readonly baseSha: string;
  readonly headSha: string;
  readonly startSha: string;
}

/** A version that the page can show instead. */
interface ListedVersion {
  readonly id: number;
  readonly headSha: string;
  readonly createdAt: string;
}

interface ChangesData {
  readonly mergeRequest:
    | (MergeRequestHead &
        WithReview & {
          readonly diffRefs: DiffRefs | null;
          readonly diffs?: {
            readonly nodes: readonly FileDiff[];
            readonly pageInfo: { readonly hasNextPage: boolean };
          } | null;
          readonly versions?: { readonly nodes: readonly ListedVersion[] };
          readonly discussions: { readonly nodes: readonly Thread[] };
          readonly userPermissions: NoteRights;
        })
    | null;
}

interface VersionData {
  readonly version: DiffRefs & { readonly diffs: readonly FileDiff[] };
}

/** The changes of a merge request, of its current version or of an earlier one. */
export interface FoundChanges {
  readonly mergeRequest: NonNullable<ChangesData['mergeRequest']>;
  readonly versions: readonly ListedVersion[];
  /** The number of the shown version; null for the current one. */
  readonly version: number | null;
  readonly refs: DiffRefs | null;
  readonly files: readonly FileDiff[];
  readonly more: boolean;
}

/** Finds the changes; null if there is no such merge request or version. */
export function changesFinder(
  schema: GraphQLSchema,
): (visit: Visit, place: PlaceHead, version: string | undefined) => Promise<FoundChanges | null> {
  const find = compileOperation<ChangesData>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!, $current: Boolean!, ${notesDeclared}) {
      mergeRequest(project: $project, iid: $iid, current: true) {
        ${headFields} diffRefs { baseSha headSha startSha }
        diffs(first: ${mostFiles}) @include(if: $current) { nodes { ${diffFields} } pageInfo { hasNextPage } }
        versions(first: 100) @include(if: $signedIn) { nodes { id: databaseId headSha createdAt } }
        discussions(last: ${mostThreads}) { nodes { ${threadFieldsWith(placedFields)} } }
        userPermissions { createNote readInternalNote adminNote resolveNote }
        ${reviewFields}
      }
    }`,
  );
  const findVersion = compileOperation<VersionData>(
    schema,
    `query ($project: ID!, $iid: String!, $id: ID!) {
      version: mergeRequestVersion(project: $project, iid: $iid, id: $id) { baseSha headSha startSha diffs { ${diffFields} } }
    }`,
  );
  return async ({ context, site, named: { iid } }, { fullPath: project, mergeRequestsEnabled }, given) => {
    if (!mergeRequestsEnabled || !isRecordNumber(iid)) return null;
    const id = isRecordNumber(given) ? given : undefined;
    if (given && id === undefined) return null;
    const { mergeRequest: found } = await find.execute(context, {
      project,
      iid,
      signedIn: site.visitor !== null,
      ...notesFor(site),
      current: id === undefined,
    });
    if (!found) return null;
    const mergeRequest = { ...found, discussions: { nodes: fitting(found.discussions.nodes, site) } };
    const versions = mergeRequest.versions?.nodes ?? [];
    if (id === undefined) {
      const { diffs, diffRefs: refs } = mergeRequest;
      const files = diffs?.nodes ?? [];
      return { mergeRequest, versions, version: null, refs, files, more: diffs?.pageInfo.hasNextPage ?? false };
    }
    try {
      const { version } = await findVersion.execute(context, { project, iid, id });
      const files = version.diffs.slice(0, mostFiles);
      const more = version.diffs.length > mostFiles;
      return { mergeRequest, versions, version: Number(id), refs: version, files, more };
    } catch (thrown) {
      if (domainError(thrown) instanceof NotFound) return null;
      throw thrown;
    }
  };
}
