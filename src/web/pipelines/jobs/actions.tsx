import type { GraphQLSchema } from 'graphql';
import { Forbidden, InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { Form, Obstacle } from '../../site/forms/forms.tsx';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import type { WholeJob } from './view.tsx';
import { filled, rowsIn, VariableRows, type VariableRow } from '../variable-rows.tsx';

/** What people do with a job on pages. */

interface Changed {
  readonly databaseId: number;
  readonly name: string;
  readonly pipeline: { readonly path: string };
}

/** Why someone can’t do it. */
const refusals: Readonly<Record<keyof WholeJob['userPermissions'], string>> = {
  updateBuild: 'Your role doesn’t start, cancel or retry jobs on this branch or tag.',
  eraseBuild:
    'The person who started the job, and maintainers, erase its log and artifacts, where their role runs jobs.',
};

const isJob = ({ named }: Visit) => isRecordNumber(named.id);

export function jobActions(schema: GraphQLSchema): PlaceRoute[] {
  const mutation = (verb: 'Play' | 'Retry' | 'Cancel' | 'Unschedule' | 'Erase') =>
    compileOperation<{ readonly changed: { readonly job: Changed } }>(
      schema,
      `mutation ($input: Job${verb}Input!) { changed: job${verb}(input: $input) { job { databaseId name pipeline { path } } } }`,
    );
  const [play, retry, cancel, erase] = [mutation('Play'), mutation('Retry'), mutation('Cancel'), mutation('Erase')];
  const readJob = compileOperation<{ readonly job: Pick<WholeJob, 'name' | 'userPermissions'> }>(
    schema,
    'query ($project: ID!, $id: JobID!) { job(project: $project, id: $id) { name userPermissions { updateBuild eraseBuild } } }',
  );
  /** The name of a job, for those who may do this with it. @throws Forbidden for others */
  async function nameFor(may: keyof typeof refusals, { context, named }: Visit, { fullPath }: PlaceHead) {
    const { job } = await readJob.execute(context, { project: fullPath, id: named.id });
    if (!job.userPermissions[may]) throw new Forbidden(refusals[may]);
    return job.name;
  }

  const inputOf = ({ named }: Visit, { fullPath }: PlaceHead, more: object = {}) => ({
    input: { projectPath: fullPath, id: named.id, ...more },
  });

  /** Back to where the button was. A retry leads to the new job. */
  function done(
    visit: Visit,
    place: PlaceHead,
    form: Fields,
    { changed }: { readonly changed: { job: Changed } },
    notice: NoticeName,
  ) {
    const { job } = changed;
    const back = form.back === 'pipeline' ? job.pipeline.path : below(place, `/jobs/${job.databaseId}`);
    return seeOtherSaying(notice, back, visit);
  }

  const pressed = (way: string, operation: typeof play, notice: NoticeName): PlaceRoute => ({
    path: `/jobs/:id/${way}`,
    name: `${way} a job`,
    of: 'project',
    forPeople: true,
    leadsTo: ({ named }, place) => below(place, `/jobs/${named.id}`),
    async post(visit, place, form) {
      if (!isJob(visit)) return null;
      return done(visit, place, form, await operation.execute(visit.context, inputOf(visit, place)), notice);
    },
  });

  async function askForVariables(visit: Visit, place: PlaceHead, rows: readonly VariableRow[], problem?: string) {
    const name = await nameFor('updateBuild', visit, place);
    return toAnswer(
      <PlaceLayout site={visit.site} place={place} title={`Start ${name}`} current="pipelines">
        <h1>
          Start <bdi>{name}</bdi>
        </h1>
        {problem !== undefined && <Obstacle>{problem}</Obstacle>}
        <Form csrf={visit.site.visitor!.csrf} action={below(place, `/jobs/${visit.named.id}/play`)}>
          <VariableRows rows={rows} />
          <div class="decision">
            <button class="button primary">Start the job</button>
            <a href={below(place, `/jobs/${visit.named.id}`)}>Cancel</a>
          </div>
        </Form>
      </PlaceLayout>,
      problem === undefined ? 200 : 422,
    );
  }

  return [
    pressed('retry', retry, 'job_retried'),
    pressed('cancel', cancel, 'job_canceled'),
    pressed('unschedule', mutation('Unschedule'), 'job_unscheduled'),
    {
      path: '/jobs/:id/play',
      name: 'start a job',
      of: 'project',
      forPeople: true,
      get: (visit, place) => (isJob(visit) ? askForVariables(visit, place, []) : null),
      async post(visit, place, form) {
        if (!isJob(visit)) return null;
        const rows = rowsIn(form);
        const variables = filled(rows).map(({ key, value }) => ({ key, value }));
        try {
          const changed = await play.execute(visit.context, inputOf(visit, place, { variables }));
          return done(visit, place, form, changed, 'job_started');
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const said = Object.values(problem.fields).flat().join(' ');
          return await askForVariables(visit, place, rows, `The variables: ${said}`);
        }
      },
    },
    {
      path: '/jobs/:id/erase',
      name: 'erase a job',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        if (!isJob(visit)) return null;
        const name = await nameFor('eraseBuild', visit, place);
        return placeQuestion(visit, place, 'pipelines', {
          title: `Erase ${name}?`,
          says: 'Its log and its artifacts are removed for good. The job itself stays.',
          does: 'Erase log and artifacts',
          back: below(place, `/jobs/${visit.named.id}`),
          action: below(place, `/jobs/${visit.named.id}/erase`),
        });
      },
      async post(visit, place, form) {
        if (!isJob(visit)) return null;
        return done(visit, place, form, await erase.execute(visit.context, inputOf(visit, place)), 'job_erased');
      },
    },
  ];
}
