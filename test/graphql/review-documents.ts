import { expect } from 'vitest';
import { id, moment, page, refused, Refusal, type ClientDocument, type Expected } from './client-documents.ts';

/**
 * What the plugin of the JetBrains IDEs for GitLab asks, by its newest fragments of the free edition: merge requests, and
 * what it needs to know of projects and groups. They run on the merge request that `documents.test.ts` opens.
 */

/** The fragments; each document takes those that it names. */
const fragments: { readonly [name: string]: string } = {
  cursors: 'fragment cursors on PageInfo { startCursor hasPreviousPage endCursor hasNextPage }',
  person: 'fragment person on User { id username name avatarUrl webUrl }',
  reviewer: 'fragment reviewer on MergeRequestReviewer { ...person mergeRequestInteraction { approved reviewed } }',
  repository: `fragment repository on Project {
    id name nameWithNamespace path fullPath httpUrlToRepo sshUrlToRepo
    squashReadOnly removeSourceBranchAfterMerge onlyAllowMergeIfAllDiscussionsAreResolved
    onlyAllowMergeIfPipelineSucceeds allowMergeOnSkippedPipeline mergeRequestsFfOnlyEnabled
    allowsMultipleMergeRequestAssignees allowsMultipleMergeRequestReviewers
    userPermissions { createSnippet }
    repository { rootRef }
  }`,
  coloured: 'fragment coloured on Label { title description color }',
  commit:
    'fragment commit on Commit { sha shortId fullTitle description author { ...person } authorName authoredDate }',
  jobs: `fragment jobs on Pipeline {
    jobs(first: 1000) { pageInfo { ...cursors } nodes { name status allowFailure detailedStatus { detailsPath } } }
  }`,
  rights: 'fragment rights on MergeRequestPermissions { canApprove canMerge createNote updateMergeRequest }',
  review: `fragment review on MergeRequest {
    id iid title description webUrl createdAt targetBranch sourceBranch
    labels(first: 100) { pageInfo { ...cursors } nodes { ...coloured } }
    diffRefs { baseSha startSha headSha }
    conflicts headPipeline { ...jobs } mergeStatusEnum mergeable state draft
    squash squashOnMerge squashReadOnly defaultSquashCommitMessage defaultMergeCommitMessage
    shouldRemoveSourceBranch forceRemoveSourceBranch shouldBeRebased rebaseInProgress
    targetProject { ...repository } sourceProject { ...repository }
    author { ...person }
    approvedBy(first: 1000) { pageInfo { ...cursors } nodes { ...person } }
    assignees(first: 1000) { pageInfo { ...cursors } nodes { ...person } }
    reviewers(first: 1000) { pageInfo { ...cursors } nodes { ...reviewer } }
    commits(first: 1000) { pageInfo { ...cursors } nodes { ...commit } }
    userPermissions { ...rights }
  }`,
  comment: `fragment comment on Note {
    id createdAt author { ...person } body system
    position { diffRefs { baseSha headSha startSha } filePath positionType oldLine oldPath newLine newPath }
    url resolvable resolved
    awardEmoji { nodes { name emoji user { ...person } } }
    userPermissions { resolveNote adminNote }
  }`,
  thread: `fragment thread on Discussion {
    id replyId createdAt notes(first: 1000) { pageInfo { ...cursors } nodes { ...comment } }
  }`,
};

/** A document with the fragments that it needs. */
function whole(document: string): string {
  const needed = new Set<string>();
  const need = (text: string) => {
    for (const [, name] of text.matchAll(/\.\.\.(\w+)/g)) {
      if (needed.has(name!)) continue;
      needed.add(name!);
      need(fragments[name!]!);
    }
  };
  need(document);
  return [document, ...[...needed].map((name) => fragments[name])].join('\n');
}

/** A change of a merge request, which is answered whole. */
const changing = (name: string, declared: string, passed: string) =>
  whole(`mutation change($project: ID!, $iid: String!, ${declared}) {
    ${name}(input: { projectPath: $project, iid: $iid, ${passed} }) { mergeRequest { ...review } errors }
  }`);

/** The documents, by what they do. */
export const reviewDocuments = {
  project: whole('query project($project: ID!) { project(fullPath: $project) { ...repository } }'),
  details: whole(
    'query details($project: ID!, $iid: String!) { project(fullPath: $project) { mergeRequest(iid: $iid) { ...review } } }',
  ),
  commits: whole(`query commits($project: ID!, $iid: String!, $size: Int = 100, $cursor: String) {
    project(fullPath: $project) {
      mergeRequest(iid: $iid) { commits(first: $size, after: $cursor) { pageInfo { ...cursors } nodes { ...commit } } }
    }
  }`),
  ofBranches: whole(`query ofBranches(
    $project: ID!, $sources: [String!], $targets: [String!], $state: MergeRequestState, $size: Int = 100, $cursor: String
  ) {
    project(fullPath: $project) {
      mergeRequests(sourceBranches: $sources, targetBranches: $targets, state: $state, after: $cursor, first: $size) {
        nodes { iid title targetBranch sourceBranch targetProject { ...repository } sourceProject { ...repository } }
        pageInfo { ...cursors }
      }
    }
  }`),
  counts: `query counts($project: ID!, $username: String!) {
    project(fullPath: $project) {
      all: mergeRequests(state: all) { count }
      open: mergeRequests(state: opened) { count }
      assigned: mergeRequests(state: opened, assigneeUsername: $username) { count }
      authored: mergeRequests(state: opened, authorUsername: $username) { count }
      reviewed: mergeRequests(state: opened, reviewerUsername: $username) { count }
    }
  }`,
  labels: whole(`query labels($project: ID!, $size: Int = 100, $cursor: String) {
    project(fullPath: $project) {
      labels(first: $size, after: $cursor) { nodes { ...coloured } pageInfo { ...cursors } }
    }
  }`),
  setDraft: changing('mergeRequestSetDraft', '$draft: Boolean!', 'draft: $draft'),
  setReviewers: changing('mergeRequestSetReviewers', '$usernames: [String!]!', 'reviewerUsernames: $usernames'),
  askAgain: changing('mergeRequestReviewerRereview', '$user: UserID!', 'userId: $user'),
  update: changing('mergeRequestUpdate', '$state: MergeRequestNewState', 'state: $state'),
  accept: changing(
    'mergeRequestAccept',
    '$message: String, $squashMessage: String, $sha: String!, $squash: Boolean, $remove: Boolean',
    'commitMessage: $message, squashCommitMessage: $squashMessage, sha: $sha, squash: $squash, shouldRemoveSourceBranch: $remove',
  ),
  commentOn: whole(`mutation commentOn($on: NoteableID!, $body: String!) {
    createNote(input: { noteableId: $on, body: $body }) { note { discussion { ...thread } } errors }
  }`),
  commentInDiff: whole(`mutation commentInDiff($on: NoteableID!, $body: String!, $position: DiffPositionInput!) {
    createDiffNote(input: { noteableId: $on, position: $position, body: $body }) {
      note { discussion { ...thread } }
      errors
    }
  }`),
  reply: whole(`mutation reply($on: NoteableID!, $body: String!, $thread: DiscussionID!) {
    createNote(input: { noteableId: $on, body: $body, discussionId: $thread }) { note { ...comment } errors }
  }`),
  change:
    'mutation change($note: NoteID!, $body: String!) { updateNote(input: { id: $note, body: $body }) { errors } }',
  remove: 'mutation remove($note: NoteID!) { destroyNote(input: { id: $note }) { errors } }',
  resolve: whole(`mutation resolve($thread: DiscussionID!, $resolved: Boolean!) {
    discussionToggleResolve(input: { id: $thread, resolve: $resolved }) { discussion { ...thread } }
  }`),
  award: whole(`mutation award($note: AwardableID!, $name: String!) {
    awardEmojiToggle(input: { awardableId: $note, name: $name }) {
      awardEmoji { name emoji user { ...person } }
      toggledOn
      errors
    }
  }`),
  snippet: whole(`mutation snippet(
    $title: String!, $description: String, $level: VisibilityLevelsEnum!, $project: ID, $files: [SnippetBlobActionInputType!]!
  ) {
    createSnippet(
      input: { title: $title, description: $description, visibilityLevel: $level, projectPath: $project, blobActions: $files }
    ) {
      snippet { id createdAt author { ...person } webUrl }
      errors
    }
  }`),
} as const;

const onePage = expect.objectContaining({ hasNextPage: false, hasPreviousPage: false });
const sha = expect.stringMatching(/^[0-9a-f]{40}$/);
const client = 'JetBrains IDEs';
const inShop = { project: 'demo/storefront', iid: '1' };

const person = (username: string, name: string) => ({
  id: id('User'),
  username,
  name,
  avatarUrl: null,
  webUrl: page(username),
});
const mary = person('maintainer', 'Mary Maintainer');
const dev = person('developer', 'Dev Developer');

const shop = (createSnippet: boolean) => ({
  id: id('Project'),
  name: 'Storefront',
  nameWithNamespace: 'Demo / Storefront',
  path: 'storefront',
  fullPath: 'demo/storefront',
  httpUrlToRepo: expect.stringMatching(/^http.*\/demo\/storefront\.git$/),
  sshUrlToRepo: null,
  squashReadOnly: false,
  removeSourceBranchAfterMerge: true,
  onlyAllowMergeIfAllDiscussionsAreResolved: false,
  onlyAllowMergeIfPipelineSucceeds: false,
  allowMergeOnSkippedPipeline: null,
  mergeRequestsFfOnlyEnabled: false,
  allowsMultipleMergeRequestAssignees: false,
  allowsMultipleMergeRequestReviewers: false,
  userPermissions: { createSnippet },
  repository: { rootRef: 'main' },
});

const speed = { title: 'speed', description: null, color: expect.stringMatching(/^#[0-9a-f]{6}$/i) };
const commit = {
  sha,
  shortId: expect.stringMatching(/^[0-9a-f]{8}$/),
  fullTitle: 'Sum up once',
  description: 'Not for each item.',
  author: mary,
  authorName: 'Mary Maintainer',
  authoredDate: moment,
};

/** The merge request, as a member sees it or another person. */
const review = (member: boolean, createNote = true) => ({
  id: id('MergeRequest'),
  iid: '1',
  title: 'Speed up the cart',
  description: 'It **waits**.',
  webUrl: page('demo/storefront/-/merge_requests/1'),
  createdAt: moment,
  targetBranch: 'main',
  sourceBranch: 'speed',
  labels: { pageInfo: onePage, nodes: [speed] },
  diffRefs: { baseSha: sha, startSha: sha, headSha: sha },
  conflicts: false,
  headPipeline: null,
  mergeStatusEnum: 'CAN_BE_MERGED',
  mergeable: true,
  state: 'opened',
  draft: false,
  squash: false,
  squashOnMerge: false,
  squashReadOnly: false,
  defaultSquashCommitMessage: member ? 'Speed up the cart' : null,
  defaultMergeCommitMessage: member
    ? "Merge branch 'speed' into 'main'\n\nSpeed up the cart\n\nSee merge request demo/storefront!1"
    : null,
  shouldRemoveSourceBranch: null,
  forceRemoveSourceBranch: null,
  shouldBeRebased: false,
  rebaseInProgress: false,
  targetProject: shop(member),
  sourceProject: shop(member),
  author: mary,
  approvedBy: { pageInfo: onePage, nodes: [] },
  assignees: { pageInfo: onePage, nodes: [] },
  reviewers: { pageInfo: onePage, nodes: [{ ...dev, mergeRequestInteraction: { approved: false, reviewed: false } }] },
  commits: { pageInfo: onePage, nodes: [commit] },
  userPermissions: { canApprove: member, canMerge: member, createNote, updateMergeRequest: member },
});

/** What it gets who may not. */
const none = (name: string): Pick<ClientDocument, 'anonymous' | 'stranger'> => ({
  anonymous: new Refusal(expect.any(String), { [name]: null }),
  stranger: refused({ [name]: null }),
});
/** The same for everybody: what is public. */
const toAll = (expected: Expected) => ({ signedIn: expected, anonymous: expected, stranger: expected });

const changed = (name: string, parts: object) => ({
  [name]: { mergeRequest: expect.objectContaining({ id: id('MergeRequest'), ...parts }), errors: [] },
});
const empty = expect.objectContaining({ nodes: [] });

export const reviewing: readonly ClientDocument[] = [
  {
    client,
    what: 'a project, with what it says about merging',
    query: reviewDocuments.project,
    variables: { project: 'demo/storefront' },
    signedIn: { project: shop(true) },
    anonymous: { project: shop(false) },
    stranger: { project: shop(false) },
  },
  {
    client,
    what: 'a merge request with all that is shown beside it',
    query: reviewDocuments.details,
    variables: inShop,
    signedIn: { project: { mergeRequest: review(true) } },
    anonymous: { project: { mergeRequest: review(false, false) } },
    stranger: { project: { mergeRequest: review(false) } },
  },
  {
    client,
    what: 'the commits of a merge request',
    query: reviewDocuments.commits,
    variables: inShop,
    ...toAll({
      project: {
        mergeRequest: { commits: { pageInfo: expect.objectContaining({ hasNextPage: false }), nodes: [commit] } },
      },
    }),
  },
  {
    client,
    what: 'the merge requests of the branch that one works on',
    query: reviewDocuments.ofBranches,
    variables: { project: 'demo/storefront', sources: ['speed'], targets: null, state: 'opened' },
    ...toAll({
      project: {
        mergeRequests: {
          nodes: [
            expect.objectContaining({
              iid: '1',
              title: 'Speed up the cart',
              sourceBranch: 'speed',
              targetBranch: 'main',
            }),
          ],
          pageInfo: expect.objectContaining({ hasNextPage: false }),
        },
      },
    }),
  },
  {
    client,
    what: 'how many merge requests there are, and how many of one’s own',
    query: reviewDocuments.counts,
    variables: { project: 'demo/storefront', username: 'developer' },
    ...toAll({
      project: {
        all: { count: 1 },
        open: { count: 1 },
        assigned: { count: 0 },
        authored: { count: 0 },
        reviewed: { count: 1 },
      },
    }),
  },
  {
    client,
    what: 'the labels to filter by',
    query: reviewDocuments.labels,
    variables: { project: 'demo/storefront' },
    ...toAll({
      project: { labels: { nodes: [speed], pageInfo: expect.objectContaining({ hasNextPage: false }) } },
    }),
  },
  {
    client,
    what: 'the projects in which one may create a snippet',
    query: whole(`query places($size: Int = 100, $cursor: String) {
      projects(membership: true, first: $size, after: $cursor) {
        pageInfo { ...cursors }
        nodes { name fullPath userPermissions { createSnippet } }
      }
    }`),
    signedIn: {
      projects: {
        pageInfo: expect.objectContaining({ hasNextPage: false }),
        nodes: [
          { name: 'API', fullPath: 'demo/platform/api', userPermissions: { createSnippet: true } },
          { name: 'Storefront', fullPath: 'demo/storefront', userPermissions: { createSnippet: true } },
        ],
      },
    },
    anonymous: { projects: empty },
    stranger: { projects: empty },
  },
  {
    client,
    what: 'the namespaces in which one may create a project',
    query: whole(`query namespaces($size: Int! = 100, $cursor: String = null) {
      currentUser { namespace { id fullName fullPath } }
      groups(allAvailable: false, first: $size, after: $cursor) {
        pageInfo { ...cursors }
        nodes { id fullName fullPath userPermissions { createProjects } }
      }
    }`),
    signedIn: {
      currentUser: {
        namespace: { id: id('Namespaces::UserNamespace'), fullName: 'Mary Maintainer', fullPath: 'maintainer' },
      },
      groups: {
        pageInfo: expect.objectContaining({ hasNextPage: false }),
        nodes: [
          { id: id('Group'), fullName: 'Demo', fullPath: 'demo', userPermissions: { createProjects: true } },
          {
            id: id('Group'),
            fullName: 'Demo / Platform',
            fullPath: 'demo/platform',
            userPermissions: { createProjects: true },
          },
        ],
      },
    },
    anonymous: { currentUser: null, groups: empty },
    stranger: {
      currentUser: { namespace: expect.objectContaining({ fullPath: 'stranger' }) },
      groups: empty,
    },
  },
  {
    client,
    what: 'a snippet in a project, of the lines that one marked',
    query: reviewDocuments.snippet,
    variables: {
      title: 'cart.js',
      description: '',
      level: 'private',
      project: 'demo/storefront',
      files: [{ action: 'create', content: 'sum()\n', filePath: 'src/cart.js', previousPath: null }],
    },
    signedIn: {
      createSnippet: {
        snippet: {
          id: id('ProjectSnippet'),
          createdAt: moment,
          author: mary,
          webUrl: page('demo/storefront/-/snippets/\\d+'),
        },
        errors: [],
      },
    },
    ...none('createSnippet'),
  },
  {
    client,
    what: 'a merge request that becomes a draft',
    query: reviewDocuments.setDraft,
    variables: { ...inShop, draft: true },
    signedIn: changed('mergeRequestSetDraft', { draft: true, title: 'Draft: Speed up the cart' }),
    ...none('mergeRequestSetDraft'),
  },
  {
    client,
    what: 'who reviews a merge request',
    query: reviewDocuments.setReviewers,
    variables: { ...inShop, usernames: ['maintainer'] },
    signedIn: changed('mergeRequestSetReviewers', {
      reviewers: {
        pageInfo: onePage,
        nodes: [{ ...mary, mergeRequestInteraction: { approved: false, reviewed: false } }],
      },
    }),
    ...none('mergeRequestSetReviewers'),
  },
  {
    client,
    what: 'a merge request that is closed',
    query: reviewDocuments.update,
    variables: { ...inShop, state: 'CLOSED' },
    signedIn: changed('mergeRequestUpdate', { state: 'closed' }),
    ...none('mergeRequestUpdate'),
  },
  {
    client,
    what: 'a merge request that is opened again',
    query: reviewDocuments.update,
    variables: { ...inShop, state: 'OPEN' },
    signedIn: changed('mergeRequestUpdate', { state: 'opened' }),
    ...none('mergeRequestUpdate'),
  },
];
