import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { writesTo } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { WhyNot } from '../../places/place/why-not.tsx';
import { Moment } from '../../site/records/day.tsx';
import { Choices, Form, NotSaved, Obstacle, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts, Pager } from '../../site/records/records.tsx';

/** The address of a page of schedules. */
export const schedulesPath = (place: PlaceHead, page = ''): string => below(place, `/pipeline_schedules${page}`);

export interface ShownSchedule {
  readonly id: number;
  readonly description: string;
  readonly refForDisplay: string;
  readonly ref: string;
  readonly cron: string;
  readonly cronTimezone: string;
  readonly active: boolean;
  readonly nextRunAt: string | null;
  readonly lastProblem: string | null;
  readonly owner: { readonly username: string } | null;
  readonly lastPipeline: { readonly path: string; readonly iid: string } | null;
  readonly userPermissions: {
    readonly updatePipelineSchedule: boolean;
    readonly adminPipelineSchedule: boolean;
    readonly takeOwnershipPipelineSchedule: boolean;
    readonly playPipelineSchedule: boolean;
  };
}

/** The values in the form of a schedule. */
export type ScheduleDraft = Pick<ShownSchedule, 'description' | 'ref' | 'cron' | 'cronTimezone' | 'active'>;

/** Error messages by field, in sentences. */
export type ScheduleErrors = Readonly<Record<string, readonly string[] | undefined>>;

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly schedules: readonly ShownSchedule[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
  /** Why nothing was done. */
  readonly problem?: string | undefined;
}

/** The schedules of a project. */
export function ScheduleList({ site, place, schedules, pages, problem }: ListProps) {
  const mayMake = site.visitor && writesTo(place);
  return (
    <PlaceLayout site={site} place={place} title={`Schedules · ${place.name}`} current="schedules">
      <h1>Schedules</h1>
      <p class="lead">A schedule starts pipelines by the clock, with the rights of its owner.</p>
      {problem && <Obstacle>{problem}</Obstacle>}
      {mayMake ? (
        <p>
          <a class="button primary" href={schedulesPath(place, '/new')}>
            New schedule
          </a>
        </p>
      ) : (
        <WhyNot site={site} place={place} role="Developer" to="make schedules" />
      )}
      {schedules.length === 0 && <p class="empty">No schedules yet.</p>}
      <ul class="records">
        {schedules.map((schedule) => (
          <li>
            <h2>
              <bdi>{schedule.description}</bdi> {!schedule.active && <Badge>Inactive</Badge>}
            </h2>
            <Facts
              facts={[
                ['Branch or tag', <bdi>{schedule.refForDisplay}</bdi>],
                ['When', <code>{`${schedule.cron} (${schedule.cronTimezone})`}</code>],
                ['Next run', schedule.active && schedule.nextRunAt ? <Moment at={schedule.nextRunAt} /> : 'None'],
                [
                  'Last pipeline',
                  schedule.lastPipeline && <a href={schedule.lastPipeline.path}>#{schedule.lastPipeline.iid}</a>,
                ],
                ['Last problem', schedule.lastProblem],
                ['Owner', schedule.owner ? <bdi>{schedule.owner.username}</bdi> : 'None, so it starts no pipelines'],
              ]}
            />
            {site.visitor && !place.archived && <Ways site={site} place={place} of={schedule} />}
          </li>
        ))}
      </ul>
      <Pager of="schedules" {...pages} labels={['Older', 'Newer']} />
    </PlaceLayout>
  );
}

function Ways({ site, place, of }: { readonly site: Site; readonly place: PlaceHead; readonly of: ShownSchedule }) {
  const { userPermissions: may, id, description } = of;
  const act = (way: string, words: string) => (
    <Form csrf={site.visitor!.csrf} action={schedulesPath(place, `/${id}/${way}`)}>
      <button class="button quiet">
        {words}
        <span class="hidden"> {description}</span>
      </button>
    </Form>
  );
  const link = (way: string, words: string) => (
    <a href={schedulesPath(place, `/${id}/${way}`)}>
      {words}
      <span class="hidden"> the schedule {description}</span>
    </a>
  );
  return (
    <>
      {may.playPipelineSchedule && act('play', 'Run now')}
      {may.takeOwnershipPipelineSchedule && !may.updatePipelineSchedule && act('take_ownership', 'Take ownership of')}
      <p class="ways">
        {may.updatePipelineSchedule && link('edit', 'Edit')} {may.adminPipelineSchedule && link('remove', 'Remove')}
      </p>
    </>
  );
}

interface FormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  /** Undefined: a new one. */
  readonly of?: ShownSchedule | undefined;
  readonly draft: ScheduleDraft;
  readonly errors?: ScheduleErrors | undefined;
}

/** The form of a schedule. */
export function ScheduleForm({ site, place, of, draft, errors }: FormProps) {
  const title = of ? `Edit the schedule ${of.description}` : 'New schedule';
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="schedules">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      {of?.active && of.nextRunAt && (
        <p>
          It runs next: <Moment at={of.nextRunAt} />
        </p>
      )}
      <Form csrf={site.visitor!.csrf} action={schedulesPath(place, of ? `/${of.id}/edit` : '/new')}>
        <TextField
          name="description"
          label="Description"
          value={draft.description}
          errors={errors?.description ?? errors?.base ?? []}
          required
        />
        <TextField name="ref" label="Branch or tag" value={draft.ref} errors={errors?.ref} technical required />
        <TextField
          name="cron"
          label="When"
          hint="Minute, hour, day of the month, month, day of the week: 0 3 * * 1-5 is at 3:00 on workdays. At most every ten minutes."
          value={draft.cron}
          errors={errors?.cron}
          technical
          required
          suggestions={['0 3 * * *', '0 3 * * 1', '0 3 1 * *']}
        />
        <TextField
          name="cron_timezone"
          label="Time zone"
          hint="For example Europe/Berlin."
          value={draft.cronTimezone}
          errors={errors?.cronTimezone}
          technical
          required
        />
        <Choices
          name="state"
          label="State"
          choices={[
            {
              name: 'active',
              label: 'Active',
              says: 'The schedule starts pipelines. Otherwise it waits until you activate it.',
              chosen: draft.active,
            },
          ]}
        />
        <div class="decision">
          <button class="button primary">{of ? 'Save changes' : 'Make the schedule'}</button>
          <a href={schedulesPath(place)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}
