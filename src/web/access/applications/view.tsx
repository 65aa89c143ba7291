import { Day } from '../../site/day.tsx';
import { grantChoices, scopeChoices } from '../../site/choices.tsx';
import { Choices, Form, NotSaved, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { Facts, SecretOnce, type Fact } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';
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

export function ApplicationList({
  site,
  applications,
}: {
  readonly site: Site;
  readonly applications: readonly Application[];
}) {
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
      <p class="decision">
        <a class="button primary" href={`${applicationsPath}/new`}>
          Register an application
        </a>
      </p>
    </AccountLayout>
  );
}

/** The values in the form of an application. */
export interface Draft {
  readonly name: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly confidential: boolean;
}

/** What the server can grant. */
export interface Offer {
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
}

interface ApplicationFormProps {
  readonly site: Site;
  /** Null for an application that isn't registered yet. */
  readonly application: Pick<Application, 'id' | 'name'> | null;
  readonly draft: Draft;
  readonly offer: Offer;
  /** Error messages by field, in sentences. */
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

export function ApplicationForm({ site, application, draft, offer, errors = {} }: ApplicationFormProps) {
  const title = application ? `Edit ${application.name}` : 'Register an application';
  const wrong = Object.keys(errors).length > 0;
  return (
    <AccountLayout site={site} title={wrong ? `Error: ${title}` : title} current={applicationsPath}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {wrong && <NotSaved />}
      <Form
        csrf={site.visitor!.csrf}
        action={application ? `${addressOf(application)}/edit` : `${applicationsPath}/new`}
        once={application === null}
      >
        <TextField
          name="name"
          label="Name"
          hint="Shown to people when your application asks them for authorization."
          value={draft.name}
          errors={errors.name}
          required
        />
        <Choices
          name="confidential"
          label="Type"
          single
          choices={[
            {
              name: 'yes',
              label: 'Confidential',
              says: 'Runs on your server and can keep a secret.',
              chosen: draft.confidential,
            },
            {
              name: 'no',
              label: 'Public',
              says: 'Runs in a browser, on a phone or on a desktop, where a secret can’t be kept. It has no secret and must use PKCE.',
              chosen: !draft.confidential,
            },
          ]}
        />
        <TextField
          name="redirect_uris"
          label="Redirect URIs"
          lines={4}
          hint={
            <>
              One per line, exactly as your application sends them. For native applications{' '}
              <code>http://127.0.0.1/callback</code>, which matches any port.
            </>
          }
          value={draft.redirectUris}
          errors={errors.redirectUris}
          technical
        />
        <Choices
          name="scopes"
          label="Scopes"
          hint="It can ask for these scopes and no others."
          errors={errors.scopes}
          choices={scopeChoices({ prefix: 'scope.', offered: offer.scopes, chosen: draft.scopes })}
        />
        <Choices
          name="grants"
          label="Grants"
          hint="The ways in which it gets tokens."
          errors={errors.grants}
          choices={grantChoices({ prefix: 'grant.', offered: offer.grants, chosen: draft.grants })}
        />
        <div class="decision">
          <button class="button primary">{application ? 'Save changes' : 'Register'}</button>
          <a href={application ? addressOf(application) : applicationsPath}>Cancel</a>
        </div>
      </Form>
    </AccountLayout>
  );
}

export function ApplicationPage({ site, application }: { readonly site: Site; readonly application: Application }) {
  const { name, confidential, authorizers } = application;
  const here = addressOf(application);
  return (
    <AccountLayout site={site} title={name} current={applicationsPath} load={['copy.js']}>
      <p class="kind">Application</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <ApplicationFacts
        application={application}
        more={[
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
    </AccountLayout>
  );
}

export interface NewSecretData {
  readonly title: string;
  readonly application: Application;
  readonly secret: string;
}

/** The page that shows a new client secret, once: after registration or renewal. */
export function NewSecret({ site, title, application, secret }: NewSecretData & { readonly site: Site }) {
  return (
    <AccountLayout site={site} title={title} current={applicationsPath} load={['copy.js']}>
      <p class="kind">
        <bdi>{application.name}</bdi>
      </p>
      <h1>{title}</h1>
      <SecretOnce label="the client secret" value={secret} />
      <ApplicationFacts application={application} />
      <p class="decision">
        <a class="button primary" href={addressOf(application)}>
          I have copied it
        </a>
      </p>
    </AccountLayout>
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
