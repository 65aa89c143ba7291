import type { DatabaseProbe } from './database/probe.ts';
import { asksForModule, gitPaths } from './git-http/index.ts';
import type { Door, Exchange, Readiness } from './http/index.ts';
import { pathsOfOldRunners } from './rest/index.ts';
import { jobArtifactsPath, jobTracePath } from './runner-api/index.ts';
import { mostSnippetBytes } from './values/text/lengths.ts';

/** Which door a request leads to, and whether the doors are open. */

type DoorName = 'rest' | 'git' | 'module' | 'trace' | 'artifacts' | 'graphql' | 'web';

export function pickDoor(exchange: Exchange, doors: Readonly<Record<DoorName, Door>>): Door {
  const { path } = exchange;
  if (graphqlPaths.has(path)) return doors.graphql;
  if (path.startsWith('/api/v4/jobs/')) {
    if (jobTracePath.test(path)) return doors.trace;
    if (jobArtifactsPath.test(path)) return doors.artifacts;
  }
  if (restPaths.test(path) || pathsOfOldRunners.test(path)) return doors.rest;
  if (gitPaths.test(path)) return doors.git;
  return asksForModule(exchange) ? doors.module : doors.web;
}

/**
 * The paths of the GraphQL endpoint: clients use different ones. glab's ends in a slash; people open the last one
 * for GraphiQL.
 */
const graphqlPaths = new Set(['/graphql', '/graphql/', '/api/graphql', '/api/graphql/', '/-/graphql-explorer']);

/** The API, and OAuth endpoints that aren't pages. */
const restPaths = /^\/api(\/|$)|^\/oauth\/(token|revoke|introspect|authorize_device)(\/|$)|^\/\.well-known\//;

/** The forms of snippets. */
const snippetForms = /\/-\/snippets\/(?:new|\d+\/edit)\/?$/;

/**
 * The longest body of a page. A form may write a byte as three, and a line break as six: that of a snippet has room for
 * as much text as a snippet may have, and for more. Those who typed too much get the form again, with their text.
 */
export const longestForm = (path: string): number | undefined =>
  snippetForms.test(path) ? 8 * mostSnippetBytes : undefined;

/** Readiness: the problems that keep this process from serving, for the operator. */
export async function readiness(
  probe: DatabaseProbe,
  { isSetUp, stopping }: { isSetUp: boolean; stopping: boolean },
): Promise<Readiness> {
  const { database, migrated } = await probe.look();
  return {
    db: {
      ok: null,
      unreachable: 'The database doesn’t answer.',
      'read only': 'The database takes no changes.',
      moved: 'Another server has just become the primary.',
    }[database],
    ...(migrated !== undefined && { migrations: migrated ? null : 'The database lacks migrations of this version.' }),
    // Before the set-up, the first accounts and tokens may be missing.
    ...(!isSetUp && { set_up: 'The first set-up isn’t done.' }),
    draining: stopping ? 'The gateway is stopping.' : null,
  };
}
