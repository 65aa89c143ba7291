import type { ErrorTrackingRow } from './statements.ts';
import { builder } from '../../engine/builder.ts';

/** Error tracking of one project, as configured by a maintainer. */
export interface ErrorTracking {
  readonly active: boolean;
  readonly apiUrl: string;
  readonly projectName: string;
  readonly trackerExternalUrl: string;
}

/** Derives missing values from the API address. */
export function toErrorTracking(row: ErrorTrackingRow): ErrorTracking {
  return {
    active: row.active,
    apiUrl: row.api_url,
    projectName: row.project_name ?? nameFromUrl(row.api_url),
    trackerExternalUrl: row.api_url.replace('api/0/projects/', ''),
  };
}

/** Derives the name of a project from its API address: `…/api/0/projects/org/my-shop/` → `My Shop`. */
function nameFromUrl(apiUrl: string): string {
  const slug = new URL(apiUrl).pathname.split('/').findLast((part) => part !== '') ?? '';
  return slug
    .split(/[-_]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');
}

export const ErrorTrackingType = builder.objectRef<ErrorTracking>('ErrorTrackingSettings').implement({
  description: 'The external error tracker of a project. For its maintainers.',
  fields: (t) => ({
    active: t.exposeBoolean('active', { description: 'Whether error tracking is switched on.' }),
    apiUrl: t.exposeString('apiUrl', { description: 'The API address of the project in the tracker.' }),
    projectName: t.exposeString('projectName', {
      description: 'The name of the project in the tracker; derived from the address if none was given.',
    }),
    trackerExternalUrl: t.exposeString('trackerExternalUrl', {
      description: 'The web page of the project in the tracker, derived from the API address.',
    }),
  }),
});
