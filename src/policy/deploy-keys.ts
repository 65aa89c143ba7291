import { roles } from './roles.ts';
import type { Viewer } from './viewer.ts';

/**
 * What a deploy key may do in a project: as a reporter, or where it pushes, as a developer, but never on branches that
 * something protects (`reaches`). Null for every other credential, and every other project.
 */
export function accessByKey({ credential }: Viewer, projectId: number): number | null {
  if (credential?.kind !== 'deploy_key') return null;
  if (credential.writes.includes(projectId)) return roles.developer;
  return credential.reads.includes(projectId) ? roles.reporter : null;
}
