import type { ApplicationRecord } from '../../../oauth/statements/applications.ts';
import { authorizers, type Client } from '../../../oauth/index.ts';
import { isAdministrator, type Viewer } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';

/** Whether the viewer manages an application. */
export const managesApplication = (viewer: Viewer, { ownerId }: Pick<Client, 'ownerId'>): boolean =>
  isAdministrator(viewer) || (ownerId !== null && ownerId === viewer.person?.id);

/** How many people authorize an application. Those of a page are counted with one statement. */
const authorizersOf = batched<number>(({ database }, ids) => authorizers({ sql: database }, ids));

export const ApplicationType = builder.objectRef<ApplicationRecord>('Application').implement({
  description: 'A registered OAuth application. Its secret is shown only once, on creation.',
  fields: (t) => ({
    name: t.exposeString('name'),
    owner: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who registered it; null for one that belongs to the instance.',
      resolve: ({ ownerId }, _args, context) => userById(context, ownerId),
    }),
    clientId: t.string({ description: 'The `client_id`.', resolve: ({ uid }) => uid }),
    confidential: t.exposeBoolean('confidential', {
      description: 'Whether it is a confidential client, which can keep a secret (RFC 6749 §2.1).',
    }),
    redirectUris: t.stringList({ resolve: ({ redirectUris }) => [...redirectUris] }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    grants: t.stringList({
      description: 'The values of `grant_type` that it may use.',
      resolve: ({ grants }) => [...grants],
    }),
    createdAt: t.field({ type: 'Time', resolve: ({ createdAt }) => createdAt }),
    authorizers: t.int({
      nullable: true,
      description: 'How many people authorize it at present. For its owner and for administrators; null for others.',
      resolve: async (client, _args, context) =>
        managesApplication(context.viewer, client) ? ((await authorizersOf(context, client.id)) ?? 0) : null,
    }),
  }),
});

identify(ApplicationType, 'Application');
