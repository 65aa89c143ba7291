import { IssueBasic, issueBasicFields, type IssueBasicData } from '../../planning/issues/record.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute, type StreamedBack } from '../../engine/route.ts';
import { count, moment, text } from '../../engine/schemas.ts';
import { PipelineBasic, pipelineBasicFields, type PipelineBasicData } from '../../pipelines/pipelines/record.ts';
import { unidiff } from '../../repository/commits/around.ts';
import { Diff, diffFields, type DiffData } from '../../repository/commits/diff.ts';
import { Commit, commitFields, type CommitData } from '../../repository/commits/record.ts';
import { disposition } from '../../../values/sent-files.ts';
import { notFound, one, tag } from '../merge-requests/actions.ts';
import {
  mergeRequestFields,
  mergeRequestSchema,
  optionalOfMergeRequest,
  presentMergeRequest,
  type MergeRequestData,
} from '../merge-requests/record.ts';

/** Routes about what a merge request changes: its commits, its diff, its versions, and the issues that it closes. */

/** Of a list within a merge request. */
const within = { field: 'mergeRequest', args: { project: 'ID', iid: 'String' } } as const;
const ofMergeRequest = { tag, within, subject: 'MergeRequest', missing: notFound } as const;
const named = ({ id: project, merge_request_iid: iid }: Readonly<Record<string, unknown>>) => ({ project, iid });

interface ChangesData extends MergeRequestData {
  readonly changes: readonly DiffData[];
  readonly changesOverflow: boolean;
}

const MergeRequestChanges: WireRecord<ChangesData> = {
  name: 'MergeRequestChanges',
  schema: objectSchema(
    { ...mergeRequestSchema, changes: { type: 'array', items: Diff.schema }, overflow: { type: 'boolean' } },
    optionalOfMergeRequest,
  ),
  present: (data) => ({
    ...presentMergeRequest(data),
    changes: data.changes.map(Diff.present),
    overflow: data.changesOverflow,
  }),
};

interface VersionData {
  readonly id: number;
  readonly headSha: string;
  readonly baseSha: string;
  readonly startSha: string;
  readonly createdAt: string;
  readonly filesCount: number;
  readonly mergeRequestId: number;
}

const versionFields = 'id: databaseId headSha baseSha startSha createdAt filesCount mergeRequestId';

const versionSchema = {
  id: count,
  head_commit_sha: text,
  base_commit_sha: text,
  start_commit_sha: text,
  created_at: moment,
  merge_request_id: count,
  state: { type: 'string', enum: ['collected', 'empty', 'overflow'] },
  real_size: { ...text, description: 'How many files it changes.' },
  patch_id_sha: { type: 'null', description: 'Always null.' },
};

/** How many changed files a count shows; where there are more, it ends with `+`. */
const mostFiles = 1_000;

const presentVersion = (version: VersionData) => ({
  id: version.id,
  head_commit_sha: version.headSha,
  base_commit_sha: version.baseSha,
  start_commit_sha: version.startSha,
  created_at: version.createdAt,
  merge_request_id: version.mergeRequestId,
  state: version.filesCount === 0 ? 'empty' : version.filesCount > mostFiles ? 'overflow' : 'collected',
  real_size: version.filesCount > mostFiles ? `${mostFiles}+` : String(version.filesCount),
  patch_id_sha: null,
});

const Version: WireRecord<VersionData> = {
  name: 'MergeRequestVersion',
  schema: objectSchema(versionSchema),
  present: presentVersion,
};

interface VersionDetailData extends VersionData {
  readonly commits: readonly CommitData[];
  readonly diffs: readonly DiffData[];
}

const VersionDetail: WireRecord<VersionDetailData> = {
  name: 'MergeRequestVersionDetail',
  schema: objectSchema({
    ...versionSchema,
    commits: { type: 'array', items: Commit.schema },
    diffs: { type: 'array', items: Diff.schema },
  }),
  present: (version) => ({
    ...presentVersion(version),
    commits: version.commits.map(Commit.present),
    diffs: version.diffs.map(Diff.present),
  }),
};

const rawDiffs: Parameter = {
  name: 'access_raw_diffs',
  type: 'boolean',
  description: 'Also what is very long.',
};

const issues = (name: string, field: string, summary: string): AnyRoute =>
  listRoute<IssueBasicData>({
    ...ofMergeRequest,
    path: `${one}/${name}`,
    summary,
    of: 'Issue',
    parameters: [],
    field,
    selection: issueBasicFields,
    variables: named,
    record: IssueBasic,
  });

export const changeRoutes: readonly AnyRoute[] = [
  listRoute<CommitData>({
    ...ofMergeRequest,
    path: `${one}/commits`,
    summary: 'List the commits of a merge request, the newest first',
    of: 'Commit',
    parameters: [],
    field: 'commits',
    selection: commitFields,
    variables: named,
    record: Commit,
  }),
  route<{ mergeRequest: ChangesData }>({
    method: 'GET',
    path: `${one}/changes`,
    summary: 'Get a merge request with its changes',
    tag,
    parameters: [rawDiffs, unidiff],
    operation: `query ($project: ID!, $iid: String!, $whole: Boolean!, $unified: Boolean!) {
      mergeRequest(project: $project, iid: $iid, current: true) {
        ${mergeRequestFields} changes(whole: $whole) { ${diffFields} } changesOverflow(whole: $whole)
      }
    }`,
    variables: (values) => ({
      ...named(values),
      whole: values.access_raw_diffs === true,
      unified: values.unidiff === true,
    }),
    subject: 'MergeRequest',
    missing: notFound,
    record: recordOf(MergeRequestChanges, ({ mergeRequest }) => mergeRequest),
    dialect: 'version 4',
  }),
  listRoute<DiffData>({
    ...ofMergeRequest,
    path: `${one}/diffs`,
    summary: 'List the changes of a merge request, file by file',
    of: 'Diff',
    parameters: [unidiff],
    field: 'diffs',
    selection: diffFields,
    selects: { unified: 'Boolean!' },
    variables: (values) => ({ ...named(values), unified: values.unidiff === true }),
    record: Diff,
  }),
  route<{ mergeRequest: { rawDiff: { readonly name: string; readonly open: StreamedBack['open'] } } }>({
    method: 'GET',
    path: `${one}/raw_diffs`,
    summary: 'Get the changes of a merge request as `git diff` prints them',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) {
      mergeRequest(project: $project, iid: $iid, current: true) { rawDiff }
    }`,
    variables: named,
    subject: 'MergeRequest',
    missing: notFound,
    stream: ({ mergeRequest: { rawDiff } }) => ({
      contentType: 'text/plain; charset=utf-8',
      disposition: disposition('inline', rawDiff.name),
      open: rawDiff.open,
    }),
    record: { name: 'File', schema: objectSchema({}), present: () => ({}) },
    dialect: 'version 4',
  }),
  listRoute<VersionData>({
    ...ofMergeRequest,
    path: `${one}/versions`,
    summary: 'List the versions of a merge request, the newest first',
    of: 'MergeRequestVersion',
    parameters: [],
    field: 'versions',
    selection: versionFields,
    variables: named,
    record: Version,
  }),
  route<{ mergeRequestVersion: VersionDetailData }>({
    method: 'GET',
    path: `${one}/versions/:version_id`,
    summary: 'Get a version of a merge request with its changes',
    tag,
    parameters: [unidiff],
    operation: `query ($project: ID!, $iid: String!, $id: ID!, $unified: Boolean!) {
      mergeRequestVersion(project: $project, iid: $iid, id: $id) {
        ${versionFields} commits { ${commitFields} } diffs { ${diffFields} }
      }
    }`,
    variables: (values) => ({ ...named(values), id: values.version_id, unified: values.unidiff === true }),
    missing: { ...notFound, Version: '404 Not found' },
    record: recordOf(VersionDetail, ({ mergeRequestVersion }) => mergeRequestVersion),
    dialect: 'version 4',
  }),
  listRoute<PipelineBasicData>({
    ...ofMergeRequest,
    path: `${one}/pipelines`,
    summary: 'List the pipelines of a merge request, the newest first',
    of: 'Pipeline',
    parameters: [],
    field: 'pipelines',
    selection: pipelineBasicFields,
    variables: named,
    record: PipelineBasic,
  }),
  issues('closes_issues', 'closesIssues', 'List the issues that merging a merge request closes'),
  issues('related_issues', 'relatedIssues', 'List the issues that a merge request names or closes'),
];
