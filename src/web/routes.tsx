import type { GraphQLSchema } from 'graphql';
import { toAnswer } from './page.ts';
import { MigrationGuide, type Migration } from './pages/migration.tsx';
import { Reference } from './pages/reference.tsx';
import { activityPages } from './views/activity.tsx';
import { administrationPages } from './views/administration/index.ts';
import { applicationPages } from './views/applications.tsx';
import { authorizePages } from './views/authorize.tsx';
import { authorizedApplicationPages } from './views/authorized-applications.tsx';
import { devicePages } from './views/device.tsx';
import { emailPages } from './views/emails.tsx';
import { passwordPages } from './views/passwords.tsx';
import { personalAccessTokenPages } from './views/personal-access-tokens.tsx';
import { sessionPages } from './views/sessions.tsx';
import { personalDataPages } from './views/personal-data.tsx';
import { homePages } from './views/home.tsx';
import { notificationPages } from './views/notifications.tsx';
import { profilePages } from './views/profile.tsx';
import { secondFactorPages } from './views/second-factor.tsx';
import { signInPages } from './views/sign-in.tsx';
import { signUpPages } from './views/sign-up.tsx';
import type { PageRoute } from './visit.ts';

/** What pages tell of the APIs. */
export interface Documentation {
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
  /** What changed between version 3 and version 4 of the REST API, by these subjects. */
  readonly migrations: readonly Migration[];
  readonly migrationSubjects: readonly string[];
}

/**
 * Every page with an address of its own. People, groups and projects have the
 * addresses that are left.
 * @throws GraphQLError when an operation doesn't fit the schema
 */
export function pageRoutes(schema: GraphQLSchema, { openApi, migrations, migrationSubjects: subjects }: Documentation): PageRoute[] {
  return [
    ...homePages(schema),
    { path: '/docs', name: 'reference', get: ({ site }) => toAnswer(<Reference site={site} openApi={openApi} />, 200, { scripts: true, requests: true }) },
    {
      path: '/docs/migration',
      name: 'migration guide',
      get: ({ site }) => toAnswer(<MigrationGuide site={site} migrations={migrations} subjects={subjects} />),
    },
    ...signInPages(schema),
    ...signUpPages(schema),
    ...passwordPages(schema),
    ...emailPages(schema),
    ...secondFactorPages(schema),
    ...authorizePages(schema),
    ...devicePages(schema),
    ...profilePages(schema),
    ...notificationPages(schema),
    ...applicationPages(schema),
    ...authorizedApplicationPages(schema),
    ...personalAccessTokenPages(schema),
    ...sessionPages(schema),
    ...activityPages(schema),
    ...personalDataPages(schema),
    ...administrationPages(schema),
  ];
}
