import { projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { attributeSchemas } from '../../engine/attributes.ts';
import { sharesSchema } from '../sharing/record.ts';
import { objectSchema, type JsonSchema } from '../../engine/record.ts';
import { count, flag, text } from '../../engine/schemas.ts';

/** The members of a project's record that only signed-in people see. */

type Attributes = { readonly [name: string]: unknown };

interface Around {
  readonly archived: boolean | undefined;
  /** Whether there is no branch; true for those who don't read the repository. */
  readonly isEmpty: boolean;
  readonly importStatus: string;
  readonly owner: unknown;
  readonly mergesIn: boolean | undefined;
  /** Null for those who don't have its issues. */
  readonly openIssues: number | null | undefined;
  readonly creatorId: number | null;
  readonly isFork: boolean;
  readonly descriptionHtml: string | undefined;
  readonly updatedAt: string | undefined;
  readonly readsCode: boolean | undefined;
  readonly shares: readonly object[];
  /** Null where it isn't shown. */
  readonly runnersToken: string | null;
  readonly statistics: StatisticsData | null | undefined;
}

/** The members in the order of version 4. Undefined ones aren't sent. */
export function presentDetails(a: Attributes, around: Around) {
  const { readsCode, shares } = around;
  const isMaintainer = a.buildTimeout !== undefined;
  const forMaintainers = <Value>(value: Value) => (isMaintainer ? value : undefined);
  return {
    packages_enabled: a.packagesEnabled,
    empty_repo: around.isEmpty,
    archived: around.archived,
    owner: around.owner,
    resolve_outdated_diff_discussions: a.resolveOutdatedDiffDiscussions,
    container_expiration_policy: a.containerExpirationPolicy,
    repository_object_format: a.repositoryObjectFormat,
    issues_enabled: a.issuesEnabled,
    merge_requests_enabled: a.mergeRequestsEnabled,
    wiki_enabled: a.wikiEnabled,
    jobs_enabled: a.jobsEnabled,
    snippets_enabled: a.snippetsEnabled,
    container_registry_enabled: a.containerRegistryEnabled,
    service_desk_enabled: a.serviceDeskEnabled,
    can_create_merge_request_in: around.mergesIn,
    // The levels of features.
    issues_access_level: a.issuesAccessLevel,
    repository_access_level: a.repositoryAccessLevel,
    merge_requests_access_level: a.mergeRequestsAccessLevel,
    forking_access_level: a.forkingAccessLevel,
    wiki_access_level: a.wikiAccessLevel,
    builds_access_level: a.buildsAccessLevel,
    snippets_access_level: a.snippetsAccessLevel,
    pages_access_level: a.pagesAccessLevel,
    analytics_access_level: a.analyticsAccessLevel,
    container_registry_access_level: a.containerRegistryAccessLevel,
    security_and_compliance_access_level: a.securityAndComplianceAccessLevel,
    releases_access_level: a.releasesAccessLevel,
    environments_access_level: a.environmentsAccessLevel,
    feature_flags_access_level: a.featureFlagsAccessLevel,
    infrastructure_access_level: a.infrastructureAccessLevel,
    monitor_access_level: a.monitorAccessLevel,
    model_experiments_access_level: a.modelExperimentsAccessLevel,
    model_registry_access_level: a.modelRegistryAccessLevel,
    package_registry_access_level: a.packageRegistryAccessLevel,
    emails_disabled: a.emailsEnabled === false,
    emails_enabled: a.emailsEnabled,
    show_diff_preview_in_email: a.showDiffPreviewInEmail,
    shared_runners_enabled: a.sharedRunnersEnabled,
    lfs_enabled: a.lfsEnabled,
    creator_id: around.creatorId,
    mr_default_target_self: around.isFork ? a.mrDefaultTargetSelf : undefined,
    import_url: forMaintainers(null),
    import_type: forMaintainers(null),
    import_status: around.importStatus,
    import_error: forMaintainers(null),
    open_issues_count: around.openIssues ?? undefined,
    description_html: around.descriptionHtml,
    updated_at: around.updatedAt,
    // What only maintainers see: the others don't have these attributes.
    ci_default_git_depth: a.ciDefaultGitDepth,
    ci_delete_pipelines_in_seconds: a.ciDeletePipelinesInSeconds,
    ci_forward_deployment_enabled: a.ciForwardDeploymentEnabled,
    ci_forward_deployment_rollback_allowed: a.ciForwardDeploymentRollbackAllowed,
    ci_job_token_scope_enabled: forMaintainers(false),
    ci_separated_caches: a.ciSeparatedCaches,
    ci_allow_fork_pipelines_to_run_in_parent_project: a.ciAllowForkPipelinesToRunInParentProject,
    ci_id_token_sub_claim_components: a.ciIdTokenSubClaimComponents,
    build_git_strategy: a.buildGitStrategy,
    keep_latest_artifact: a.keepLatestArtifact,
    restrict_user_defined_variables: a.restrictUserDefinedVariables,
    ci_pipeline_variables_minimum_override_role: a.ciPipelineVariablesMinimumOverrideRole,
    runners_token: forMaintainers(around.runnersToken),
    runner_token_expiration_interval: forMaintainers(null),
    group_runners_enabled: a.groupRunnersEnabled,
    resource_group_default_process_mode: a.resourceGroupDefaultProcessMode,
    auto_cancel_pending_pipelines: a.autoCancelPendingPipelines,
    build_timeout: a.buildTimeout,
    build_coverage_regex: a.buildCoverageRegex,
    auto_devops_enabled: a.autoDevopsEnabled,
    auto_devops_deploy_strategy: a.autoDevopsDeployStrategy,
    ci_push_repository_for_job_token_allowed: a.ciPushRepositoryForJobTokenAllowed,
    ci_config_path: readsCode ? a.ciConfigPath : undefined,
    public_jobs: a.publicJobs,
    shared_with_groups: shares,
    only_allow_merge_if_pipeline_succeeds: a.onlyAllowMergeIfPipelineSucceeds,
    allow_merge_on_skipped_pipeline: a.allowMergeOnSkippedPipeline,
    request_access_enabled: a.requestAccessEnabled,
    only_allow_merge_if_all_discussions_are_resolved: a.onlyAllowMergeIfAllDiscussionsAreResolved,
    remove_source_branch_after_merge: a.removeSourceBranchAfterMerge,
    printing_merge_request_link_enabled: a.printingMergeRequestLinkEnabled,
    merge_method: a.mergeMethod,
    squash_option: a.squashOption,
    enforce_auth_checks_on_uploads: a.enforceAuthChecksOnUploads,
    suggestion_commit_message: a.suggestionCommitMessage,
    merge_commit_template: a.mergeCommitTemplate,
    squash_commit_template: a.squashCommitTemplate,
    issue_branch_template: a.issueBranchTemplate,
    merge_request_title_regex: a.mergeRequestTitleRegex,
    merge_request_title_regex_description: a.mergeRequestTitleRegexDescription,
    statistics: around.statistics ? presentStatistics(around.statistics) : undefined,
    warn_about_potentially_unwanted_characters: a.warnAboutPotentiallyUnwantedCharacters,
    autoclose_referenced_issues: a.autocloseReferencedIssues,
    max_artifacts_size: a.maxArtifactsSize,
  };
}

const sizes = [
  'commitCount',
  'storageSize',
  'repositorySize',
  'wikiSize',
  'lfsObjectsSize',
  'buildArtifactsSize',
  'pipelineArtifactsSize',
  'packagesSize',
  'snippetsSize',
  'uploadsSize',
  'containerRegistrySize',
] as const;
export type StatisticsData = Readonly<Record<(typeof sizes)[number], number>>;
export const statisticsFields = sizes.join(' ');

const presentStatistics = (data: StatisticsData) => ({
  commit_count: data.commitCount,
  storage_size: data.storageSize,
  repository_size: data.repositorySize,
  wiki_size: data.wikiSize,
  lfs_objects_size: data.lfsObjectsSize,
  job_artifacts_size: data.buildArtifactsSize,
  pipeline_artifacts_size: data.pipelineArtifactsSize,
  packages_size: data.packagesSize,
  snippets_size: data.snippetsSize,
  uploads_size: data.uploadsSize,
  container_registry_size: data.containerRegistrySize,
});

const nothing = { type: 'null', description: 'Always null.' };

const listed = attributeSchemas(
  Object.fromEntries(Object.entries(projectAttributes).filter(([, one]) => !('unlisted' in one))),
);

/** The schemas of these members; none is always there. */
export const detailSchemas: { readonly [name: string]: JsonSchema } = {
  packages_enabled: flag,
  empty_repo: { type: 'boolean', description: 'Whether the repository has no branch.' },
  archived: flag,
  issues_enabled: flag,
  merge_requests_enabled: flag,
  wiki_enabled: flag,
  jobs_enabled: flag,
  snippets_enabled: flag,
  container_registry_enabled: flag,
  can_create_merge_request_in: flag,
  creator_id: { type: ['integer', 'null'] },
  import_url: nothing,
  import_type: nothing,
  import_status: text,
  import_error: nothing,
  open_issues_count: count,
  description_html: text,
  updated_at: { type: 'string', format: 'date-time' },
  ci_job_token_scope_enabled: flag,
  restrict_user_defined_variables: flag,
  runners_token: {
    type: ['string', 'null'],
    description: 'What its runners register with, where one project is read or changed; else null.',
  },
  runner_token_expiration_interval: nothing,
  shared_with_groups: sharesSchema,
  statistics: objectSchema(
    Object.fromEntries(
      Object.keys(presentStatistics({} as StatisticsData)).map((name) => [
        name,
        { ...count, description: name === 'commit_count' ? 'Of the default branch.' : 'In bytes.' },
      ]),
    ),
  ),
  ...listed,
};
