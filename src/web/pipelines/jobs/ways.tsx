import { below } from '../../places/place/layout.tsx';
import { writesTo } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';

/** What may be done with a job in the state that it has. */
export interface ChangeableJob {
  readonly databaseId: number;
  readonly name: string;
  readonly external: boolean;
  readonly retried: boolean;
  readonly cancelable: boolean;
  readonly retryable: boolean;
  readonly playable: boolean;
  /** When it starts, while it waits for that. */
  readonly scheduledAt: string | null;
  readonly erasedAt?: string | null;
  /** Null: it never ran. */
  readonly duration?: number | null;
}

/** What a job that no one carries out yet waits for, and where to look: without a runner it waits for ever. */
export function WaitsForRunner({ place, children }: { readonly place: PlaceHead; readonly children: string }) {
  return (
    <p class="hint">
      {children}{' '}
      {place.userPermissions.adminProject && <a href={below(place, '/runners')}>See whether one is online</a>}
    </p>
  );
}

interface Props {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly job: ChangeableJob;
  readonly mayRun: boolean;
  readonly mayErase?: boolean;
  /** Whether it is the page of the job: others come back to the pipeline, and offer less. */
  readonly whole?: boolean;
}

interface MayNotRunProps extends Pick<Props, 'site' | 'place' | 'mayRun'> {
  readonly tag: boolean;
}

/** Says to those who write to a project that they run nothing on a protected branch or tag. */
export const MayNotRun = ({ site, place, mayRun, tag }: MayNotRunProps) =>
  !site.visitor || mayRun || !writesTo(place) ? null : (
    <p class="hint">This {tag ? 'tag' : 'branch'} is protected: your role doesn’t start, cancel or retry jobs on it.</p>
  );

/** The buttons of a job, for those who run pipelines on its branch or tag. */
export function JobWays({ site, place, job, mayRun, mayErase = false, whole = false }: Props) {
  const { databaseId: id, name, external, cancelable, retryable, playable, scheduledAt, retried } = job;
  if (!site.visitor || external || !mayRun) return null;
  const { csrf } = site.visitor;
  const act = (way: string, words: string) => (
    <Form csrf={csrf} action={below(place, `/jobs/${id}/${way}`)} {...(!whole && { carries: { back: 'pipeline' } })}>
      <button class="button quiet">
        {words}
        <span class="hidden"> {name}</span>
      </button>
    </Form>
  );
  const isErasable =
    mayErase && !cancelable && job.erasedAt === null && job.duration !== null && (retryable || retried);
  const isFirst = playable && !retryable;
  if (!isFirst && !cancelable && !retryable && !isErasable) return null;
  return (
    <div class="job-ways">
      {isFirst && act('play', 'Start')}
      {isFirst && whole && <a href={below(place, `/jobs/${id}/play`)}>Start with variables</a>}
      {scheduledAt !== null && act('unschedule', 'Unschedule')}
      {retryable && act('retry', 'Retry')}
      {cancelable && act('cancel', 'Cancel')}
      {isErasable && <a href={below(place, `/jobs/${id}/erase`)}>Erase log and artifacts</a>}
    </div>
  );
}
