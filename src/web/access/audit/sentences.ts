import { auditKinds, isAuditKind } from '../../../values/audit-kinds.ts';

/** An event of the audit, as a person reads it of themselves. */
export interface Happened {
  readonly kind: string;
  /** Who did it; null where nobody is known to. */
  readonly actorId: string | null;
  readonly userId: string | null;
  readonly applicationName: string | null;
  readonly detail: string | null;
}

/** The sentence of an event, in which names stand in braces. A kind without one says its name. */
export function sentenceOf({ kind, actorId, userId }: Happened): string {
  const known = isAuditKind(kind) ? auditKinds[kind] : `${kind.replaceAll('_', ' ')}.`;
  if (typeof known === 'string') return known;
  return actorId === userId ? known[0] : known[1];
}

/** What a pair of braces in a sentence stands for. */
export function namedIn({ applicationName, detail }: Happened, braces: string): string {
  return (braces === '{application}' ? applicationName : detail) ?? 'one that is gone';
}
