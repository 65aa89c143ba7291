import { Choices, Form, NotSaved, TextField } from '../../site/forms.tsx';
import { Layout, type Site } from '../../site/layout.tsx';
import { Badge, Facts } from '../../site/records.tsx';
import { errorTrackingPath, placePath, type Place } from '../../places/place/place.ts';

/** How a project is tied to its error tracker. */
export interface Tracked {
  readonly active: boolean;
  readonly apiUrl: string;
  readonly projectName: string;
  readonly trackerExternalUrl: string;
}

export type ErrorTrackingDraft = Pick<Tracked, 'active' | 'apiUrl' | 'projectName'>;

interface ErrorTrackingProps {
  readonly site: Site;
  readonly project: Pick<Place, 'name' | 'fullPath'>;
  /** Null while nothing is configured. */
  readonly tracked: Tracked | null;
  /** Of a form that came back. */
  readonly draft?: ErrorTrackingDraft;
  /** What is wrong, in sentences. */
  readonly errors?: { readonly apiUrl: readonly string[]; readonly projectName: readonly string[] };
}

/** For the maintainers of a project. */
export function ErrorTracking({ site, project, tracked, draft, errors }: ErrorTrackingProps) {
  const { name, fullPath } = project;
  const shown = draft ?? tracked ?? { active: true, apiUrl: '', projectName: '' };
  return (
    <Layout site={site} title={`${errors ? 'Error: ' : ''}Error tracking of ${name}`}>
      <p class="kind">
        <a href={placePath('project', fullPath)}>
          <bdi>{name}</bdi>
        </a>{' '}
        › Settings
      </p>
      <h1>Error tracking</h1>
      <p class="lead">
        Ties this project to the one in which an external tracker, such as Sentry, collects its errors.
      </p>
      {errors && <NotSaved />}
      {tracked && (
        <Facts
          facts={[
            ['At present', <Badge tone={tracked.active ? 'good' : undefined}>{tracked.active ? 'On' : 'Off'}</Badge>],
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
          label="API address of the project in the tracker"
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
          label="Name of the project there"
          hint="Made from the address if you leave it empty."
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
              says: 'Off keeps the address for later.',
              chosen: shown.active,
            },
          ]}
        />
        <div class="decision">
          <button class="button primary">{tracked ? 'Save changes' : 'Configure'}</button>
          <a href={placePath('project', fullPath)}>Cancel</a>
        </div>
      </Form>
    </Layout>
  );
}
