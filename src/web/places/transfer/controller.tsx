import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { placeFinder } from '../place/find.ts';
import { placePath } from '../place/place.ts';
import type { PlaceHead, PlaceRoute } from '../place/route.ts';
import { topLevel, Transfer, type Location, type Transferred } from './view.tsx';

/** How many groups the form offers; a search finds others. */
const maxLocations = 50;

/** The pages on which owners transfer groups and projects. */
export function transferPage(schema: GraphQLSchema): PlaceRoute {
  const shown = 'name fullPath';
  const found = placeFinder<Transferred>(schema, { group: shown, project: shown }, ({ permissions }, kind) =>
    permissions.owns ? undefined : `Only owners transfer the ${kind}.`,
  );
  const list = compileOperation<{ locations: { nodes: Location[]; pageInfo: { hasNextPage: boolean } } }>(
    schema,
    `query ($project: ID, $group: ID, $search: String) {
      locations: transferLocations(project: $project, group: $group, search: $search, first: ${maxLocations}) {
        nodes { fullPath fullName } pageInfo { hasNextPage }
      }
    }`,
  );
  const transfer = {
    group: compileOperation<{ moved: { place: { fullPath: string } } }>(
      schema,
      'mutation ($place: ID!, $to: ID) { moved: groupTransfer(input: { fullPath: $place, parent: $to }) { place: group { fullPath } } }',
    ),
    project: compileOperation<{ moved: { place: { fullPath: string } } }>(
      schema,
      'mutation ($place: ID!, $to: ID) { moved: projectTransfer(input: { fullPath: $place, namespace: $to }) { place: project { fullPath } } }',
    ),
  };

  /** @param form the one that was refused, which carries the search of its page */
  async function show(visit: Visit, head: PlaceHead, place: Transferred, obstacle?: string, form?: Fields) {
    const search = ((form ?? readQuery(visit.exchange)).search ?? '').slice(0, 255).trim();
    const { nodes, pageInfo } = (await list.execute(visit.context, { [head.kind]: place.fullPath, search })).locations;
    return toAnswer(
      <Transfer
        site={visit.site}
        head={head}
        place={place}
        locations={nodes}
        more={pageInfo.hasNextPage}
        search={search}
        chosen={form?.to}
        obstacle={obstacle}
      />,
      obstacle === undefined ? 200 : 422,
    );
  }

  return {
    path: '/transfer',
    name: 'transfer',
    forPeople: true,
    async get(visit, head) {
      const place = await found(visit, head);
      return place && (await show(visit, head, place));
    },
    async post(visit, head, form) {
      const { kind } = head;
      const { to = '' } = form;
      const place = await found(visit, head);
      if (!place) return null;
      if (to === '') return await show(visit, head, place, 'Choose where it goes.', form);
      try {
        const { moved } = await transfer[kind].execute(visit.context, {
          place: place.fullPath,
          to: kind === 'group' && to === topLevel ? null : to,
        });
        return seeOtherSaying('place_transferred', placePath(kind, moved.place.fullPath), visit);
      } catch (thrown) {
        const problem = domainError(thrown);
        if (problem instanceof NotFound) return await show(visit, head, place, 'You can’t transfer it there.', form);
        if (problem instanceof BadRequest)
          return await show(visit, head, place, problem.message.replace(/\.?$/, '.'), form);
        throw thrown;
      }
    },
  };
}
