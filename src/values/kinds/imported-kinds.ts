/**
 * The kinds of records that an import takes from another instance, in the order of their import: what a record refers to
 * comes before it. Each is one mutation of the schema, `import` and its name here.
 */
export const importedKinds = {
  people: 'people',
  sshKeys: 'SSH keys',
  groups: 'groups',
  projects: 'projects',
  members: 'lists of members',
  accessRequests: 'lists of requests for access',
  shares: 'lists of shares with groups',
  stars: 'stars',
  labels: 'labels',
  milestones: 'milestones',
  issues: 'issues',
  threads: 'conversations of issues',
  issueLinks: 'links between issues',
  snippets: 'snippets',
  notificationSettings: 'notification settings',
  errorTracking: 'error tracking settings',
  protectedBranches: 'rules of protected branches',
  protectedTags: 'rules of protected tags',
  repositories: 'repositories',
  mergeRequests: 'merge requests',
  reviewThreads: 'conversations of merge requests',
  subscriptions: 'subscriptions',
  triggers: 'triggers of pipelines',
  variables: 'variables of pipelines',
} as const;

export type ImportedKind = keyof typeof importedKinds;
