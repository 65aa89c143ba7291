import { expect } from 'vitest';
import { all, author, has, path, project, sha, title, whole, type WorkDocument } from './harbour.ts';

/** Documents of GitLens. */

/** What GitLens asks of people, and of a merge request. */
const personFields = 'fragment person on User { id name username publicEmail avatarUrl webUrl }';
const lensFields = `${personFields}
fragment copy on Project { id httpUrlToRepo fullPath sshUrlToRepo webUrl }
fragment shown on MergeRequest {
  id state author { ...person } diffRefs { baseSha headSha } diffStatsSummary { additions deletions fileCount }
  commitCount draft userNotesCount upvotes title description webUrl createdAt updatedAt mergedAt iid targetBranch sourceBranch
  assignees { nodes { ...person } }
  reviewers { nodes { ...person mergeRequestInteraction { approved reviewState } } }
  mergeStatusEnum labels { nodes { color description id title } }
  project { ...copy archived } sourceProject { ...copy }
  milestone { description dueDate id iid startDate state title webPath }
  headPipeline { stages { nodes { jobs { nodes { allowFailure createdAt finishedAt id name status } } name } } }
}`;
const shown = has({
  iid: '1',
  state: 'opened',
  title,
  author: { ...author, username: 'maintainer', publicEmail: null },
  diffStatsSummary: { additions: 2, deletions: 1, fileCount: 1 },
  commitCount: 1,
  assignees: { nodes: [has({ username: 'developer' })] },
  reviewers: {
    nodes: [has({ username: 'developer', mergeRequestInteraction: { approved: false, reviewState: 'UNREVIEWED' } })],
  },
  labels: { nodes: [has({ title: 'speed' })] },
  project: has({ fullPath: path, archived: false }),
  sourceProject: has({ fullPath: path }),
  milestone: null,
  headPipeline: {
    stages: {
      nodes: [
        { name: expect.any(String), jobs: { nodes: [has({ name: 'build', status: 'RUNNING', finishedAt: null })] } },
      ],
    },
  },
});

export const gitLensDocuments: readonly WorkDocument[] = [
  {
    client: 'GitLens',
    what: 'the issue or merge request that a commit names',
    query: `query getIssueOrMergeRequest($fullPath: ID!, $iid: String!) {
      project(fullPath: $fullPath) {
        mergeRequest(iid: $iid) {
          author { id name avatarUrl webUrl } iid title description state createdAt updatedAt mergedAt webUrl
        }
        issue(iid: $iid) {
          author { id name avatarUrl webUrl } iid title description state createdAt updatedAt closedAt webUrl
        }
      }
    }`,
    variables: { fullPath: path, iid: '1' },
    ...all({
      project: {
        mergeRequest: has({ author, iid: '1', title, state: 'opened', mergedAt: null }),
        issue: has({ author, iid: '1', title: 'The harbour is full', state: 'opened', closedAt: null }),
      },
    }),
  },
  {
    client: 'GitLens',
    what: 'the merge request of a branch',
    query: `query getMergeRequestForBranch($fullPath: ID!, $branches: [String!]) {
      project(fullPath: $fullPath) {
        mergeRequests(sourceBranches: $branches sort: UPDATED_DESC first: 1) { nodes { ...found } }
        merged: mergeRequests(sourceBranches: $branches state: merged sort: UPDATED_DESC first: 1) { nodes { ...found } }
      }
    }
    fragment found on MergeRequest {
      iid author { id name avatarUrl webUrl } title description state createdAt updatedAt mergedAt webUrl
    }`,
    // It sends a variable that its document doesn't declare, too.
    variables: { fullPath: path, branches: ['walk'], state: ['merged'] },
    ...all({
      project: { mergeRequests: { nodes: [has({ iid: '1', author, title, state: 'opened' })] }, merged: { nodes: [] } },
    }),
  },
  {
    client: 'GitLens',
    what: 'merge requests that a search found',
    query: `query getMergeRequests ($id_0: MergeRequestID!
$id_1: MergeRequestID!) {
      mergeRequest_0: mergeRequest(id: $id_0) { ...further }
      mergeRequest_1: mergeRequest(id: $id_1) { ...further }
    }
    fragment further on MergeRequest {
      diffRefs { baseSha headSha } project { id fullPath webUrl } sourceProject { id fullPath webUrl }
    }`,
    named: ({ mergeRequests: [one, other] }) => ({ id_0: one, id_1: other }),
    ...all({
      mergeRequest_0: { diffRefs: { baseSha: sha, headSha: sha }, project, sourceProject: project },
      mergeRequest_1: { diffRefs: { baseSha: sha, headSha: sha }, project, sourceProject: project },
    }),
  },
  {
    client: 'GitLens',
    what: 'the merge requests of a person in a project',
    query: `query getPullRequestsForUser($username: String! $cursor: String $labelNames: [String!]) {
      user(username: $username) {
        authoredMergeRequests(state: opened first: 100 after:$cursor labels: $labelNames projectPath:"${path}") {
          pageInfo { endCursor hasNextPage } nodes { ...shown }
        }
      }
    }
    ${lensFields}`,
    variables: { username: 'maintainer', labelNames: ['speed'] },
    ...all({ user: { authoredMergeRequests: { pageInfo: whole, nodes: [shown] } } }),
    anonymous: { user: null },
  },
  {
    client: 'GitLens',
    what: 'a project, and what one does in it',
    query: `query getRepo($fullPath: ID!) {
      project(fullPath: $fullPath) {
        id fullPath webUrl httpUrlToRepo sshUrlToRepo repository { rootRef }
        userPermissions { adminOperations downloadCode pushCode }
      }
    }`,
    variables: { fullPath: path },
    signedIn: {
      project: has({
        fullPath: path,
        repository: { rootRef: 'main' },
        userPermissions: { adminOperations: true, downloadCode: true, pushCode: true },
      }),
    },
    anonymous: {
      project: has({ userPermissions: { adminOperations: false, downloadCode: true, pushCode: false } }),
    },
    stranger: {
      project: has({ userPermissions: { adminOperations: false, downloadCode: true, pushCode: false } }),
    },
  },
  {
    client: 'GitLens',
    what: 'the issues of a project',
    query: `query getIssues($fullPath: ID!, $after: String, $labelName: [String], $authorUsername: String) {
      project(fullPath: $fullPath) {
        id fullPath webUrl
        issues(first: 100, state: opened, sort: UPDATED_DESC, after: $after, labelName: $labelName, authorUsername: $authorUsername) {
          nodes {
            author { ...person } assignees { nodes { ...person } } closedAt createdAt description dueDate id iid
            labels { nodes { color description id title } } state title type updatedAt upvotes userNotesCount webUrl
            milestone { description dueDate id iid startDate state title webPath }
          }
          pageInfo { endCursor hasNextPage }
        }
      }
    }
    ${personFields}`,
    variables: { fullPath: path, authorUsername: 'maintainer' },
    ...all({
      project: {
        ...project,
        issues: { nodes: [has({ title: 'The harbour is full', type: 'ISSUE', state: 'opened' })], pageInfo: whole },
      },
    }),
  },
];
