import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import type { AuditKind } from '../../values/kinds/audit-kinds.ts';
import { daysAhead } from '../../values/time/calendar.ts';
import type { Level } from '../../values/kinds/notification-levels.ts';
import { toAnswer } from '../site/layout/page.ts';
import type { Authorized } from '../access/authorized-applications/view.tsx';
import { hrefOf } from '../planning/todos/view.tsx';
import { picturedFields, type Pictured } from '../places/avatars/avatar.tsx';
import { keyOf } from '../settings/notification-settings/form.ts';
import { Home } from './view.tsx';
import { soonInDays, type Standing } from './next.tsx';
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
        readonly level: Level;
        readonly effective: { readonly level: Level };
        readonly group: NamedPlace | null;
        readonly project: NamedPlace | null;
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
    readonly auditEvents: { readonly nodes: readonly Recent[] };
    readonly todos: {
      readonly count: number;
      readonly nodes: readonly {
        readonly targetUrl: string | null;
        readonly body: string;
        readonly target: { readonly title?: string; readonly reference?: string; readonly name?: string };
      }[];
    };
    readonly reviewRequestedMergeRequests: {
      readonly count: number;
      readonly nodes: readonly { readonly title: string; readonly reference: string; readonly webPath: string }[];
    };
  };
  readonly secondFactor: Standing['secondFactor'];
  readonly personalAccessTokens: { readonly nodes: Standing['expiring'] };
  readonly issues: { readonly count: number };
  readonly entrance: { readonly mail: boolean };
  readonly authorizedApplications: readonly Authorized[];
}

/** How many records the overview shows; each full list has its own page. */
const most = { places: 8, applications: 5, events: 5, waiting: 3 };

/** What happens by itself while one is signed in. The overview leaves it out. */
const ordinary = [
  'signed_in',
  'password_confirmed',
  'second_factor_confirmed',
  'token_refreshed',
] satisfies AuditKind[];

/** The start page: an overview for a signed-in person, an introduction for anonymous visitors. */
export function homePages(schema: GraphQLSchema): PageRoute[] {
  const overview = compileOperation<Shown>(
    schema,
    `query ($id: ID!, $first: Int!, $events: Int!, $ordinary: [String!]!, $waiting: Int!, $soon: Date!, $applications: Int!) {
      currentUser {
        name
        emails { nodes { email confirmedAt } }
        notificationSettings(first: $first, inherited: true) {
          nodes { level effective { level } group { ${picturedFields} fullPath } project { ${picturedFields} fullPath } }
          pageInfo { hasNextPage }
        }
        auditEvents(first: $events, exceptKinds: $ordinary) { nodes { kind at actorId: actorDatabaseId userId: userDatabaseId applicationName detail } }
        todos(first: $waiting) {
          count
          nodes { targetUrl body target { ... on Issue { title reference(full: true) } ... on MergeRequest { title reference(full: true) } ... on Project { name } ... on Group { name } } }
        }
        reviewRequestedMergeRequests(state: opened, first: $waiting) { count nodes { title reference(full: true) webPath } }
      }
      secondFactor { recoveryCodesLeft }
      personalAccessTokens(userId: $id, active: true, expiresBefore: $soon, sort: "expires_asc", first: $waiting) { nodes { id: databaseId name expiresAt } }
      entrance { mail }
      issues(scope: ASSIGNED_TO_ME, state: opened, first: 1) { count }
      authorizedApplications(limit: $applications) { application { id: databaseId name } scopes authorizedAt }
    }`,
  );
  return [
    {
      path: '/',
      name: 'home',
      async get({ site, context }) {
        if (!site.visitor) return toAnswer(<Home site={site} />, 200, { scripts: true });
        // One more, because the list includes the global setting.
        const shown = await overview.execute(context, {
          id: context.viewer.person!.id,
          first: most.places + 1,
          events: most.events,
          ordinary,
          waiting: most.waiting,
          soon: daysAhead(soonInDays),
          applications: most.applications,
        });
        const { currentUser, authorizedApplications } = shown;
        const { name, notificationSettings, auditEvents } = currentUser;
        return toAnswer(
          <Overview
            site={site}
            name={name}
            standing={standingOf(shown)}
            places={notificationSettings.nodes.flatMap(({ level, effective, group, project }): PlaceWithLevel[] => {
              const kind = group ? 'group' : 'project';
              const place = group ?? project;
              if (!place) return [];
              return [{ kind, ...place, setting: keyOf(kind, place.id), level, effective: effective.level }];
            })}
            hasMorePlaces={notificationSettings.pageInfo.hasNextPage}
            applications={authorizedApplications}
            events={auditEvents.nodes}
          />,
        );
      },
    },
  ];
}

function standingOf({ currentUser, secondFactor, personalAccessTokens, issues, entrance }: Shown): Standing {
  const { emails, todos, reviewRequestedMergeRequests: reviews } = currentUser;
  return {
    unverified: emails.nodes.filter(({ confirmedAt }) => confirmedAt === null).map(({ email }) => email),
    mail: entrance.mail,
    secondFactor,
    expiring: personalAccessTokens.nodes,
    reviews: { count: reviews.count, nodes: reviews.nodes.map((one) => ({ ...one, path: one.webPath })) },
    todos: {
      count: todos.count,
      // Those about a project or a group are requests for a role in it.
      nodes: todos.nodes.map(({ targetUrl, body, target: { name = '', title = name, reference = body } }) => ({
        title,
        reference,
        path: hrefOf({ targetUrl }),
      })),
    },
    issues: issues.count,
  };
}
