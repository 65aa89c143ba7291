import type { AnyRoute } from './engine/route.ts';
import { applicationRoutes } from './access/applications/routes.ts';
import { activityRoutes } from './planning/activity/routes.ts';
import { awardRoutes } from './planning/awards/routes.ts';
import { avatarRoutes } from './places/avatars/routes.ts';
import { errorTrackingSettingsRoutes } from './settings/error-tracking-settings/routes.ts';
import { groupRoutes } from './places/groups/routes.ts';
import { labelRoutes } from './planning/labels/routes.ts';
import { issueActionRoutes } from './planning/issues/actions.ts';
import { issueLinkRoutes } from './planning/links/routes.ts';
import { timeTrackingRoutes } from './planning/time-tracking/routes.ts';
import { issueRoutes } from './planning/issues/routes.ts';
import { discussionRoutes } from './planning/notes/discussions.ts';
import { resourceEventRoutes } from './planning/notes/resource-events.ts';
import { noteRoutes } from './planning/notes/routes.ts';
import { unavailableOfIssues } from './planning/issues/unavailable.ts';
import { accessRequestRoutes } from './places/access-requests/routes.ts';
import { memberRoutes } from './places/members/routes.ts';
import { snippetRoutes } from './planning/snippets/routes.ts';
import { markdownRoutes } from './planning/markdown/routes.ts';
import { epicRoutes } from './planning/epics/routes.ts';
import { milestoneRoutes } from './planning/milestones/routes.ts';
import { participationRoutes } from './reviews/participation/routes.ts';
import { metadataRoutes } from './settings/metadata/routes.ts';
import { namespaceRoutes } from './places/namespaces/routes.ts';
import { notificationRecipientRoutes } from './notifications/recipients/routes.ts';
import { notificationSettingsRoutes } from './settings/notification-settings/routes.ts';
import { oauthRoutes } from './access/oauth/routes.ts';
import { personalAccessTokenRoutes } from './access/personal-access-tokens/routes.ts';
import { deployKeyRoutes } from './access/deploy-keys/routes.ts';
import { sshKeyRoutes } from './access/ssh-keys/routes.ts';
import { projectRoutes } from './places/projects/routes.ts';
import { approvalRoutes } from './reviews/approvals/routes.ts';
import { contextCommitRoutes } from './reviews/changes/context-commits.ts';
import { changeRoutes } from './reviews/changes/routes.ts';
import { draftNoteRoutes } from './reviews/draft-notes/routes.ts';
import { mergingRoutes } from './reviews/merging/routes.ts';
import { mergeRequestsOfCommits } from './reviews/merge-requests/of-commits.ts';
import { mergeRequestsOfIssues } from './reviews/merge-requests/of-issues.ts';
import { mergeRequestRoutes } from './reviews/merge-requests/routes.ts';
import { searchRoutes } from './places/search/routes.ts';
import { sharingRoutes } from './places/sharing/routes.ts';
import { creationRoutes } from './pipelines/creation/routes.ts';
import { artifactRoutes } from './pipelines/artifacts/routes.ts';
import { deploymentRoutes } from './pipelines/deployments/routes.ts';
import { environmentRoutes } from './pipelines/environments/routes.ts';
import { jobRoutes } from './pipelines/jobs/routes.ts';
import { lintRoutes } from './pipelines/lint/routes.ts';
import { pipelineRoutes } from './pipelines/pipelines/routes.ts';
import { runnerMachineRoutes } from './pipelines/runners/machine-routes.ts';
import { runnerRoutes } from './pipelines/runners/routes.ts';
import { statusRoutes } from './pipelines/statuses/routes.ts';
import { testReportRoutes } from './pipelines/test-reports/routes.ts';
import { traceRoutes } from './pipelines/traces/routes.ts';
import { scheduleRoutes } from './pipelines/schedules/routes.ts';
import { triggerRunRoutes } from './pipelines/triggers/run.ts';
import { triggerRoutes } from './pipelines/triggers/routes.ts';
import { variableRoutes } from './pipelines/variables/routes.ts';
import { archiveRoutes } from './repository/archive/routes.ts';
import { commitAroundRoutes } from './repository/commits/around.ts';
import { compareRoutes } from './repository/compare/routes.ts';
import { branchRoutes } from './repository/branches/routes.ts';
import { commitCommentRoutes } from './repository/commits/comments.ts';
import { commitDiscussionRoutes } from './repository/commits/discussions.ts';
import { commitRoutes } from './repository/commits/routes.ts';
import { signatureRoutes } from './repository/commits/signature.ts';
import { submoduleRoutes } from './repository/commits/submodules.ts';
import { fileRoutes } from './repository/files/routes.ts';
import { protectedBranchRoutes } from './repository/protected-branches/routes.ts';
import { protectedTagRoutes } from './repository/protected-tags/routes.ts';
import { storageRoutes } from './repository/storage/routes.ts';
import { tagRoutes } from './repository/tags/routes.ts';
import { treeRoutes } from './repository/tree/routes.ts';
import { templateRoutes } from './repository/templates/routes.ts';
import { todoRoutes } from './planning/todos/routes.ts';
import { tokenInfoRoutes } from './access/token-info/routes.ts';
import { transferRoutes } from './places/transfer/routes.ts';
import { userCountRoutes } from './accounts/counts/routes.ts';
import { userRoutes } from './accounts/users/routes.ts';

/** All routes of the REST API and OAuth. */
export const routes: readonly AnyRoute[] = [
  ...notificationSettingsRoutes,
  ...notificationRecipientRoutes,
  ...errorTrackingSettingsRoutes,
  ...projectRoutes,
  ...groupRoutes,
  ...avatarRoutes,
  ...memberRoutes,
  ...accessRequestRoutes,
  ...transferRoutes,
  ...searchRoutes,
  ...sharingRoutes,
  ...labelRoutes,
  ...epicRoutes,
  ...milestoneRoutes,
  ...creationRoutes,
  ...deploymentRoutes,
  ...environmentRoutes,
  ...jobRoutes,
  ...lintRoutes,
  ...pipelineRoutes,
  ...scheduleRoutes,
  ...triggerRoutes,
  ...triggerRunRoutes,
  ...variableRoutes,
  ...runnerMachineRoutes,
  ...runnerRoutes,
  ...statusRoutes,
  ...traceRoutes,
  ...artifactRoutes,
  ...testReportRoutes,
  ...namespaceRoutes,
  ...issueRoutes,
  ...issueActionRoutes,
  ...unavailableOfIssues,
  ...issueLinkRoutes,
  ...mergeRequestRoutes,
  ...changeRoutes,
  ...contextCommitRoutes,
  ...draftNoteRoutes,
  ...mergingRoutes,
  ...approvalRoutes,
  ...mergeRequestsOfCommits,
  ...mergeRequestsOfIssues,
  ...participationRoutes,
  ...timeTrackingRoutes,
  ...noteRoutes,
  ...discussionRoutes,
  ...resourceEventRoutes,
  ...awardRoutes,
  ...activityRoutes,
  ...todoRoutes,
  ...snippetRoutes,
  ...markdownRoutes,
  ...userRoutes,
  ...userCountRoutes,
  ...deployKeyRoutes,
  ...sshKeyRoutes,
  ...personalAccessTokenRoutes,
  ...applicationRoutes,
  ...metadataRoutes,
  ...oauthRoutes,
  ...archiveRoutes,
  ...branchRoutes,
  ...commitRoutes,
  ...commitCommentRoutes,
  ...commitDiscussionRoutes,
  ...signatureRoutes,
  ...submoduleRoutes,
  ...commitAroundRoutes,
  ...compareRoutes,
  ...fileRoutes,
  ...protectedBranchRoutes,
  ...protectedTagRoutes,
  ...storageRoutes,
  ...tagRoutes,
  ...treeRoutes,
  ...templateRoutes,
  ...tokenInfoRoutes,
];
