import { Choices, Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts } from '../../site/records/records.tsx';
import { PlaceLayout } from '../../places/place/layout.tsx';
import { errorTrackingPath, placePath } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';

/** The error tracking settings of a project. */
export interface ErrorTrackingSettings {
  readonly active: boolean;
  readonly apiUrl: string;
  readonly projectName: string;
  readonly trackerExternalUrl: string;
}

export type ErrorTrackingDraft = Pick<ErrorTrackingSettings, 'active' | 'apiUrl' | 'projectName'>;

interface ErrorTrackingProps {
  readonly site: Site;
  readonly project: PlaceHead;
  /** Null while nothing is configured. */
  readonly tracked: ErrorTrackingSettings | null;
  /** What the person typed, when the form is shown again with errors. */
  readonly draft?: ErrorTrackingDraft;
  /** Error messages by field, in sentences. */
  readonly errors?: { readonly apiUrl: readonly string[]; readonly projectName: readonly string[] };
}

/** The page of a project's error tracking settings, for its maintainers. */
export function ErrorTracking({ site, project, tracked, draft, errors }: ErrorTrackingProps) {
  const { name, fullPath } = project;
  const shown = draft ?? tracked ?? { active: true, apiUrl: '', projectName: '' };
  return (
    <PlaceLayout
      site={site}
      place={project}
      title={`${errors ? 'Error: ' : ''}Error tracking of ${name}`}
      current="settings"
    >
      <h1>Error tracking</h1>
      <p class="lead">
        Connects this project to the project of an external tracker, such as Sentry, that collects its errors.
      </p>
      {errors && <NotSaved />}
      {tracked && (
        <Facts
          facts={[
            ['State', <Badge tone={tracked.active ? 'good' : undefined}>{tracked.active ? 'On' : 'Off'}</Badge>],
            [
              'In the tracker',
              <a href={tracked.trackerExternalUrl} rel="noreferrer">
                {tracked.trackerExternalUrl}
              </a>,
            ],
          ]}
        />
      )}
      <Form
        csrf={site.visitor!.csrf}
        action={errorTrackingPath(fullPath)}
        carries={{ 'was.project_name': tracked?.projectName }}
      >
        <TextField
          name="api_url"
          label="API URL of the project in the tracker"
          type="url"
          hint={
            <>
              As in <code>https://sentry.example/api/0/projects/team/shop/</code>
            </>
          }
          value={shown.apiUrl}
          errors={errors?.apiUrl}
          required
          technical
        />
        <TextField
          name="project_name"
          label="Name of the project in the tracker"
          hint="Taken from the API URL if you leave it empty."
          value={shown.projectName}
          errors={errors?.projectName}
        />
        <Choices
          name="state"
          label="State"
          choices={[
            {
              name: 'active',
              label: 'Error tracking is on',
              says: 'Switching it off keeps the API URL.',
              chosen: shown.active,
            },
          ]}
        />
        <div class="decision">
          <button class="button primary">{tracked ? 'Save changes' : 'Configure'}</button>
          <a href={placePath('project', fullPath)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}
