import type { Prisma } from '../../../../database/client/whole/client.ts';
import { ofAccess } from './access.ts';
import { ofAccount } from './account.ts';
import { ofPipelines } from './pipelines.ts';
import { ofPlanning } from './planning.ts';

export { withheld } from './withheld.ts';

/**
 * What is stored about a person, table by table. Places are exported by id: the person may no longer be allowed to
 * see their names.
 */
export const stored = { ...ofAccount, ...ofAccess, ...ofPlanning, ...ofPipelines } as const satisfies Prisma.UserSelect;

/** Audit events by the person and about them; other people appear only by id. */
export const storedEvents = {
  id: true,
  at: true,
  kind: true,
  applicationId: true,
  actorId: true,
  userId: true,
  scopes: true,
  address: true,
  requestId: true,
  detail: true,
  count: true,
} as const satisfies Prisma.AuditEventSelect;

/** What the person did in groups and projects: ids only. */
export const storedActivity = {
  id: true,
  at: true,
  kind: true,
  actorId: true,
  groupId: true,
  projectId: true,
  subjectKind: true,
  subjectId: true,
  ids: true,
  imported: true,
} as const satisfies Prisma.EventSelect;
