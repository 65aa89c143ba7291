import { auditKinds, isAuditKind } from '../../../values/kinds/audit-kinds.ts';

/** An audit event of a person, as they read it themselves. */
export interface PersonalEvent {
  readonly kind: string;
  /** Who did it; null when unknown. */
  readonly actorId: number | null;
  readonly userId: number | null;
  readonly applicationName: string | null;
  readonly detail: string | null;
}

/** The sentence of an event, with placeholders in braces. An unknown kind shows its name. */
export function sentenceOf({ kind, actorId, userId }: PersonalEvent): string {
  const known = isAuditKind(kind) ? auditKinds[kind] : `${kind.replaceAll('_', ' ')}.`;
  if (typeof known === 'string') return known;
  return actorId === userId ? known[0] : known[1];
}

/** The text for a placeholder of a sentence. */
export function namedIn({ applicationName, detail }: PersonalEvent, placeholder: string): string {
  return (placeholder === '{application}' ? applicationName : detail) ?? 'one that was deleted';
}
