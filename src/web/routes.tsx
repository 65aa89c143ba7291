import type { GraphQLSchema } from 'graphql';
import { toAnswer } from './page.ts';
import { Home } from './pages/home.tsx';
import { Reference } from './pages/reference.tsx';
import { administrationPages } from './views/administration/index.ts';
import { applicationPages } from './views/applications.tsx';
import { authorizePages } from './views/authorize.tsx';
import { authorizedApplicationPages } from './views/authorized-applications.tsx';
import { devicePages } from './views/device.tsx';
import { signInPages } from './views/sign-in.tsx';
import type { PageRoute } from './visit.ts';

/**
 * Every page with an address of its own. People, groups and projects have the
 * addresses that are left.
 * @param openApi the OpenAPI document of the REST routes
 * @throws GraphQLError when an operation doesn't fit the schema
 */
export function pageRoutes(schema: GraphQLSchema, openApi: object): PageRoute[] {
  return [
    { path: '/', name: 'home', get: ({ site }) => toAnswer(<Home site={site} />) },
    { path: '/docs', name: 'reference', get: ({ site }) => toAnswer(<Reference site={site} openApi={openApi} />, 200, { scripts: true, requests: true }) },
    ...signInPages(schema),
    ...authorizePages(schema),
    ...devicePages(schema),
    ...applicationPages(schema),
    ...authorizedApplicationPages(schema),
    ...administrationPages(schema),
  ];
}
