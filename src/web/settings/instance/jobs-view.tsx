import { Ago } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';

export const jobsPath = '/admin/jobs';

/** The queue of background work: how much there is of each kind, and what failed. */
export interface Queue {
  readonly kinds: readonly Kind[];
  readonly failures: readonly Failure[];
}

interface Kind {
  readonly name: string;
  readonly meaning: string | null;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
}

interface Failure {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
  readonly error: string | null;
  /** Null: it failed for good. */
  readonly nextAttemptAt: string | null;
}

/** `create_pipelines` as words. */
const words = (name: string) => name.replaceAll('_', ' ');

export function JobQueue({ site, queue: { kinds, failures } }: { readonly site: Site; readonly queue: Queue }) {
  const { csrf } = site.visitor!;
  const busy = kinds.filter(({ waiting, running, dead }) => waiting + running + dead > 0);
  const dead = failures.some(({ nextAttemptAt }) => nextAttemptAt === null);
  return (
    <AdminLayout site={site} title="Background jobs" current={jobsPath}>
      <h1>Background jobs</h1>
      <p class="lead">
        What the instance does after it has answered: mails, pipelines, merges, removals. A job that fails is tried
        again, with longer and longer pauses.
      </p>
      <h2>Failures</h2>
      <Table
        caption="Jobs that failed"
        columns={['Job', 'Attempts', 'Next attempt', 'Error', { hidden: 'Actions' }]}
        rows={failures.map(({ id, name, attempts, nextAttemptAt, error }) => [
          words(name),
          attempts.toLocaleString('en'),
          nextAttemptAt === null ? 'Never' : <Ago at={nextAttemptAt} />,
          <code>{error}</code>,
          nextAttemptAt === null && (
            <Form csrf={csrf} action={jobsPath} carries={{ id }}>
              <button class="button">
                Try again<span class="hidden"> {words(name)}</span>
              </button>
            </Form>
          ),
        ])}
        empty="None failed."
      />
      {dead && failures.length > 1 && (
        <Form csrf={csrf} action={jobsPath}>
          <button class="button primary">Try all of them again</button>
        </Form>
      )}
      <h2>In the queue</h2>
      <Table
        caption="Jobs in the queue"
        columns={['Job', 'Waiting', 'Running', 'Failed for good']}
        rows={busy.map(({ name, meaning, waiting, running, dead: failed }) => [
          <>
            {words(name)}
            {meaning && <span class="hint"> {meaning}</span>}
          </>,
          ...[waiting, running, failed].map((count) => count.toLocaleString('en')),
        ])}
        empty="Nothing waits."
      />
    </AdminLayout>
  );
}
