import type { Client } from '../../oauth/index.ts';
import { builder } from '../builder.ts';

export const ApplicationType = builder.objectRef<Client>('Application').implement({
  description: 'A registered OAuth application. Its secret is shown once, when it is made.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    clientId: t.string({ description: 'The `client_id`.', resolve: ({ uid }) => uid }),
    confidential: t.exposeBoolean('confidential', { description: 'Whether it can keep a secret.' }),
    redirectUris: t.stringList({ resolve: ({ redirectUris }) => [...redirectUris] }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    grants: t.stringList({ description: 'By the names that `grant_type` has.', resolve: ({ grants }) => [...grants] }),
    createdAt: t.field({ type: 'DateTime', resolve: ({ createdAt }) => createdAt }),
  }),
});
