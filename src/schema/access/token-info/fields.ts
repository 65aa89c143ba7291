import { InvalidToken } from '../../../errors.ts';
import type { TokenApplication } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

interface Info {
  readonly resourceOwnerId: number | null;
  readonly scope: string[];
  readonly expiresIn: number | null;
  readonly application: TokenApplication | null;
  readonly createdAt: Date;
}

const ApplicationType = builder.objectRef<TokenApplication>('TokenInfoApplication').implement({
  description: 'The application of an access token.',
  fields: (t) => ({
    uid: t.exposeString('uid', {
      description: 'Its `client_id`. Compare it before you trust a token that you received from elsewhere.',
    }),
  }),
});

const TokenInfo = builder.objectRef<Info>('TokenInfo').implement({
  description: 'Information about an OAuth access token.',
  fields: (t) => ({
    resourceOwnerId: t.exposeInt('resourceOwnerId', {
      nullable: true,
      description: 'The number of the user it belongs to; null for a token that an application got for itself.',
    }),
    scope: t.exposeStringList('scope', { description: 'What it may be used for.' }),
    expiresIn: t.exposeInt('expiresIn', {
      nullable: true,
      description: 'Seconds until it expires; null for a token that never expires.',
    }),
    application: t.expose('application', {
      type: ApplicationType,
      nullable: true,
      description: 'The application that it was issued to.',
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    scopes: t.exposeStringList('scope', { deprecationReason: 'Use `scope`.' }),
    expiresInSeconds: t.exposeInt('expiresIn', { nullable: true, deprecationReason: 'Use `expiresIn`.' }),
    applicationUid: t.string({
      nullable: true,
      deprecationReason: 'Use `application { uid }`.',
      direct: true,
      resolve: ({ application }) => application?.uid ?? null,
    }),
  }),
});

builder.queryField('tokenInfo', (t) =>
  t.field({
    type: TokenInfo,
    nullable: true,
    description: 'The OAuth access token that this request carries. It needs no scope.',
    admission: { class: 'token', scopes: 'any', application: true },
    resolve: (_root, _args, { viewer: { credential, person } }) => {
      if (credential?.kind !== 'oauth') throw new InvalidToken('unusable');
      const { scopes, expiresAt, application, createdAt } = credential;
      return {
        resourceOwnerId: person?.id ?? null,
        scope: [...scopes],
        expiresIn: expiresAt && Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)),
        application,
        createdAt,
      };
    },
  }),
);
