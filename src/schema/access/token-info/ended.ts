import type { Context } from '../../../context.ts';

/** Tells a person's subscribers that whatever they allowed applications has ended at once. */
export function publishEndOfAuthorizations({ changes }: Context, personId: number): void {
  changes.publish({ personId, subject: 'AUTHORIZATION', id: null, act: 'REVOKED' });
}
