import { objectSchema, type Record } from '../../engine/record.ts';
import { count, moment, text } from '../../engine/schemas.ts';
import { PipelineBasic, pipelineBasicFields, type PipelineBasicData } from '../../pipelines/pipelines/record.ts';

export interface CommitData {
  readonly sha: string;
  readonly shortId: string;
  readonly title: string;
  readonly message: string;
  readonly parentIds: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authoredAt: string;
  readonly committerName: string;
  readonly committerEmail: string;
  readonly committedAt: string;
  readonly webUrl: string;
  readonly trailers?: { readonly [name: string]: string };
  readonly stats?: { readonly additions: number; readonly deletions: number; readonly total: number };
}

/** The fields that operations select for the record. */
export const commitFields = `sha shortId title message parentIds authorName authorEmail authoredAt committerName committerEmail
  committedAt webUrl`;

/** The fields that operations select for `CommitDetail`, besides those of every commit. */
export const detailFields = `latestPipeline { ${pipelineBasicFields} }`;

export const statsFields = 'stats { additions deletions total }';

const properties = {
  id: text,
  short_id: text,
  created_at: moment,
  parent_ids: { type: 'array', items: text },
  title: text,
  message: text,
  author_name: text,
  author_email: text,
  authored_date: moment,
  committer_name: text,
  committer_email: text,
  committed_date: moment,
  trailers: { type: 'object', description: 'Only with `trailers=true`; otherwise empty.' },
  web_url: { type: 'string', format: 'uri' },
} as const;

const stats = objectSchema({ additions: count, deletions: count, total: count });

function present(commit: CommitData) {
  return {
    id: commit.sha,
    short_id: commit.shortId,
    created_at: commit.committedAt,
    parent_ids: commit.parentIds,
    title: commit.title,
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_date: commit.authoredAt,
    committer_name: commit.committerName,
    committer_email: commit.committerEmail,
    committed_date: commit.committedAt,
    trailers: commit.trailers ?? {},
    web_url: commit.webUrl,
    stats: commit.stats,
  };
}

/** A commit. Dates keep the offset of the clock that it was made by. */
export const Commit: Record<CommitData> = {
  name: 'Commit',
  schema: objectSchema({ ...properties, stats: { ...stats, description: 'Only with `with_stats=true`.' } }, ['stats']),
  present,
};

export interface CommitDetailData extends CommitData {
  readonly projectId: number;
  readonly latestPipeline: PipelineBasicData | null;
}

/** A commit with what it changed. */
export const CommitDetail: Record<CommitDetailData> = {
  name: 'CommitDetail',
  schema: objectSchema(
    {
      ...properties,
      stats,
      status: { type: ['string', 'null'], description: 'Of its last pipeline; null without one.' },
      project_id: count,
      last_pipeline: { ...PipelineBasic.schema, type: ['object', 'null'] },
    },
    ['stats'],
  ),
  present: (commit) =>
    Object.assign(present(commit), {
      status: commit.latestPipeline?.status.toLowerCase() ?? null,
      project_id: commit.projectId,
      last_pipeline: commit.latestPipeline && PipelineBasic.present(commit.latestPipeline),
    }),
};
