import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { codePath, commitPath } from '../../repository/code/addresses.ts';
import { Ago, Moment } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Facts } from '../../site/records/records.tsx';
import { JobWays, MayNotRun, WaitsForRunner, type ChangeableJob } from '../jobs/ways.tsx';
import { PipelineGraph, type DrawnJob } from './graph.tsx';
import { lasting, sourceWords, type ListedPipeline } from './list-view.tsx';
import { Status, type ShownStatus } from './status.tsx';

interface ShownJob extends ChangeableJob, DrawnJob {
  readonly name: string;
  readonly external: boolean;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly coverage: number | null;
  readonly duration: number | null;
  readonly finishedAt: string | null;
  readonly allowFailure: boolean;
  readonly user: ListedPipeline['user'];
}

interface ShownStage {
  readonly name: string;
  readonly detailedStatus: ShownStatus;
  readonly jobs: { readonly count: number; readonly nodes: readonly ShownJob[] };
}

/** A pipeline as its page shows it. */
export interface WholePipeline extends ListedPipeline {
  readonly tag: boolean;
  readonly finishedAt: string | null;
  readonly coverage: number | null;
  readonly status: string;
  readonly active: boolean;
  readonly cancelable: boolean;
  readonly retryable: boolean;
  readonly userPermissions: { readonly updatePipeline: boolean };
  readonly yamlErrorMessages: string | null;
  readonly stages: { readonly nodes: readonly ShownStage[] };
}

interface PageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly pipeline: WholePipeline;
}

const percent = (value: number) => `${Number(value.toFixed(2))} %`;

/** A pipeline with its stages. */
export function PipelinePage({ site, place, pipeline }: PageProps) {
  const { iid, name, path, ref, sha, tag, user, createdAt, finishedAt, duration, coverage, stages } = pipeline;
  const running = pipeline.active && site.visitor;
  const mayRun = pipeline.userPermissions.updatePipeline;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`Pipeline #${iid} · ${place.name}`}
      current="pipelines"
      {...(running && { load: ['live.js'] as const })}
    >
      <p class="kind">Pipeline #{iid}</p>
      <h1 class="code-title">
        <bdi>{name ?? ref}</bdi> <Status status={pipeline.detailedStatus} />
      </h1>
      {pipeline.yamlErrorMessages !== null && (
        <p class="warning">
          Its configuration is wrong: <bdi>{pipeline.yamlErrorMessages}</bdi>
        </p>
      )}
      <Facts
        facts={[
          [
            tag ? 'Tag' : 'Branch',
            <a href={codePath(place, 'commits', ref)}>
              <bdi>{ref}</bdi>
            </a>,
          ],
          [
            'Commit',
            <a href={commitPath(place, sha)}>
              <code>{sha.slice(0, 8)}</code>
            </a>,
          ],
          user && [
            'Started by',
            <a href={user.webPath}>
              <bdi>{user.name}</bdi>
            </a>,
          ],
          ['Source', sourceWords(pipeline.source)],
          ['Created', <Moment at={createdAt} />],
          finishedAt !== null && ['Finished', <Moment at={finishedAt} />],
          duration !== null && ['Duration', lasting(duration)],
          coverage !== null && ['Coverage', percent(coverage)],
        ]}
      />
      <MayNotRun site={site} place={place} mayRun={mayRun} tag={tag} />
      {mayRun && site.visitor && (
        <div class="job-ways">
          {pipeline.retryable && (
            <Form csrf={site.visitor.csrf} action={`${path}/retry`}>
              <button class="button">Retry pipeline</button>
            </Form>
          )}
          {pipeline.cancelable && (
            <Form csrf={site.visitor.csrf} action={`${path}/cancel`}>
              <button class="button">Cancel pipeline</button>
            </Form>
          )}
        </div>
      )}
      {running && (
        <p class="hint" data-live={`${path}/live`} data-while="It is shown as it goes on." data-lost={later}>
          {later}
        </p>
      )}
      <div data-live-content>
        <PipelineContent site={site} place={place} mayRun={mayRun} stages={stages.nodes} />
      </div>
    </PlaceLayout>
  );
}

/** What a page without scripts says of a pipeline that goes on. */
const later = 'It goes on; load the page again to see more.';

interface ContentProps extends Pick<PageProps, 'site' | 'place'> {
  /** Whether the viewer starts and ends its jobs. */
  readonly mayRun: boolean;
  readonly stages: readonly ShownStage[];
}

/** The picture of a pipeline and its jobs: what changes while it runs. */
export function PipelineContent({ site, place, mayRun, stages }: ContentProps) {
  if (stages.length === 0) return <p class="empty">This pipeline has no jobs.</p>;
  const waits = stages.some(({ jobs }) =>
    jobs.nodes.some(({ external, detailedStatus }) => !external && detailedStatus.group === 'pending'),
  );
  return (
    <>
      {waits && <WaitsForRunner place={place}>Jobs wait for a runner of this project.</WaitsForRunner>}
      <PipelineGraph stages={stages} />
      {stages.map((stage, index) => (
        <Stage site={site} place={place} mayRun={mayRun} stage={stage} id={`stage-${index + 1}`} />
      ))}
    </>
  );
}

interface StageProps extends Omit<ContentProps, 'stages'> {
  readonly stage: ShownStage;
  readonly id: string;
}

function Stage({ site, place, mayRun, stage, id }: StageProps) {
  const more = stage.jobs.count - stage.jobs.nodes.length;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{stage.name}</bdi> <Status status={stage.detailedStatus} />
      </h2>
      <ul class="records jobs">
        {stage.jobs.nodes.map((job) => (
          <li>
            <span class="badges">
              <Status status={job.detailedStatus} />
              {!job.external ? (
                <a href={job.webPath}>
                  <bdi>{job.name}</bdi>
                </a>
              ) : job.targetUrl === null ? (
                <bdi>{job.name}</bdi>
              ) : (
                <a href={job.targetUrl} rel="nofollow noopener noreferrer">
                  <bdi>{job.name}</bdi>
                  <span class="hidden"> (another site)</span>
                </a>
              )}
            </span>
            {job.description !== null && (
              <p>
                <bdi>{job.description}</bdi>
              </p>
            )}
            <p class="hint">
              {[
                job.allowFailure && 'may fail',
                job.duration !== null && lasting(job.duration),
                job.coverage !== null && `coverage ${percent(job.coverage)}`,
              ]
                .filter(Boolean)
                .map((fact) => `${fact}, `)
                .join('')}
              {job.user && (
                <a href={job.user.webPath}>
                  <bdi>{job.user.name}</bdi>
                </a>
              )}
              {job.finishedAt !== null && (
                <>
                  , <Ago at={job.finishedAt} />
                </>
              )}
            </p>
            <JobWays site={site} place={place} job={job} mayRun={mayRun} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="hint">{more} more.</p>}
    </section>
  );
}
