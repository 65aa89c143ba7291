import { expect } from 'vitest';
import { id, moment, page } from '../client-documents.ts';
import { all, author, denied, has, path, project, sha, title, whole, type WorkDocument } from './harbour.ts';

/** Documents of programs besides editors. */

const filterVariables = `$state: MergeRequestState, $search: String, $in: [IssuableSearchableField!], $sort: MergeRequestSort, $labelName: [String],
  $milestoneTitle: String, $targetBranches: [String!], $sourceBranches: [String!], $draft: Boolean, $not: MergeRequestsResolverNegatedParams`;
const filters = `state: $state, search: $search, in: $in, sort: $sort, labelName: $labelName, milestoneTitle: $milestoneTitle,
  targetBranches: $targetBranches, sourceBranches: $sourceBranches, draft: $draft, not: $not`;
const listedFields = `fragment listed on MergeRequest {
  id iid title state webUrl reference(full: true) createdAt updatedAt mergedAt closedAt conflicts autoMergeEnabled
  forceRemoveSourceBranch squashOnMerge sourceBranch targetBranch targetProjectId resolvedDiscussionsCount resolvableDiscussionsCount
  author { id name avatarUrl webUrl } assignees { nodes { id name avatarUrl webUrl } } reviewers { nodes { id name avatarUrl webUrl } }
  labels { nodes { id title color } } milestone { id title }
  headPipeline { id status detailedStatus { label name } } pipelines(first: 1) { nodes { id status detailedStatus { label name } } }
  userPermissions { canMerge updateMergeRequest } approvedBy { nodes { username } } description project { webUrl fullPath }
}`;
const pipeline = { id: id('Ci::Pipeline'), status: 'RUNNING', detailedStatus: { label: 'running', name: 'RUNNING' } };
const developer = { id: id('User'), name: 'Dev Developer', avatarUrl: null, webUrl: page('developer') };
const listed = (may: boolean) =>
  has({
    iid: '1',
    title,
    state: 'opened',
    reference: 'maintainer/harbour!1',
    mergedAt: null,
    conflicts: expect.any(Boolean),
    sourceBranch: 'walk',
    targetBranch: 'main',
    targetProjectId: expect.any(Number),
    resolvableDiscussionsCount: expect.any(Number),
    resolvedDiscussionsCount: expect.any(Number),
    author,
    assignees: { nodes: [developer] },
    reviewers: { nodes: [developer] },
    labels: { nodes: [{ id: expect.any(String), title: 'speed', color: expect.stringMatching(/^#/) }] },
    milestone: null,
    headPipeline: pipeline,
    pipelines: { nodes: [pipeline] },
    userPermissions: { canMerge: may, updateMergeRequest: may },
    approvedBy: { nodes: [{ username: 'maintainer' }] },
    project: { webUrl: project.webUrl, fullPath: path },
  });
const listFor = (may: boolean) => ({
  project: { mergeRequests: { nodes: [listed(may)], pageInfo: whole } },
});

const commitFields = `fragment commitFields on Commit {
  sha title message authorName authorEmail authoredDate webUrl author { username avatarUrl }
  pipelines(first: 1) { nodes { id iid status detailedStatus { label name } } }
}`;
const commit = {
  sha,
  title: 'Change',
  message: 'Change',
  authorName: 'Mary Maintainer',
  authorEmail: expect.stringContaining('@'),
  authoredDate: moment,
  webUrl: expect.stringMatching(/\/maintainer\/harbour\/-\/commit\/[0-9a-f]{40}$/),
  author: { username: 'maintainer', avatarUrl: null },
  pipelines: { nodes: [{ ...pipeline, iid: '1' }] },
};

export const otherDocuments: readonly WorkDocument[] = [
  {
    client: 'Raycast',
    what: 'the merge requests of a project',
    query: `query projectMergeRequests($fullPath: ID!, $first: Int!, $after: String, $authorUsername: String,
      $assigneeUsername: String, $assigneeUsernames: [String!], $reviewerUsername: String, ${filterVariables}) {
      project(fullPath: $fullPath) {
        mergeRequests(first: $first, after: $after, authorUsername: $authorUsername, assigneeUsername: $assigneeUsername,
          assigneeUsernames: $assigneeUsernames, reviewerUsername: $reviewerUsername, ${filters}) {
          nodes { ...listed } pageInfo { hasNextPage endCursor }
        }
      }
    }
    ${listedFields}`,
    variables: {
      fullPath: path,
      first: 20,
      state: 'opened',
      search: 'draught',
      in: ['TITLE'],
      sort: 'MILESTONE_DUE_DESC',
      labelName: ['speed'],
      targetBranches: ['main'],
      draft: false,
      reviewerUsername: 'developer',
      not: { labelName: ['slow'], targetBranches: ['stable'], authorUsername: 'root' },
    },
    signedIn: listFor(true),
    anonymous: listFor(false),
    stranger: listFor(false),
  },
  {
    client: 'Raycast',
    what: 'one’s own merge requests',
    query: `query authored($first: Int!, $after: String, ${filterVariables}, $includeArchived: Boolean) {
      currentUser {
        authoredMergeRequests(first: $first, after: $after, ${filters}, includeArchived: $includeArchived) {
          nodes { ...listed } pageInfo { hasNextPage endCursor }
        }
      }
    }
    ${listedFields}`,
    variables: { first: 20, state: 'opened', labelName: ['speed'], sourceBranches: ['walk'], includeArchived: false },
    signedIn: { currentUser: { authoredMergeRequests: { nodes: [listed(true)], pageInfo: whole } } },
    anonymous: { currentUser: null },
    stranger: { currentUser: { authoredMergeRequests: { nodes: [], pageInfo: { ...whole, endCursor: null } } } },
  },
  {
    client: 'Raycast',
    what: 'the commits of a merge request',
    query: `query mergeRequestCommits($fullPath: ID!, $iid: String!, $first: Int!, $after: String) {
      project(fullPath: $fullPath) {
        mergeRequest(iid: $iid) {
          commits(first: $first, after: $after) { nodes { ...commitFields } pageInfo { hasNextPage endCursor } }
        }
      }
    }
    ${commitFields}`,
    variables: { fullPath: path, iid: '1', first: 20 },
    ...all({ project: { mergeRequest: { commits: { nodes: [commit], pageInfo: whole } } } }),
  },
  {
    client: 'Raycast',
    what: 'the lines around a comment',
    query: `query discussionDiff($fullPath: ID!, $headSha: String!, $contextRef: String!, $filePath: String!) {
      project(fullPath: $fullPath) {
        repository {
          commit(ref: $headSha) { diffs { diff newPath oldPath } }
          blobs(paths: [$filePath], ref: $contextRef, first: 1) { nodes { rawTextBlob } }
        }
      }
    }`,
    named: ({ head }) => ({ fullPath: path, headSha: head, contextRef: head, filePath: 'README.md' }),
    ...all({
      project: {
        repository: {
          commit: {
            diffs: [{ diff: expect.stringMatching(/^@@ [^]*\+now two/m), newPath: 'README.md', oldPath: 'README.md' }],
          },
          blobs: { nodes: [{ rawTextBlob: expect.stringContaining('now two') }] },
        },
      },
    }),
  },
  {
    client: 'Raycast',
    what: 'the branches of a project, and how they are protected',
    query: `query branches($fullPath: ID!, $searchPattern: String!, $offset: Int!, $limit: Int!) {
      project(fullPath: $fullPath) {
        repository { rootRef branchNames(searchPattern: $searchPattern, offset: $offset, limit: $limit) }
        branchRules(first: 100) { nodes { name branchProtection { allowForcePush } } }
      }
    }`,
    variables: { fullPath: path, searchPattern: 'walk*', offset: 0, limit: 20 },
    signedIn: {
      project: {
        repository: { rootRef: 'main', branchNames: ['walk', 'walk-conflict'] },
        branchRules: { nodes: [{ name: 'main', branchProtection: { allowForcePush: false } }] },
      },
    },
    anonymous: { project: has({ repository: { rootRef: 'main', branchNames: ['walk', 'walk-conflict'] } }) },
    stranger: { project: has({ repository: { rootRef: 'main', branchNames: ['walk', 'walk-conflict'] } }) },
  },
  {
    client: 'Raycast',
    what: 'the newest pipeline, with its jobs by stages',
    query: `query pipelineJobs($fullPath: ID!, $pipelineIID: ID!, $sha: String!) {
      project(fullPath: $fullPath) {
        pipelines(first: 1, sha: $sha) { nodes { iid path ref name project { id } user { name username } } }
        pipeline(iid: $pipelineIID) { stages { nodes { name jobs { nodes { id name status allowFailure } } } } }
      }
    }`,
    named: ({ head }) => ({ fullPath: path, pipelineIID: '1', sha: head }),
    ...all({
      project: {
        pipelines: {
          nodes: [
            {
              iid: '1',
              path: expect.stringMatching(/^\/maintainer\/harbour\/-\/pipelines\/\d+$/),
              ref: 'walk',
              name: null,
              project: { id: project.id },
              user: { name: 'Mary Maintainer', username: 'maintainer' },
            },
          ],
        },
        pipeline: {
          stages: {
            nodes: [
              {
                name: expect.any(String),
                jobs: { nodes: [{ id: expect.any(String), name: 'build', status: 'RUNNING', allowFailure: false }] },
              },
            ],
          },
        },
      },
    }),
  },
  {
    client: 'gitlab-mcp',
    what: 'the ids of labels and people',
    query: `query($path: ID!, $usernames: [String!]!, $l0: String!) {
      project(fullPath: $path) { l0: labels(title: $l0, includeAncestorGroups: true, first: 1) { nodes { id } } }
      users(usernames: $usernames) { nodes { id username } }
    }`,
    variables: { path, usernames: ['developer'], l0: 'speed' },
    ...all({
      project: { l0: { nodes: [{ id: id('ProjectLabel') }] } },
      users: { nodes: [{ id: id('User'), username: 'developer' }] },
    }),
  },
  {
    client: 'gitlab-mcp',
    what: 'what a merge request says, for a model',
    query: `query($projectPath: ID!, $mrIID: String!) {
      project(fullPath: $projectPath) {
        mergeRequest(iid: $mrIID) {
          iid title description state sourceBranch targetBranch mergeStatusEnum
          diffStatsSummary { additions deletions fileCount } approvedBy { nodes { username } } approved
          headPipeline { status detailedStatus { text label } }
          discussions(first: 100) {
            nodes { notes { nodes { author { username } body createdAt system resolvable resolved } } }
          }
        }
      }
    }`,
    variables: { projectPath: path, mrIID: '1' },
    ...all({
      project: {
        mergeRequest: has({
          iid: '1',
          title,
          diffStatsSummary: { additions: 2, deletions: 1, fileCount: 1 },
          approvedBy: { nodes: [{ username: 'maintainer' }] },
          approved: true,
          headPipeline: { status: 'RUNNING', detailedStatus: { text: 'Running', label: 'running' } },
        }),
      },
    }),
  },
  {
    client: 'gitlab-mcp',
    what: 'a reaction',
    query: `mutation($awardableId: AwardableID!, $name: String!) {
      awardEmojiAdd(input: { awardableId: $awardableId, name: $name }) { awardEmoji { name user { username } } errors }
    }`,
    named: ({ issue }) => ({ awardableId: issue, name: 'ship' }),
    signedIn: { awardEmojiAdd: { awardEmoji: { name: 'ship', user: { username: 'maintainer' } }, errors: [] } },
    anonymous: denied({ awardEmojiAdd: null }),
    stranger: { awardEmojiAdd: { awardEmoji: { name: 'ship', user: { username: 'stranger' } }, errors: [] } },
  },
  {
    client: 'Backstage',
    what: 'how much of a project its tests cover',
    query: `query getProjectCoverage($projectSlug: ID!, $updatedAfter: Time, $projectDefaultBranch: String) {
      project(fullPath: $projectSlug) {
        pipelines(ref: $projectDefaultBranch, updatedAfter: $updatedAfter) { nodes { coverage createdAt } }
      }
    }`,
    variables: { projectSlug: path, updatedAfter: '2026-01-01', projectDefaultBranch: 'walk' },
    ...all({ project: { pipelines: { nodes: [{ coverage: null, createdAt: moment }] } } }),
  },
  {
    client: 'gitlab-triage',
    what: 'the open issues that a rule is about',
    query: `query($source: ID!, $after: String, $labels: [String!]) {
      project(fullPath: $source) {
        id
        issues(after: $after, labelName: $labels, state: opened, sort: CREATED_ASC) {
          pageInfo { hasNextPage endCursor }
          nodes { id iid title updatedAt createdAt webUrl projectId userNotesCount userDiscussionsCount }
        }
      }
    }`,
    variables: { source: path, labels: ['speed'] },
    ...all({
      project: { id: id('Project'), issues: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
    }),
  },
  {
    client: 'Forge',
    what: 'that a merge request is no draft',
    query: `mutation($input: MergeRequestSetDraftInput!) { mergeRequestSetDraft(input: $input) { clientMutationId } }`,
    variables: { input: { projectPath: path, iid: '1', draft: false } },
    signedIn: { mergeRequestSetDraft: { clientMutationId: null } },
    anonymous: denied({ mergeRequestSetDraft: null }),
    stranger: denied({ mergeRequestSetDraft: null }),
  },
];
