import type { GraphQLSchema } from 'graphql';
import { bookmarkPages, placeBookmarks } from './bookmarks.ts';
import { toAnswer } from './site/layout/page.ts';
import { explorePages } from './documentation/explore.ts';
import { MigrationGuide, type Migration } from './documentation/migration.tsx';
import { Reference } from './documentation/reference.tsx';
import { FirstCalls, startPath } from './documentation/start.tsx';
import { activityPages } from './access/audit/activity-controller.tsx';
import { administrationPages } from './administration.ts';
import { applicationPages } from './access/applications/controller.tsx';
import { authorizePages } from './access/oauth/consent-controller.tsx';
import { authorizedApplicationPages } from './access/authorized-applications/controller.tsx';
import { devicePages } from './access/oauth/device-controller.tsx';
import { emailPages } from './accounts/emails/controller.tsx';
import { passwordPages } from './accounts/passwords/controller.tsx';
import { sshKeyPages } from './access/ssh-keys/controller.tsx';
import { personalAccessTokenPages } from './access/personal-access-tokens/controller.tsx';
import { sessionPages } from './accounts/sessions/controller.tsx';
import { personalDataPages } from './accounts/personal-data/controller.tsx';
import { searchPages } from './home/search.tsx';
import { exploredPages } from './home/explore.tsx';
import { homePages } from './home/controller.tsx';
import { activityPagesOfPeople } from './planning/activity/controller.tsx';
import { myIssuePages } from './planning/issues/mine.tsx';
import { myMergeRequestPages } from './reviews/merge-requests/mine.tsx';
import { snippetPages } from './planning/snippets/controller.tsx';
import { snippetFormPages } from './planning/snippets/form-controller.tsx';
import { todoPages } from './planning/todos/controller.tsx';
import { creationPages } from './places/creation/controller.tsx';
import { preferencePages } from './notifications/preferences/controller.tsx';
import { sentPages } from './notifications/sent/controller.tsx';
import { unsubscribePages } from './notifications/unsubscribe/controller.tsx';
import { notificationPages } from './settings/notification-settings/controller.tsx';
import { profilePages } from './accounts/users/profile-controller.tsx';
import { secondFactorPages } from './accounts/second-factor/controller.tsx';
import { signInPages } from './accounts/sign-in/controller.tsx';
import { signUpPages } from './accounts/sign-up/controller.tsx';
import { pipelineRoutes } from './pipelines/routes.ts';
import type { PlacePages } from './places/place/controller.tsx';
import type { PlaceRoute } from './places/place/route.ts';
import { planningRoutes } from './planning/routes.ts';
import type { Highlighter } from './repository/files/highlighter.ts';
import { repositoryRoutes } from './repository/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import type { PageRoute } from './site/visit.ts';

/** The documentation of the APIs. */
export interface Documentation {
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
  /** Changes between version 3 and version 4 of the REST API, and their subjects. */
  readonly migrations: readonly Migration[];
  readonly migrationSubjects: readonly string[];
  /** The schema of `/graphql` as SDL. */
  readonly sdl: string;
}

/**
 * Every page with a fixed address. Any other address is that of a person, a group or
 * a project.
 * @throws GraphQLError when an operation doesn't fit the schema
 */
export function pageRoutes(
  schema: GraphQLSchema,
  documentation: () => Promise<Documentation>,
  highlight: Highlighter,
): PageRoute[] {
  return [
    ...homePages(schema),
    ...searchPages(schema),
    ...exploredPages(schema),
    ...bookmarkPages,
    {
      path: '/docs',
      name: 'reference',
      get: async ({ site }) => {
        const { openApi } = await documentation();
        return toAnswer(<Reference site={site} openApi={openApi} />, 200, { scripts: true, requests: true });
      },
    },
    {
      path: startPath,
      name: 'first calls',
      get: ({ site }) => toAnswer(<FirstCalls site={site} />, 200, { scripts: true }),
    },
    {
      path: '/docs/migration',
      name: 'migration guide',
      get: async ({ site }) => {
        const { migrations, migrationSubjects: subjects } = await documentation();
        return toAnswer(<MigrationGuide site={site} migrations={migrations} subjects={subjects} />, 200, {
          scripts: true,
        });
      },
    },
    ...explorePages(schema),
    ...signInPages(schema),
    ...signUpPages(schema),
    ...passwordPages(schema),
    ...emailPages(schema),
    ...secondFactorPages(schema),
    ...authorizePages(schema),
    ...devicePages(schema),
    ...profilePages(schema),
    ...notificationPages(schema),
    ...preferencePages(schema),
    ...sentPages(schema),
    ...unsubscribePages(schema),
    ...activityPagesOfPeople(schema),
    ...myIssuePages(schema),
    ...myMergeRequestPages(schema),
    ...todoPages(schema),
    ...snippetPages(schema, highlight),
    ...snippetFormPages(schema),
    ...creationPages(schema),
    ...applicationPages(schema),
    ...authorizedApplicationPages(schema),
    ...personalAccessTokenPages(schema),
    ...sshKeyPages(schema),
    ...sessionPages(schema),
    ...activityPages(schema),
    ...personalDataPages(schema),
    ...administrationPages(schema),
  ];
}

/**
 * Every page below the address of a group or a project.
 * @param places the pages of the groups and projects themselves
 */
export const placeRoutes = (schema: GraphQLSchema, places: PlacePages, highlight: Highlighter): PlaceRoute[] => [
  ...places.below,
  ...planningRoutes(schema, highlight),
  ...reviewRoutes(schema),
  ...repositoryRoutes(schema, highlight),
  ...pipelineRoutes(schema),
  ...placeBookmarks,
];
