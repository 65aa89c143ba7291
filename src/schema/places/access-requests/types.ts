import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import type { FieldsOf } from '../../engine/mutation.ts';
import type { AccessRequestRow } from './statements.ts';

export const AccessRequest = builder.objectRef<AccessRequestRow>('AccessRequest').implement({
  description: 'That a person asks for a role in a group or a project.',
  fields: (t) => ({
    id: t.id({
      description: 'The global id, for example `gid://gitlab/AccessRequest/7`.',
      direct: true,
      resolve: ({ requestId }) => globalId('AccessRequest', requestId),
    }),
    databaseId: t.exposeInt('requestId', { description: 'The number in the global id.' }),
    // Read together with the request.
    user: t.field({ type: UserCore, description: 'The person who asks.', resolve: (request) => request }),
    requestedAt: t.expose('requestedAt', { type: 'Time' }),
  }),
});

/** The payload of a mutation of a request: the request after it; if it ended, as it was. */
export const accessRequestPayload = (t: FieldsOf<{ accessRequest: AccessRequestRow }>) => ({
  accessRequest: t.field({ type: AccessRequest, resolve: ({ accessRequest }) => accessRequest }),
});
