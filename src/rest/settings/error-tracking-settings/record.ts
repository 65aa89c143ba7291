import { objectSchema, type Record } from '../../engine/record.ts';
import { url } from '../../engine/schemas.ts';

export interface ErrorTrackingData {
  readonly active: boolean;
  readonly projectName: string;
  readonly trackerExternalUrl: string;
  readonly apiUrl: string;
}

/** The settings. `sentry_external_url` repeats `tracker_external_url` under the name that existing clients parse. */
export const ErrorTrackingSettings: Record<ErrorTrackingData> = {
  name: 'ErrorTrackingSettings',
  schema: objectSchema({
    active: { type: 'boolean' },
    project_name: { type: 'string' },
    tracker_external_url: url,
    sentry_external_url: {
      ...url,
      description: 'Same value as `tracker_external_url`, for existing clients.',
    },
    api_url: url,
  }),
  present: ({ active, projectName, trackerExternalUrl, apiUrl }) => ({
    active,
    project_name: projectName,
    tracker_external_url: trackerExternalUrl,
    sentry_external_url: trackerExternalUrl,
    api_url: apiUrl,
  }),
};
