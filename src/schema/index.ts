import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import type { GraphQLSchema } from 'graphql';
import type { Admission } from '../policy/index.ts';
import { builder } from './builder.ts';
import './audit/fields.ts';
import './emails/confirm.ts';
import './emails/own.ts';
import './error-tracking-settings/fields.ts';
import './groups/create.ts';
import './groups/delete.ts';
import './groups/fields.ts';
import './groups/list.ts';
import './groups/namespaces.ts';
import './groups/update.ts';
import './instance/fields.ts';
import './instance/settings.ts';
import './members/add.ts';
import './members/queries.ts';
import './members/remove.ts';
import './members/update.ts';
import './metadata/fields.ts';
import './notification-settings/mutations.ts';
import './notification-settings/read.ts';
import './oauth/applications.ts';
import './oauth/authorization.ts';
import './oauth/authorizations.ts';
import './oauth/devices.ts';
import './oauth/instance-applications.ts';
import './oauth/server-metadata.ts';
import './oauth/tokens.ts';
import './passwords/change.ts';
import './passwords/forgotten.ts';
import './personal-access-tokens/create.ts';
import './personal-access-tokens/list.ts';
import './personal-access-tokens/read.ts';
import './personal-access-tokens/revoke.ts';
import './personal-access-tokens/rotate.ts';
import './personal-data/delete.ts';
import './personal-data/export.ts';
import './places/queries.ts';
import './projects/create.ts';
import './projects/delete.ts';
import './projects/fields.ts';
import './projects/fork.ts';
import './projects/list.ts';
import './projects/star.ts';
import './projects/update.ts';
import './second-factor/disable.ts';
import './second-factor/own.ts';
import './second-factor/sign-in.ts';
import './sessions/fields.ts';
import './sign-up/offered.ts';
import './sign-up/sign-up.ts';
import './sessions/list.ts';
import './templates/fields.ts';
import './token-info/fields.ts';
import './users/block.ts';
import './users/create.ts';
import './users/delete.ts';
import './users/emails.ts';
import './users/further-emails.ts';
import './users/list.ts';
import './users/own.ts';
import './users/password.ts';
import './users/profile.ts';
import './users/queries.ts';
import './users/update.ts';

/** The whole schema: what pages, /oauth and the command line execute. */
export const schema: GraphQLSchema = builder.toSchema();

/**
 * What `/graphql` serves: the root fields that a token may reach, and the types
 * they lead to. Fields that grant power aren't refused there, they don't exist.
 */
export const publicSchema: GraphQLSchema = pruneSchema(
  filterSchema({
    schema,
    rootFieldFilter: (_operation, _name, field) => (field?.extensions?.admission as Admission | undefined)?.class === 'token',
  }),
);
