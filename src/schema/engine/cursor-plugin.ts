import SchemaBuilder, {
  BasePlugin,
  PothosValidationError,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { Prisma } from '../../database/client/client.ts';
import { BadRequest } from '../../errors.ts';

/**
 * Makes a connection refuse invalid pages: a cursor that no page returned, or a negative number of records.
 * Without it, the errors of the libraries that implement connections would be reported as internal errors.
 */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      cursors: CursorPlugin<Types>;
    }
  }
}

interface PageArguments {
  readonly after?: string | null;
  readonly before?: string | null;
}

class CursorPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (!('after' in field.args && 'before' in field.args)) return resolve;
    return async (parent, args: PageArguments, context, info) => {
      try {
        return await resolve(parent, args, context, info);
      } catch (error) {
        if (error instanceof PothosValidationError && !args.after && !args.before)
          throw new BadRequest(`${error.message}.`);
        if ((args.after || args.before) && isOfCursor(error))
          throw new BadRequest('A cursor is one that a page gave you.');
        throw error;
      }
    };
  }
}

/** Prisma errors for a cursor value that its column can't hold: P2007, P2020, P2033. */
const isOfCursor = (error: unknown): boolean =>
  error instanceof PothosValidationError ||
  error instanceof Prisma.PrismaClientValidationError ||
  (error instanceof Prisma.PrismaClientKnownRequestError && ['P2007', 'P2020', 'P2033'].includes(error.code));

SchemaBuilder.registerPlugin('cursors', CursorPlugin);
