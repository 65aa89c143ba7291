import { Day } from '../../site/records/day.tsx';
import { TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Pager, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { ApplicationPage, type Application } from './view.tsx';
import { usersPath } from '../../accounts/users/administration-view.tsx';

export const administeredApplicationsPath = '/admin/applications';

export interface AdministeredApplication extends Application {
  readonly owner: { readonly id: number; readonly username: string } | null;
}

export const administeredPath = ({ id }: Pick<Application, 'id'>) => `${administeredApplicationsPath}/${id}`;

function Owner({ owner }: Pick<AdministeredApplication, 'owner'>) {
  return owner ? <a href={`${usersPath}/${owner.id}`}>{owner.username}</a> : <Badge>The instance</Badge>;
}

interface ListProps {
  readonly site: Site;
  readonly applications: readonly AdministeredApplication[];
  readonly search: string;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function AdministeredApplicationList({ site, applications, search, pages }: ListProps) {
  return (
    <AdminLayout site={site} title="Applications" current={administeredApplicationsPath}>
      <h1>Applications</h1>
      <p class="lead">All registered OAuth applications. They act for people who authorize them.</p>
      <form class="filters" method="get" action={administeredApplicationsPath}>
        <TextField name="search" label="Name or client ID" type="search" value={search} />
        <button class="button">Search</button>
      </form>
      <Table
        caption="Applications"
        columns={['Name', 'Owner', 'Scopes', 'Registered']}
        rows={applications.map((application) => [
          <a href={administeredPath(application)}>
            <bdi>{application.name}</bdi>
          </a>,
          <Owner owner={application.owner} />,
          <code>{application.scopes.join(' ')}</code>,
          <Day at={application.createdAt} />,
        ])}
        empty="No applications."
      />
      <Pager of="applications" {...pages} labels={['Older', 'Newer']} />
      <p class="decision">
        <a class="button primary" href={`${administeredApplicationsPath}/new`}>
          Register an application of the instance
        </a>
      </p>
    </AdminLayout>
  );
}

interface PageProps {
  readonly site: Site;
  readonly application: AdministeredApplication;
}

export function AdministeredApplicationPage({ site, application }: PageProps) {
  return (
    <ApplicationPage
      site={site}
      application={application}
      Frame={AdminLayout}
      section={administeredApplicationsPath}
      more={[['Owner', <Owner owner={application.owner} />]]}
    />
  );
}
