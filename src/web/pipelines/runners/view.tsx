import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Ago } from '../../site/day.tsx';
import { Choices, Form, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { Badge, Facts, Pager, SecretOnce } from '../../site/records.tsx';

export const runnersPath = (place: PlaceHead, page = ''): string => below(place, `/runners${page}`);

export interface ShownRunner {
  readonly id: number;
  readonly description: string | null;
  readonly runnerType: 'INSTANCE_TYPE' | 'GROUP_TYPE' | 'PROJECT_TYPE';
  readonly paused: boolean;
  readonly runUntagged: boolean;
  readonly tagList: readonly string[];
  readonly status: string;
  readonly contactedAt: string | null;
}

/** What somebody typed to make a runner. */
export interface RunnerDraft {
  readonly description: string;
  readonly tags: string;
  readonly runUntagged: boolean;
}

export const emptyDraft: RunnerDraft = { description: '', tags: '', runUntagged: true };

/** What a runner is called. */
export const nameOf = ({ id, description }: Pick<ShownRunner, 'id' | 'description'>): string =>
  description || `Runner ${id}`;

const states: Readonly<Record<string, { readonly says: string; readonly tone?: 'good' | 'caution' }>> = {
  ONLINE: { says: 'Online', tone: 'good' },
  OFFLINE: { says: 'Offline', tone: 'caution' },
  STALE: { says: 'Not heard of for months', tone: 'caution' },
  NEVER_CONTACTED: { says: 'Never asked for a job' },
};

const whose = {
  INSTANCE_TYPE: 'All projects',
  GROUP_TYPE: 'The projects of a group',
  PROJECT_TYPE: 'This project',
} as const;

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly runners: readonly ShownRunner[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
  readonly draft: RunnerDraft;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** The runners of a place, and a form that makes one. */
export function RunnerList({ site, place, runners, pages, draft, errors }: ListProps) {
  const title = `Runners · ${place.name}`;
  const wrong = Object.keys(errors).length > 0;
  return (
    <PlaceLayout site={site} place={place} title={wrong ? `Error: ${title}` : title} current="runners">
      <h1>Runners</h1>
      <p class="lead">
        Runners are programs on other machines that carry out the jobs of pipelines. Nothing runs here before one of
        them asks for jobs.
      </p>
      {runners.length === 0 && <p class="empty">No runners yet.</p>}
      <ul class="records">
        {runners.map((runner) => (
          <RunnerItem site={site} place={place} runner={runner} />
        ))}
      </ul>
      <Pager of="runners" {...pages} />
      {!place.archived && (
        <>
          <h2>Make a runner</h2>
          <Form csrf={site.visitor!.csrf} action={runnersPath(place)}>
            <TextField
              name="description"
              label="Description"
              hint="What people call it."
              value={draft.description}
              errors={errors.description ?? []}
            />
            <TextField
              name="tags"
              label="Tags"
              hint="Separated by commas. A job names the tags that its runner must have."
              value={draft.tags}
              errors={errors.tagList ?? []}
            />
            <Choices
              name="untagged"
              label="Jobs"
              choices={[
                {
                  name: 'run_untagged',
                  label: 'Also those without tags',
                  says: 'Otherwise it gets only jobs that name one of its tags.',
                  chosen: draft.runUntagged,
                },
              ]}
            />
            <div class="decision">
              <button class="button primary">Make the runner</button>
            </div>
          </Form>
        </>
      )}
    </PlaceLayout>
  );
}

interface ItemProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly runner: ShownRunner;
}

function RunnerItem({ site, place, runner }: ItemProps) {
  const { says, tone } = states[runner.status] ?? { says: runner.status };
  const isOwn = runner.runnerType === (place.kind === 'project' ? 'PROJECT_TYPE' : 'GROUP_TYPE');
  const name = nameOf(runner);
  return (
    <li>
      <h2>
        <bdi>{name}</bdi> {runner.paused ? <Badge tone="caution">Paused</Badge> : <Badge tone={tone}>{says}</Badge>}
      </h2>
      <Facts
        facts={[
          [
            'Carries out jobs of',
            isOwn && place.kind === 'group' ? 'The projects of this group' : whose[runner.runnerType],
          ],
          ['Tags', runner.tagList.length > 0 ? <bdi>{runner.tagList.join(', ')}</bdi> : 'None'],
          ['Jobs without tags', runner.runUntagged ? 'Yes' : 'No'],
          ['Last asked', runner.contactedAt ? <Ago at={runner.contactedAt} /> : 'Never'],
        ]}
      />
      {isOwn && !place.archived && (
        <div class="ways">
          <Form csrf={site.visitor!.csrf} action={runnersPath(place, `/${runner.id}/pause`)}>
            <input type="hidden" name="paused" value={runner.paused ? '' : 'on'} />
            <button class="button">
              {runner.paused ? 'Resume' : 'Pause'}
              <span class="hidden"> {name}</span>
            </button>
          </Form>
          <a href={runnersPath(place, `/${runner.id}/remove`)}>
            Remove<span class="hidden"> {name}</span>
          </a>
        </div>
      )}
    </li>
  );
}

interface MadeProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly token: string;
}

/** The page that shows the token of a new runner, once, with how one is attached. */
export function MadeRunner({ site, place, token }: MadeProps) {
  const register = `gitlab-runner register --non-interactive --url ${site.baseUrl} --token ${token} --executor shell`;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`The runner is made · ${place.name}`}
      current="runners"
      load={['copy.js']}
    >
      <h1>The runner is made</h1>
      <SecretOnce label="its token" value={token} />
      <h2>Attach GitLab Runner</h2>
      <p>On the machine that is to run the jobs, with GitLab Runner installed:</p>
      <pre class="command">
        <code>{`${register}\ngitlab-runner run`}</code>
      </pre>
      <p class="decision">
        <a class="button primary" href={runnersPath(place)}>
          I have copied it
        </a>
      </p>
    </PlaceLayout>
  );
}

/** The token was shown before. */
export function NotShownAgain({ site, place }: Omit<MadeProps, 'token'>) {
  return (
    <PlaceLayout site={site} place={place} title={`The token isn’t shown again · ${place.name}`} current="runners">
      <h1>The token isn’t shown again</h1>
      <p class="lead">
        It was already shown, is older than ten minutes, or was made in another session. Remove the runner and make
        another one if you didn’t copy it.
      </p>
      <p class="decision">
        <a class="button primary" href={runnersPath(place)}>
          Go to the runners
        </a>
      </p>
    </PlaceLayout>
  );
}
