import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { writesTo } from '../../places/place/place.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pagesAround } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { allSentences } from '../../site/words.ts';
import { scheduleOperations, type ScheduleOperations } from './operations.ts';
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

/** The schedules of a project: everybody who reads its pipelines sees them. */
export function schedulePages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = scheduleOperations(schema);
  const { play, takeOwnership } = operations;
  return [
    ...[list, newOne, editing, removal].map((page) => page(operations)),
    pressed(operations, play, { way: 'play', name: 'run schedule', notice: 'schedule_played' }),
    pressed(operations, takeOwnership, {
      way: 'take_ownership',
      name: 'take ownership of schedule',
      notice: 'schedule_taken',
    }),
  ];
}

const list = (operations: ScheduleOperations): PlaceRoute => ({
  path: '/pipeline_schedules',
  name: 'schedules',
  of: 'project',
  get: (visit, place) => show(operations, visit, place),
});

async function show(
  { readList }: ScheduleOperations,
  { site, context, exchange }: Visit,
  place: PlaceHead,
  problem?: string,
) {
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

const why = ({ archived }: PlaceHead) =>
  archived
    ? 'This project is archived, so its schedules can’t be changed.'
    : 'You need at least the Developer role to make schedules. Their owners change them; maintainers can take them over.';

const newOne = ({ create }: ScheduleOperations): PlaceRoute =>
  restrict((place) => (writesTo(place) ? undefined : why(place)))({
    path: '/pipeline_schedules/new',
    name: 'new schedule',
    of: 'project',
    forPeople: true,
    get({ site }, place) {
      const draft = { description: '', ref: '', cron: '0 3 * * *', cronTimezone: 'UTC', active: true };
      return toAnswer(<ScheduleForm site={site} place={place} draft={draft} />);
    },
    async post(visit, place, form) {
      const draft = draftIn(form);
      try {
        await create.execute(visit.context, { input: { projectPath: place.fullPath, ...draft } });
      } catch (problem) {
        const errors = errorsOf(problem);
        return toAnswer(<ScheduleForm site={visit.site} place={place} draft={draft} errors={errors} />, 422);
      }
      return saying('schedule_saved', visit, place);
    },
  });

const editing = ({ find, update }: ScheduleOperations): PlaceRoute => ({
  path: '/pipeline_schedules/:id/edit',
  name: 'edit schedule',
  of: 'project',
  forPeople: true,
  async get(visit, place) {
    const schedule = await find(visit, place);
    if (!schedule) return null;
    if (!schedule.userPermissions.updatePipelineSchedule) return forbidden(visit.site, why(place));
    return toAnswer(<ScheduleForm site={visit.site} place={place} of={schedule} draft={schedule} />);
  },
  async post(visit, place, form) {
    const schedule = await find(visit, place);
    if (!schedule) return null;
    const draft = draftIn(form);
    try {
      await update.execute(visit.context, { input: { ...which(place, schedule), ...draft } });
    } catch (problem) {
      const page = { site: visit.site, place, of: schedule, draft, errors: errorsOf(problem) };
      return toAnswer(<ScheduleForm {...page} />, 422);
    }
    return saying('schedule_saved', visit, place);
  },
});

const removal = ({ find, remove }: ScheduleOperations): PlaceRoute => ({
  path: '/pipeline_schedules/:id/remove',
  name: 'remove schedule',
  of: 'project',
  forPeople: true,
  async get(visit, place) {
    const schedule = await find(visit, place);
    if (!schedule) return null;
    if (!schedule.userPermissions.adminPipelineSchedule) return forbidden(visit.site, why(place));
    return placeQuestion(visit, place, 'schedules', {
      title: `Remove the schedule ${schedule.description}?`,
      says: 'It starts no more pipelines. Those that it started stay.',
      does: 'Remove the schedule',
      action: schedulesPath(place, `/${schedule.id}/remove`),
      back: schedulesPath(place),
    });
  },
  async post(visit, place) {
    const schedule = await find(visit, place);
    if (!schedule) return null;
    await remove.execute(visit.context, { input: which(place, schedule) });
    return saying('schedule_removed', visit, place);
  },
});

interface Pressed {
  /** The end of its address. */
  readonly way: string;
  readonly name: string;
  readonly notice: NoticeName;
}

/** A page that carries out something with a schedule, by a press. */
const pressed = (
  operations: ScheduleOperations,
  act: ScheduleOperations['play'],
  { way, name, notice }: Pressed,
): PlaceRoute => ({
  path: `/pipeline_schedules/:id/${way}`,
  name,
  of: 'project',
  forPeople: true,
  leadsTo: (_visit, place) => schedulesPath(place),
  async post(visit, place) {
    requireVisitor(visit);
    const schedule = await operations.find(visit, place);
    if (!schedule) return null;
    try {
      await act.execute(visit.context, { input: which(place, schedule) });
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      return await show(operations, visit, place, Object.values(problem.fields).flat().join(' '));
    }
    return saying(notice, visit, place);
  },
});

const which = (place: PlaceHead, { id }: ShownSchedule) => ({ projectPath: place.fullPath, id: String(id) });

const saying = (notice: NoticeName, visit: Visit, place: PlaceHead): Answer =>
  seeOtherSaying(notice, schedulesPath(place), visit);

const draftIn = (form: Fields): ScheduleDraft => ({
  description: (form.description ?? '').trim(),
  ref: (form.ref ?? '').trim(),
  cron: (form.cron ?? '').trim(),
  cronTimezone: (form.cron_timezone ?? '').trim(),
  active: form.active !== undefined,
});

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  description: 'The description',
  ref: 'The branch or tag',
  cron: 'The time',
  cronTimezone: 'The time zone',
};

/** What the schema found wrong, by field. @throws any other error */
function errorsOf(problem: unknown): ScheduleErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  return allSentences(problem.fields, labels);
}
