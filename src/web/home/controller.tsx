import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import type { Level } from '../../values/notification-levels.ts';
import { toAnswer } from '../site/page.ts';
import type { Authorized } from '../access/authorized-applications/view.tsx';
import { picturedFields, type Pictured } from '../places/avatars/avatar.tsx';
import { Home } from './view.tsx';
import { Overview, type PlaceWithLevel, type Recent } from './overview.tsx';
import type { PageRoute } from '../site/visit.ts';

interface NamedPlace extends Pictured {
  readonly fullPath: string;
}

interface Shown {
  readonly currentUser: {
    readonly name: string;
    readonly emails: { readonly nodes: readonly { readonly email: string; readonly confirmedAt: string | null }[] };
    readonly notificationSettings: {
      readonly nodes: readonly {
        readonly effective: { readonly level: Level };
        readonly group: NamedPlace | null;
        readonly project: NamedPlace | null;
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
    readonly auditEvents: { readonly nodes: readonly Recent[] };
  };
  readonly authorizedApplications: readonly Authorized[];
}

/** How many records the overview shows; each full list has its own page. */
const most = { places: 8, applications: 5, events: 5 };

/** The start page: an overview for a signed-in person, an introduction for anonymous visitors. */
export function homePages(schema: GraphQLSchema): PageRoute[] {
  const overview = compileOperation<Shown>(
    schema,
    `query ($first: Int!, $events: Int!) {
      currentUser {
        name
        emails { nodes { email confirmedAt } }
        notificationSettings(first: $first, inherited: true) {
          nodes { effective { level } group { ${picturedFields} fullPath } project { ${picturedFields} fullPath } }
          pageInfo { hasNextPage }
        }
        auditEvents(first: $events) { nodes { kind at actorId: actorDatabaseId userId: userDatabaseId applicationName detail } }
      }
      authorizedApplications { application { id: databaseId name } scopes authorizedAt }
    }`,
  );
  return [
    {
      path: '/',
      name: 'home',
      async get({ site, context }) {
        if (!site.visitor) return toAnswer(<Home site={site} />);
        // One more, because the list includes the global setting.
        const { currentUser, authorizedApplications } = await overview.execute(context, {
          first: most.places + 1,
          events: most.events,
        });
        const { name, emails, notificationSettings, auditEvents } = currentUser;
        return toAnswer(
          <Overview
            site={site}
            name={name}
            unverified={emails.nodes.filter(({ confirmedAt }) => confirmedAt === null).map(({ email }) => email)}
            places={notificationSettings.nodes.flatMap(({ effective: { level }, group, project }): PlaceWithLevel[] => {
              if (group) return [{ kind: 'group', ...group, level }];
              return project ? [{ kind: 'project', ...project, level }] : [];
            })}
            hasMorePlaces={notificationSettings.pageInfo.hasNextPage}
            applications={authorizedApplications.slice(0, most.applications)}
            events={auditEvents.nodes}
          />,
        );
      },
    },
  ];
}
