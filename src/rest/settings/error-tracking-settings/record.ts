import { objectSchema, type Record } from '../../engine/record.ts';

export interface ErrorTrackingData {
  readonly active: boolean;
  readonly projectName: string;
  readonly trackerExternalUrl: string;
  readonly apiUrl: string;
}

const url = { type: 'string', format: 'uri' };

/** `sentry_external_url` is the name that existing clients parse; both have one value. */
export const ErrorTrackingSettings: Record<ErrorTrackingData> = {
  name: 'ErrorTrackingSettings',
  schema: objectSchema({
    active: { type: 'boolean' },
    project_name: { type: 'string' },
    tracker_external_url: url,
    sentry_external_url: {
      ...url,
      description: 'The same as `tracker_external_url`, under the name that clients know.',
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
