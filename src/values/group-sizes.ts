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
