import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { writesTo } from '../../places/place/place.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import {
  ScheduleForm,
  ScheduleList,
  schedulesPath,
  type ScheduleDraft,
  type ScheduleErrors,
  type ShownSchedule,
} from './view.tsx';

/** Schedules on a page. */
const size = 30;

const fields = `id: databaseId description ref refForDisplay cron cronTimezone active nextRunAt lastProblem
  owner { username } lastPipeline { iid path }
  userPermissions { updatePipelineSchedule adminPipelineSchedule takeOwnershipPipelineSchedule playPipelineSchedule }`;

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  description: 'The description',
  ref: 'The branch or tag',
  cron: 'The time',
  cronTimezone: 'The time zone',
};

/** @throws any other error */
function errorsOf(problem: unknown): ScheduleErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  return Object.fromEntries(
    Object.entries(problem.fields).map(([field, messages]) => [
      field,
      field === 'base' ? messages : sentences(labels[field] ?? field, messages),
    ]),
  );
}

const draftIn = (form: Fields): ScheduleDraft => ({
  description: (form.description ?? '').trim(),
  ref: (form.ref ?? '').trim(),
  cron: (form.cron ?? '').trim(),
  cronTimezone: (form.cron_timezone ?? '').trim(),
  active: form.active !== undefined,
});

/** The schedules of a project: everybody who reads its pipelines sees them. */
export function schedulePages(schema: GraphQLSchema): PlaceRoute[] {
  const readList = compileOperation<{
    readonly schedules: { readonly nodes: readonly ShownSchedule[]; readonly pageInfo: PageInfo };
  }>(
    schema,
    `query ($project: ID!, $first: Int, $last: Int, $before: String, $after: String) {
      schedules: pipelineSchedules(project: $project, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${fields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{ readonly schedule: ShownSchedule }>(
    schema,
    `query ($project: ID!, $id: CiPipelineScheduleID!) {
      schedule: pipelineSchedule(project: $project, id: $id) { ${fields} }
    }`,
  );
  const mutate = (verb: string) =>
    compileOperation<object>(
      schema,
      `mutation ($input: PipelineSchedule${verb}Input!) { pipelineSchedule${verb}(input: $input) { clientMutationId } }`,
    );
  const [create, update, remove] = [mutate('Create'), mutate('Update'), mutate('Delete')] as const;
  const [play, takeOwnership] = [mutate('Play'), mutate('TakeOwnership')] as const;

  async function show({ site, context, exchange }: Visit, place: PlaceHead, problem?: string) {
    const query = readQuery(exchange);
    const { schedules } = await readList.execute(context, { project: place.fullPath, ...pageArguments(query, size) });
    return toAnswer(
      <ScheduleList
        site={site}
        place={place}
        schedules={schedules.nodes}
        pages={pagesAround(schedulesPath(place), query, schedules.pageInfo)}
        problem={problem}
      />,
      problem ? 422 : 200,
    );
  }

  /** Null if the project doesn't have it. */
  async function found({ named: { id = '' }, context }: Visit, place: PlaceHead): Promise<ShownSchedule | null> {
    if (!isRecordNumber(id)) return null;
    try {
      return (await readOne.execute(context, { project: place.fullPath, id })).schedule;
    } catch (problem) {
      if (problem instanceof NotFound) return null;
      throw problem;
    }
  }

  const which = (place: PlaceHead, { id }: ShownSchedule) => ({ projectPath: place.fullPath, id: String(id) });

  const refused = ({ site }: Visit, { archived }: PlaceHead) =>
    forbidden(
      site,
      archived
        ? 'This project is archived, so its schedules can’t be changed.'
        : 'You need at least the Developer role to make schedules. Their owners change them; maintainers can take them over.',
    );

  /** A page that carries out something with a schedule, by a press. */
  const pressed = (
    way: string,
    name: string,
    act: (visit: Visit, place: PlaceHead, schedule: ShownSchedule) => Promise<unknown>,
    notice: 'schedule_played' | 'schedule_taken',
  ): PlaceRoute => ({
    path: `/pipeline_schedules/:id/${way}`,
    name,
    of: 'project',
    forPeople: true,
    leadsTo: (_visit, place) => schedulesPath(place),
    async post(visit, place) {
      requireVisitor(visit);
      const schedule = await found(visit, place);
      if (!schedule) return null;
      try {
        await act(visit, place, schedule);
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        return await show(visit, place, Object.values(problem.fields).flat().join(' '));
      }
      return seeOtherSaying(notice, schedulesPath(place), visit);
    },
  });

  return [
    {
      path: '/pipeline_schedules',
      name: 'schedules',
      of: 'project',
      get: (visit, place) => show(visit, place),
    },
    {
      path: '/pipeline_schedules/new',
      name: 'new schedule',
      of: 'project',
      forPeople: true,
      get(visit, place) {
        if (!writesTo(place)) return refused(visit, place);
        const draft = { description: '', ref: '', cron: '0 3 * * *', cronTimezone: 'UTC', active: true };
        return toAnswer(<ScheduleForm site={visit.site} place={place} draft={draft} />);
      },
      async post(visit, place, form) {
        if (!writesTo(place)) return refused(visit, place);
        const draft = draftIn(form);
        try {
          await create.execute(visit.context, { input: { projectPath: place.fullPath, ...draft } });
        } catch (problem) {
          const errors = errorsOf(problem);
          return toAnswer(<ScheduleForm site={visit.site} place={place} draft={draft} errors={errors} />, 422);
        }
        return seeOtherSaying('schedule_saved', schedulesPath(place), visit);
      },
    },
    {
      path: '/pipeline_schedules/:id/edit',
      name: 'edit schedule',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        const schedule = await found(visit, place);
        if (!schedule) return null;
        if (!schedule.userPermissions.updatePipelineSchedule) return refused(visit, place);
        return toAnswer(<ScheduleForm site={visit.site} place={place} of={schedule} draft={schedule} />);
      },
      async post(visit, place, form) {
        const schedule = await found(visit, place);
        if (!schedule) return null;
        const draft = draftIn(form);
        try {
          await update.execute(visit.context, { input: { ...which(place, schedule), ...draft } });
        } catch (problem) {
          const errors = errorsOf(problem);
          return toAnswer(
            <ScheduleForm site={visit.site} place={place} of={schedule} draft={draft} errors={errors} />,
            422,
          );
        }
        return seeOtherSaying('schedule_saved', schedulesPath(place), visit);
      },
    },
    pressed(
      'play',
      'run schedule',
      ({ context }, place, schedule) => play.execute(context, { input: which(place, schedule) }),
      'schedule_played',
    ),
    pressed(
      'take_ownership',
      'take ownership of schedule',
      ({ context }, place, schedule) => takeOwnership.execute(context, { input: which(place, schedule) }),
      'schedule_taken',
    ),
    {
      path: '/pipeline_schedules/:id/remove',
      name: 'remove schedule',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        const schedule = await found(visit, place);
        if (!schedule) return null;
        if (!schedule.userPermissions.adminPipelineSchedule) return refused(visit, place);
        return placeQuestion(visit, place, 'schedules', {
          title: `Remove the schedule ${schedule.description}?`,
          says: 'It starts no more pipelines. Those that it started stay.',
          does: 'Remove the schedule',
          action: schedulesPath(place, `/${schedule.id}/remove`),
          back: schedulesPath(place),
        });
      },
      async post(visit, place) {
        const schedule = await found(visit, place);
        if (!schedule) return null;
        await remove.execute(visit.context, { input: which(place, schedule) });
        return seeOtherSaying('schedule_removed', schedulesPath(place), visit);
      },
    },
  ];
}
