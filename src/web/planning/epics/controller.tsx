import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceRoute } from '../../places/place/route.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { EpicList, EpicPage, epicPath, type ListedEpic, type ShownEpic } from './view.tsx';

const pageSize = 20;
const fields = 'iid title state createdAt webPath author { name webPath }';

/** The epics of groups, for those who read them: others find no page. */
export function epicPages(schema: GraphQLSchema): PlaceRoute[] {
  const list = compileOperation<{
    group: { epics: { nodes: ListedEpic[]; pageInfo: PageInfo } } | null;
  }>(
    schema,
    `query ($path: ID!, $first: Int, $last: Int, $before: String, $after: String) {
      group(fullPath: $path) {
        epics(first: $first, last: $last, before: $before, after: $after) { nodes { ${fields} } ${pageInfoFields} }
      }
    }`,
  );
  const find = compileOperation<{ group: { epics: { nodes: ShownEpic[] } } | null }>(
    schema,
    `query ($path: ID!, $iid: Int!) {
      group(fullPath: $path) { epics(iids: [$iid]) { nodes { ${fields} descriptionHtml subscribed } } }
    }`,
  );
  const subscribe = compileOperation<object>(
    schema,
    'mutation ($input: EpicSetSubscriptionInput!) { epicSetSubscription(input: $input) { clientMutationId } }',
  );
  const subscribing = (page: 'subscribe' | 'unsubscribe'): PlaceRoute => ({
    of: 'group',
    path: `/epics/:iid/${page}`,
    name: 'epic subscription',
    leadsTo: ({ named }, place) => epicPath(place, named.iid!),
    async post(visit, place) {
      const iid = visit.named.iid!;
      const subscribedState = page === 'subscribe';
      await subscribe.execute(visit.context, { input: { groupPath: place.fullPath, iid, subscribedState } });
      return seeOtherSaying(subscribedState ? 'epic_subscribed' : 'epic_unsubscribed', epicPath(place, iid), visit);
    },
  });

  return [
    {
      of: 'group',
      path: '/epics',
      name: 'epics',
      async get({ site, context, exchange }, place) {
        if (!place.userPermissions.readEpic) return null;
        const query = readQuery(exchange);
        const { group } = await list.execute(context, { path: place.fullPath, ...pageArguments(query, pageSize) });
        if (!group) return null;
        const { nodes, pageInfo } = group.epics;
        const pages = pagesAround(below(place, '/epics'), query, pageInfo);
        return toAnswer(<EpicList site={site} place={place} epics={nodes} pages={pages} />);
      },
    },
    {
      of: 'group',
      path: '/epics/:iid',
      name: 'epic',
      async get({ site, context, named }, place) {
        if (!isRecordNumber(named.iid)) return null;
        const { group } = await find.execute(context, { path: place.fullPath, iid: Number(named.iid) });
        const [epic] = group?.epics.nodes ?? [];
        return epic ? toAnswer(<EpicPage site={site} place={place} epic={epic} />) : null;
      },
    },
    subscribing('subscribe'),
    subscribing('unsubscribe'),
  ];
}
