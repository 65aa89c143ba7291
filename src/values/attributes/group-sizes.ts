/** The sizes of what a group stores, by their names in the schema, in version 4's order. */
export const groupSizes = [
  'storageSize',
  'repositorySize',
  'wikiSize',
  'lfsObjectsSize',
  'jobArtifactsSize',
  'pipelineArtifactsSize',
  'packagesSize',
  'snippetsSize',
  'uploadsSize',
] as const;

/** The sizes of a group at the root, in GitLab's order, by the names that they have there. */
export const rootSizes = [
  'buildArtifactsSize',
  'containerRegistrySize',
  'dependencyProxySize',
  'lfsObjectsSize',
  'packagesSize',
  'pipelineArtifactsSize',
  'repositorySize',
  'snippetsSize',
  'storageSize',
  'uploadsSize',
  'wikiSize',
] as const;
