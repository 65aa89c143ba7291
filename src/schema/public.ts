import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import type { GraphQLSchema } from 'graphql';
import type { Admission } from '../policy/index.ts';
import { schema } from './index.ts';

/**
 * What `/graphql` serves: the root fields that a token may reach, and the types
 * they lead to. Fields that grant power aren't refused there, they don't exist.
 */
export const publicSchema: GraphQLSchema = pruneSchema(
  filterSchema({
    schema,
    rootFieldFilter: (_operation, _name, field) =>
      (field?.extensions?.admission as Admission | undefined)?.class === 'token',
  }),
);
