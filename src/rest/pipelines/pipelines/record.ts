import { objectSchema, type Record } from '../../engine/record.ts';
import { count, moment, orNull, text } from '../../engine/schemas.ts';
import { ciStatuses } from '../../../values/ci/statuses.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

export interface PipelineBasicData {
  readonly id: number;
  readonly iid: string;
  readonly projectId: number;
  readonly sha: string;
  readonly ref: string;
  readonly status: string;
  readonly source: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly webUrl: string;
  readonly name: string | null;
}

/** The fields that operations select for `PipelineBasic`. */
export const pipelineBasicFields = `id: databaseId iid projectId: projectDatabaseId sha ref status source createdAt updatedAt
  webUrl name`;

const basic = {
  id: count,
  iid: count,
  project_id: count,
  sha: text,
  ref: text,
  status: { type: 'string', enum: ciStatuses },
  source: text,
  created_at: moment,
  updated_at: moment,
  web_url: { type: 'string', format: 'uri' },
  name: orNull(text),
} as const;

const presentBasic = (pipeline: PipelineBasicData) => ({
  id: pipeline.id,
  iid: Number(pipeline.iid),
  project_id: pipeline.projectId,
  sha: pipeline.sha,
  ref: pipeline.ref,
  status: pipeline.status.toLowerCase(),
  source: pipeline.source,
  created_at: pipeline.createdAt,
  updated_at: pipeline.updatedAt,
  web_url: pipeline.webUrl,
  name: pipeline.name,
});

/** A pipeline, as lists and other records show it. */
export const PipelineBasic: Record<PipelineBasicData> = {
  name: 'PipelineBasic',
  schema: objectSchema(basic),
  present: presentBasic,
};

export interface PipelineData extends PipelineBasicData {
  readonly beforeSha: string | null;
  readonly tag: boolean;
  readonly yamlErrors: string | null;
  readonly user: UserBasicData | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly duration: number | null;
  readonly queuedDuration: number | null;
  readonly coverage: number | null;
  readonly detailedStatus: {
    readonly icon: string;
    readonly text: string;
    readonly label: string;
    readonly group: string;
    readonly tooltip: string;
    readonly hasDetails: boolean;
    readonly detailsPath: string;
    readonly favicon: string;
  };
}

/** The fields that operations select for `Pipeline`. */
export const pipelineFields = `${pipelineBasicFields} beforeSha tag yamlErrors: yamlErrorMessages user { ${userBasicFields} }
  startedAt finishedAt duration queuedDuration: queuedSeconds coverage
  detailedStatus { icon text label group tooltip hasDetails detailsPath favicon }`;

const noCommit = '0'.repeat(40);

/** A pipeline with all that is known of it. Durations are whole seconds, and coverage is a text: clients insist. */
export const Pipeline: Record<PipelineData> = {
  name: 'Pipeline',
  schema: objectSchema({
    ...basic,
    before_sha: text,
    tag: { type: 'boolean' },
    yaml_errors: orNull(text),
    user: { ...UserBasic.schema, type: ['object', 'null'] },
    started_at: orNull(moment),
    finished_at: orNull(moment),
    committed_at: { type: 'null' },
    duration: orNull(count),
    queued_duration: orNull(count),
    coverage: orNull(text),
    detailed_status: objectSchema({
      icon: text,
      text,
      label: text,
      group: text,
      tooltip: text,
      has_details: { type: 'boolean' },
      details_path: text,
      illustration: { type: 'null' },
      favicon: text,
    }),
    archived: { type: 'boolean' },
  }),
  present: (pipeline) => {
    const { detailedStatus: shown } = pipeline;
    return Object.assign(presentBasic(pipeline), {
      before_sha: pipeline.beforeSha ?? noCommit,
      tag: pipeline.tag,
      yaml_errors: pipeline.yamlErrors,
      user: pipeline.user && UserBasic.present(pipeline.user),
      started_at: pipeline.startedAt,
      finished_at: pipeline.finishedAt,
      committed_at: null,
      duration: pipeline.duration,
      queued_duration: pipeline.queuedDuration,
      coverage: pipeline.coverage === null ? null : pipeline.coverage.toFixed(2),
      detailed_status: {
        icon: shown.icon,
        text: shown.text,
        label: shown.label,
        group: shown.group,
        tooltip: shown.tooltip,
        has_details: shown.hasDetails,
        details_path: shown.detailsPath,
        illustration: null,
        favicon: shown.favicon,
      },
      archived: false,
    });
  },
};
