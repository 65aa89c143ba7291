import type { GraphQLSchema } from 'graphql';
import { Forbidden, Unauthenticated } from '../errors.ts';
import type { PageRoute, Visit } from './site/visit.ts';
import { administeredApplicationPages } from './access/applications/instance-controller.tsx';
import { administeredTokenPages } from './access/personal-access-tokens/administration-controller.tsx';
import { auditLogPages } from './access/audit/log-controller.tsx';
import { jobPages } from './settings/instance/jobs-controller.tsx';
import { overviewPages } from './settings/instance/overview-controller.tsx';
import { inboxPages } from './notifications/inbox/controller.tsx';
import { queuePages } from './notifications/sent/controller.tsx';
import { administeredRunnerPages } from './pipelines/runners/controller.tsx';
import { administeredPlacePages } from './places/place/administration.tsx';
import { settingsPages } from './settings/instance/controller.tsx';
import { statePages } from './accounts/states/controller.tsx';
import { administeredUserPages } from './accounts/users/administration-controller.tsx';

/** Pages for administrators. Other visitors get the same refusal from every page. */
export function administrationPages(schema: GraphQLSchema): PageRoute[] {
  return [
    ...overviewPages(schema),
    ...administeredUserPages(schema),
    ...statePages(schema),
    ...administeredPlacePages(schema),
    ...administeredApplicationPages(schema),
    ...administeredTokenPages(schema),
    ...administeredRunnerPages(schema),
    ...auditLogPages(schema),
    ...settingsPages(schema),
    ...queuePages(schema),
    ...jobPages(schema),
    ...inboxPages(schema),
  ].map(forAdministrators);
}

function forAdministrators(page: PageRoute): PageRoute {
  const { get, post } = page;
  return {
    ...page,
    ...(get && { get: (visit) => (requireAdministrator(visit), get(visit)) }),
    ...(post && { post: (visit, fields, files) => (requireAdministrator(visit), post(visit, fields, files)) }),
  };
}

/** Refuses other visitors before any look-up: only administrators may learn whether a record exists. */
function requireAdministrator({ site: { visitor } }: Visit): void {
  if (!visitor) throw new Unauthenticated();
  if (!visitor.administrator) throw new Forbidden('These pages are for administrators.');
}
