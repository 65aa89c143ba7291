import type { Parameter } from '../../engine/parameters.ts';
import type { Guard } from '../../engine/route.ts';

/** What all routes that write to a repository have in common. */

/** Who wrote it, if that isn’t the caller. */
export const authorParameters: readonly Parameter[] = [
  { name: 'author_email', type: 'string', description: 'Address of the author; yours if omitted.' },
  { name: 'author_name', type: 'string', description: 'Name of the author; yours if omitted.' },
];

/** Whether the caller may write at all: refused before a wrong parameter is. */
export const writersOnly: Guard = {
  operation: 'query ($project: ID!) { repositoryForWriting(project: $project) { projectDatabaseId } }',
  variables: ({ id }) => ({ project: id }),
  before: 'every problem',
};
