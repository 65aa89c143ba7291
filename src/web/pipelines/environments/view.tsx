import type { ComponentChildren } from 'preact';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { WhyNot } from '../../places/place/why-not.tsx';
import { codePath, commitPath } from '../../repository/code/addresses.ts';
import { Ago, Moment } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts, Nothing, Pager } from '../../site/records/records.tsx';
import { withQuery } from '../../site/forms/fields.ts';
import { TextField } from '../../site/forms/forms.tsx';

/** The address of a page of environments. */
export const environmentsPath = (place: PlaceHead, page = ''): string => below(place, `/environments${page}`);

interface Person {
  readonly name: string;
  readonly webPath: string;
}

/** A deployment as pages show it. */
export interface ShownDeployment {
  readonly iid: string;
  readonly ref: string;
  readonly sha: string;
  readonly status: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly triggerer: Person | null;
}

/** An environment as pages show it. */
export interface ShownEnvironment {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly state: string;
  readonly tier: string;
  readonly externalUrl: string | null;
  readonly description: string | null;
  readonly autoStopAt: string | null;
  readonly createdAt: string;
  readonly lastDeployment: ShownDeployment | null;
}

/** The tabs, by the state in the address. */
export const stateTabs = { '': 'Active', stopped: 'Stopped' } as const;

/** The words for tiers. */
export const tierWords: Readonly<Record<string, string>> = {
  PRODUCTION: 'Production',
  STAGING: 'Staging',
  TESTING: 'Testing',
  DEVELOPMENT: 'Development',
  OTHER: 'Other',
};

const statusWords: Readonly<Record<string, readonly [word: string, tone?: 'good' | 'caution' | 'danger']>> = {
  CREATED: ['Waiting'],
  BLOCKED: ['Blocked', 'caution'],
  RUNNING: ['Running', 'caution'],
  SUCCESS: ['Succeeded', 'good'],
  FAILED: ['Failed', 'danger'],
  CANCELED: ['Canceled'],
  SKIPPED: ['Skipped'],
};

function DeploymentStatus({ status }: { readonly status: string }) {
  const [word, tone] = statusWords[status] ?? [status];
  return <Badge {...(tone && { tone })}>{word}</Badge>;
}

function State({ state }: { readonly state: string }) {
  if (state === 'available') return null;
  return <Badge tone="caution">{state === 'stopped' ? 'Stopped' : 'Stopping'}</Badge>;
}

/** Which commit a deployment brought, when, and who. */
function Brought({ place, deployment }: { readonly place: PlaceHead; readonly deployment: ShownDeployment }) {
  const { ref, sha, createdAt, finishedAt, triggerer } = deployment;
  return (
    <>
      <a href={codePath(place, 'commits', ref)}>
        <bdi>{ref}</bdi>
      </a>{' '}
      <a href={commitPath(place, sha)}>
        <code>{sha.slice(0, 8)}</code>
      </a>
      , <Ago at={finishedAt ?? createdAt} />
      {triggerer && (
        <>
          ,{' '}
          <a href={triggerer.webPath}>
            <bdi>{triggerer.name}</bdi>
          </a>
        </>
      )}
    </>
  );
}

const Outside = ({ url, children }: { readonly url: string; readonly children: ComponentChildren }) => (
  <a href={url} rel="noreferrer nofollow">
    {children}
  </a>
);

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly state: string;
  readonly search: string;
  /** What is wrong with the search. */
  readonly problem: string | undefined;
  readonly environments: readonly ShownEnvironment[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** The environments of a project. */
export function EnvironmentList({ site, place, state, search, problem, environments, pages }: ListProps) {
  const path = environmentsPath(place);
  return (
    <PlaceLayout site={site} place={place} title={`Environments · ${place.name}`} current="environments">
      <h1>Environments</h1>
      <p class="lead">
        Environments are the places where this project runs. Each shows the commit that is deployed there.
      </p>
      {place.userPermissions.createDeployment ? (
        <p>
          <a class="button primary" href={environmentsPath(place, '/new')}>
            New environment
          </a>
        </p>
      ) : (
        <WhyNot site={site} place={place} role="Developer" to="make environments" />
      )}
      <nav class="tabs" aria-label="States">
        {Object.entries(stateTabs).map(([tab, label]) => (
          <a href={withQuery(path, { state: tab, search })} aria-current={tab === state ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <form class="filters" method="get" action={path}>
        {state !== '' && <input type="hidden" name="state" value={state} />}
        <TextField
          name="search"
          label="Search"
          type="search"
          value={search}
          hint="At least three characters of the name."
          errors={problem === undefined ? undefined : [problem]}
        />
        <button class="button">Show</button>
      </form>
      {environments.length === 0 ? (
        <Nothing
          says={
            search !== ''
              ? 'No environments match.'
              : state === ''
                ? 'No environments yet.'
                : 'No stopped environments.'
          }
          all={search === '' && state === '' ? undefined : path}
        />
      ) : (
        <ul class="records">
          {environments.map((one) => (
            <li>
              <span class="badges">
                <a href={environmentsPath(place, `/${one.id}`)}>
                  <bdi>{one.name}</bdi>
                </a>
                <Badge>{tierWords[one.tier] ?? one.tier}</Badge>
                <State state={one.state} />
              </span>
              <p>
                {one.lastDeployment ? (
                  <Brought place={place} deployment={one.lastDeployment} />
                ) : (
                  <span class="hint">Nothing was deployed yet.</span>
                )}
              </p>
              {one.externalUrl && (
                <p>
                  <Outside url={one.externalUrl}>{one.externalUrl}</Outside>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager of="environments" {...pages} labels={['Previous', 'Next']} />
    </PlaceLayout>
  );
}

interface PageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly environment: ShownEnvironment;
  readonly deployments: readonly ShownDeployment[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** One environment, with the deployments to it. */
export function EnvironmentPage({ site, place, environment, deployments, pages }: PageProps) {
  const { id, name, state, tier, slug, externalUrl, description, autoStopAt, createdAt, lastDeployment } = environment;
  const ways = place.userPermissions.createDeployment ? ['Edit', ...(state === 'stopped' ? ['Delete'] : ['Stop'])] : [];
  return (
    <PlaceLayout site={site} place={place} title={`${name} · ${place.name}`} current="environments">
      <h1>
        <bdi>{name}</bdi> <State state={state} />
      </h1>
      {description && (
        <p class="lead">
          <bdi>{description}</bdi>
        </p>
      )}
      <Facts
        facts={[
          ['Tier', tierWords[tier] ?? tier],
          ['Slug', <code>{slug}</code>],
          ['Address', externalUrl ? <Outside url={externalUrl}>{externalUrl}</Outside> : 'None'],
          ['There now', lastDeployment ? <Brought place={place} deployment={lastDeployment} /> : 'Nothing yet'],
          ['Stops by itself', autoStopAt ? <Moment at={autoStopAt} /> : 'Never'],
          ['Created', <Moment at={createdAt} />],
        ]}
      />
      {ways.length > 0 && (
        <p class="ways">
          {ways.map((way) => (
            <a href={environmentsPath(place, `/${id}/${way.toLowerCase()}`)}>
              {way}
              <span class="hidden"> the environment {name}</span>
            </a>
          ))}
        </p>
      )}
      <h2>Deployments</h2>
      {deployments.length === 0 ? (
        <p class="empty">No deployments yet. A job with this environment makes one, or a script that reports it.</p>
      ) : (
        <ul class="records">
          {deployments.map((one) => (
            <li>
              <span class="badges">
                <span>Deployment #{one.iid}</span>
                <DeploymentStatus status={one.status} />
              </span>
              <p>
                <Brought place={place} deployment={one} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager of="deployments" {...pages} />
    </PlaceLayout>
  );
}
