import { ciStatuses } from '../../../values/ci/statuses.ts';
import { pipelineSources } from '../../../values/ci/pipeline-sources.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { writesTo } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { WhyNot } from '../../places/place/why-not.tsx';
import { codePath, commitPath } from '../../repository/code/addresses.ts';
import { Ago } from '../../site/records/day.tsx';
import { withQuery } from '../../site/forms/fields.ts';
import { SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Nothing, Pager } from '../../site/records/records.tsx';
import { Status, type ShownStatus } from './status.tsx';

/** A pipeline as the list shows it. */
export interface ListedPipeline {
  readonly iid: string;
  readonly path: string;
  readonly ref: string;
  readonly sha: string;
  readonly source: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly duration: number | null;
  readonly detailedStatus: ShownStatus;
  readonly user: { readonly name: string; readonly webPath: string } | null;
}

/** What the list is narrowed to, from its address; empty texts are no filter. */
export interface PipelineQuery {
  readonly scope: string;
  readonly status: string;
  readonly ref: string;
  readonly source: string;
}

/** The tabs, by the scope in the address. */
export const scopes = { '': 'All', finished: 'Finished', branches: 'Branches', tags: 'Tags' } as const;

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly query: PipelineQuery;
  readonly pipelines: readonly ListedPipeline[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

const withWord = (values: readonly string[], word: (value: string) => string) => [
  { value: '', label: 'All' },
  ...values.map((value) => ({ value, label: word(value) })),
];

const statusOptions = withWord(ciStatuses, (status) =>
  status === 'success' ? 'Passed' : status.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()),
);

/** Why a pipeline was made, in words. */
export const sourceWords = (source: string): string => source.replaceAll('_', ' ');

/** Seconds as `1 min 20 s`. */
export const lasting = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, seconds % 60 && `${seconds % 60} s`];
  return parts.filter(Boolean).join(' ') || '0 s';
};

/** The pipelines of a project. */
export function PipelineListPage({ site, place, query, pipelines, pages }: ListProps) {
  const path = below(place, '/pipelines');
  const isNarrowed = query.status !== '' || query.ref !== '' || query.source !== '';
  const isFiltered = isNarrowed || query.scope !== '';
  return (
    <PlaceLayout site={site} place={place} title={`Pipelines · ${place.name}`} current="pipelines">
      <h1>Pipelines</h1>
      <p class="lead">A pipeline runs the jobs that .gitlab-ci.yml describes, for one commit of a branch or tag.</p>
      {site.visitor && writesTo(place) ? (
        <p>
          <a class="button primary" href={below(place, '/pipelines/new')}>
            Run a pipeline
          </a>
        </p>
      ) : (
        <WhyNot site={site} place={place} role="Developer" to="run pipelines" />
      )}
      <nav class="tabs" aria-label="Scopes">
        {Object.entries(scopes).map(([scope, label]) => (
          <a href={withQuery(path, { ...query, scope })} aria-current={scope === query.scope ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <details class="filter-box" open={isNarrowed}>
        <summary>Filter</summary>
        <form class="filters" method="get" action={path}>
          {query.scope !== '' && <input type="hidden" name="scope" value={query.scope} />}
          <SelectField name="status" label="Status" value={query.status} options={statusOptions} />
          <TextField name="ref" label="Branch or tag" value={query.ref} technical />
          <SelectField
            name="source"
            label="Source"
            value={query.source}
            options={withWord(pipelineSources, sourceWords)}
          />
          <button class="button">Show</button>
        </form>
      </details>
      {pipelines.length === 0 ? (
        <Nothing says={isFiltered ? 'No pipelines match.' : 'No pipelines yet.'} all={isFiltered ? path : undefined}>
          A push of a branch with a .gitlab-ci.yml makes one, and so does a script that reports the status of a commit.
        </Nothing>
      ) : (
        <ul class="records pipelines">
          {pipelines.map((pipeline) => (
            <li>
              <span class="badges">
                <Status status={pipeline.detailedStatus} />
                <a href={pipeline.path}>
                  Pipeline #{pipeline.iid}
                  {pipeline.name !== null && (
                    <>
                      : <bdi>{pipeline.name}</bdi>
                    </>
                  )}
                </a>
              </span>
              <p>
                <a href={codePath(place, 'commits', pipeline.ref)}>
                  <bdi>{pipeline.ref}</bdi>
                </a>{' '}
                <a href={commitPath(place, pipeline.sha)}>
                  <code>{pipeline.sha.slice(0, 8)}</code>
                </a>
              </p>
              <p class="hint">
                {pipeline.user && (
                  <>
                    <a href={pipeline.user.webPath}>
                      <bdi>{pipeline.user.name}</bdi>
                    </a>
                    ,{' '}
                  </>
                )}
                <Ago at={pipeline.createdAt} />
                {pipeline.duration !== null && `, ${lasting(pipeline.duration)}`}, {sourceWords(pipeline.source)}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager of="pipelines" {...pages} />
    </PlaceLayout>
  );
}
