import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { EnvFile, Facts, Pager, SecretOnce, type Fact } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { grantName } from '../../site/words.ts';
import { Snippets } from './snippets.tsx';

export const applicationsPath = '/profile/applications';

export interface Application {
  readonly id: number;
  readonly name: string;
  readonly clientId: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly createdAt: string;
  /** The number of people who have authorized the application. */
  readonly authorizers: number;
}

export const addressOf = ({ id }: Pick<Application, 'id'>) => `${applicationsPath}/${id}`;

const authorizersText = (count: number) =>
  count === 0 ? 'No one authorizes it.' : count === 1 ? '1 person authorizes it.' : `${count} people authorize it.`;

const kind = ({ confidential }: Pick<Application, 'confidential'>) => (confidential ? 'Confidential' : 'Public');

interface ApplicationListProps {
  readonly site: Site;
  readonly applications: readonly Application[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function ApplicationList({ site, applications, pages }: ApplicationListProps) {
  return (
    <AccountLayout site={site} title="Applications" current={applicationsPath}>
      <h1>Applications</h1>
      <p class="lead">OAuth applications that you registered. They act for people who authorize them.</p>
      <p>
        Looking for the applications that can act for <em>you</em>? See your{' '}
        <a href="/profile/authorized_applications">authorized applications</a>.
      </p>
      {applications.length === 0 ? (
        <p class="empty">You haven’t registered any applications.</p>
      ) : (
        <ul class="records">
          {applications.map((application) => (
            <li>
              <a href={addressOf(application)}>
                <bdi>{application.name}</bdi>
              </a>
              <p>
                {kind(application)}, registered <Day at={application.createdAt} />.{' '}
                {authorizersText(application.authorizers)}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager of="applications" {...pages} />
      <p class="decision">
        <a class="button primary" href={`${applicationsPath}/new`}>
          Register an application
        </a>
      </p>
    </AccountLayout>
  );
}

interface ApplicationPageProps {
  readonly site: Site;
  readonly application: Application;
  readonly Frame?: typeof AccountLayout;
  /** The path of the section that the page belongs to. */
  readonly section?: string;
  /** Further facts, after its client ID. */
  readonly more?: readonly Fact[];
}

/** An application, with what its owner or an administrator can do about it. */
export function ApplicationPage({
  site,
  application,
  Frame = AccountLayout,
  section = applicationsPath,
  more = [],
}: ApplicationPageProps) {
  const { id, name, confidential, authorizers } = application;
  const here = `${section}/${id}`;
  return (
    <Frame site={site} title={name} current={section} load={['copy.js']}>
      <p class="kind">Application</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <ApplicationFacts
        application={application}
        more={[
          ...more,
          confidential && ['Client secret', 'Shown only once, when it was created. If you lost it, renew it.'],
          ['In use', authorizersText(authorizers)],
        ]}
      />
      <p class="decision">
        <a class="button" href={`${here}/edit`}>
          Edit
        </a>
        {confidential && (
          <a class="button" href={`${here}/renew`}>
            Renew secret
          </a>
        )}
        <a class="button danger" href={`${here}/delete`}>
          Delete
        </a>
      </p>
      <Snippets baseUrl={site.baseUrl} application={application} />
    </Frame>
  );
}

export interface NewSecretData {
  readonly title: string;
  readonly application: Application;
  readonly secret: string;
}

interface NewSecretProps extends NewSecretData {
  readonly site: Site;
  readonly Frame?: typeof AccountLayout;
  /** The path of the section that the page belongs to. */
  readonly section?: string;
}

/** The page that shows a new client secret, once: after registration or renewal. */
export function NewSecret({
  site,
  title,
  application,
  secret,
  Frame = AccountLayout,
  section = applicationsPath,
}: NewSecretProps) {
  return (
    <Frame site={site} title={title} current={section} load={['copy.js']}>
      <p class="kind">
        <bdi>{application.name}</bdi>
      </p>
      <h1>{title}</h1>
      <SecretOnce label="the client secret" value={secret} />
      <ApplicationFacts application={application} />
      <p class="decision">
        <a class="button primary" href={`${section}/${application.id}`}>
          I have copied it
        </a>
        <EnvFile values={{ ISSUER: site.baseUrl, CLIENT_ID: application.clientId, CLIENT_SECRET: secret }} />
      </p>
    </Frame>
  );
}

/** The table of facts about an application. @param more facts, after its client ID */
function ApplicationFacts({
  application,
  more = [],
}: {
  readonly application: Application;
  readonly more?: readonly Fact[];
}) {
  const { clientId, redirectUris, scopes, grants, createdAt } = application;
  return (
    <Facts
      facts={[
        ['Client ID', <code class="secret">{clientId}</code>],
        ...more,
        ['Type', kind(application)],
        [
          'Redirect URIs',
          redirectUris.length === 0
            ? 'None'
            : redirectUris.map((uri) => (
                <div>
                  <code>{uri}</code>
                </div>
              )),
        ],
        ['Scopes', <code>{scopes.join(' ')}</code>],
        ['Grants', grants.map(grantName).join(', ')],
        ['Registered', <Day at={createdAt} />],
      ]}
    />
  );
}
