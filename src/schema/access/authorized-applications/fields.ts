import { revokeAuthorizationOf, authorizedApplications, type Client } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { partArguments, partOf } from '../../engine/part.ts';
import { ApplicationType } from '../applications/type.ts';
import { engineOf, signedIn } from '../oauth/engine.ts';

interface Authorized {
  readonly client: Client;
  readonly scopes: string[];
  readonly authorizedAt: Date;
  readonly issuedAt: Date;
}

const AuthorizedApplication = builder.objectRef<Authorized>('AuthorizedApplication').implement({
  description: 'An application that you authorized.',
  fields: (t) => ({
    application: t.field({ type: ApplicationType, resolve: ({ client }) => client }),
    scopes: t.exposeStringList('scopes'),
    authorizedAt: t.field({ type: 'Time', resolve: ({ authorizedAt }) => authorizedAt }),
    issuedAt: t.field({
      type: 'Time',
      description: 'When a token was last issued to it.',
      resolve: ({ issuedAt }) => issuedAt,
    }),
  }),
});

builder.queryField('authorizedApplications', (t) =>
  t.field({
    type: [AuthorizedApplication],
    nullable: true,
    description: 'The applications that you authorized, the latest first.',
    admission: { class: 'session' },
    args: { ...partArguments, application: t.arg.id({ description: 'Only this one, if you authorized it.' }) },
    resolve: (_root, { application, ...asked }, context) =>
      authorizedApplications(engineOf(context), signedIn(context).id, {
        ...partOf(asked),
        application: application == null ? null : idOf(application, 'Application'),
      }),
  }),
);

builder.mutationField('revokeAuthorization', (t) =>
  t.boolean({
    nullable: true,
    description: 'Revokes your authorization of an application, with every token and code that it has for you.',
    admission: { class: 'session' },
    args: { applicationId: t.arg.id({ required: true }) },
    resolve: async (_root, { applicationId }, context) => {
      await revokeAuthorizationOf(engineOf(context), signedIn(context).id, idOf(applicationId, 'Application'));
      return true;
    },
  }),
);
