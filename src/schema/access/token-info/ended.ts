import type { Context } from '../../../context.ts';

/** Publishes to a person's subscribers that all their authorizations of applications were revoked at once. */
export function publishEndOfAuthorizations({ changes }: Context, personId: number): void {
  changes.publish({ personId, subject: 'AUTHORIZATION', id: null, act: 'REVOKED' });
}
