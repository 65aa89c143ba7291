import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { seeOther, seeOtherSaying } from '../../site/visit.ts';
import { accessRequestPath, placePath } from '../place/place.ts';
import type { PlaceRoute } from '../place/route.ts';

/** The form by which people ask for a role in a group or a project, and withdraw what they asked. */
export function accessRequestForm(schema: GraphQLSchema): PlaceRoute {
  const request = compileOperation<object>(
    schema,
    'mutation ($input: RequestAccessInput!) { requestAccess(input: $input) { clientMutationId } }',
  );
  const withdraw = compileOperation<object>(
    schema,
    'mutation ($input: DenyAccessRequestInput!) { denyAccessRequest(input: $input) { clientMutationId } }',
  );
  return {
    path: accessRequestPath,
    name: 'request access',
    forPeople: true,
    leadsTo: (_visit, { kind, fullPath }) => placePath(kind, fullPath),
    async post(visit, { kind, fullPath }, form) {
      const { context } = visit;
      const page = placePath(kind, fullPath);
      const place = { [kind]: fullPath };
      const withdraws = form.withdraw !== undefined;
      try {
        if (withdraws)
          await withdraw.execute(context, { input: { ...place, userId: String(context.viewer.person!.id) } });
        else await request.execute(context, { input: place });
      } catch (thrown) {
        const problem = domainError(thrown);
        // It was pressed twice, or another person decided meanwhile: the page shows how it is.
        if (problem instanceof InvalidFields || problem instanceof NotFound) return seeOther(page);
        throw thrown;
      }
      return seeOtherSaying(withdraws ? 'access_request_withdrawn' : 'access_requested', page, visit);
    },
  };
}
