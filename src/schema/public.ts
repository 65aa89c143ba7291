import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import { getNamedType, type GraphQLSchema } from 'graphql';
import type { Admission } from '../policy/index.ts';
import { schema } from './index.ts';

/**
 * The schema of `/graphql`: the root fields that a token may reach, and the types they lead to. It omits fields
 * that need a session, instead of refusing them.
 */
export const publicSchema: GraphQLSchema = pruneSchema(
  filterSchema({
    schema,
    rootFieldFilter: (_operation, _name, field) =>
      (field?.extensions?.admission as Admission | undefined)?.class === 'token',
    objectFieldFilter: (_type, _name, field) => getNamedType(field!.type).name !== 'Bytes',
  }),
);
