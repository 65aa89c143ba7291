import type { ComponentChildren, FunctionComponent } from 'preact';
import type { AssetName } from '../../site/layout/assets.ts';
import type { CsrfTokens } from '../../site/csrf.ts';
import { Ago } from '../../site/records/day.tsx';
import { Choices, Form, TextField } from '../../site/forms/forms.tsx';
import { Badge, Facts, Pager, SecretOnce } from '../../site/records/records.tsx';

interface FrameProps {
  readonly title: string;
  readonly load?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** Where the pages of some runners are: in a project, in a group, or in the administration. */
export interface RunnerHost {
  readonly Frame: FunctionComponent<FrameProps>;
  /** The address of a page of runners. @param page begins with a slash */
  path(page?: string): string;
  readonly csrf: CsrfTokens;
  readonly baseUrl: string;
  /** What titles end in: the name of the place. */
  readonly of: string;
  /** Whose jobs each kind of runner carries out, as seen from here. */
  readonly whose: Readonly<Record<ShownRunner['runnerType'], string>>;
  /** The kinds that are changed here; none in an archived project. */
  readonly changes: readonly ShownRunner['runnerType'][];
}

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

/** What someone typed to make a runner. */
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
  STALE: { says: 'No contact for months', tone: 'caution' },
  NEVER_CONTACTED: { says: 'Never asked for a job' },
};

interface ListProps {
  readonly host: RunnerHost;
  readonly runners: readonly ShownRunner[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
  readonly draft: RunnerDraft;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** The runners of a place, and a form that makes one. */
export function RunnerList({ host, runners, pages, draft, errors }: ListProps) {
  const { Frame, csrf, changes } = host;
  const title = `Runners${host.of}`;
  const wrong = Object.keys(errors).length > 0;
  return (
    <Frame title={wrong ? `Error: ${title}` : title}>
      <h1>Runners</h1>
      <p class="lead">
        Runners are programs on other machines that run the jobs of pipelines. A job starts once a runner asks for it.
      </p>
      {runners.length === 0 && <p class="empty">No runners yet.</p>}
      <ul class="records">
        {runners.map((runner) => (
          <RunnerItem host={host} runner={runner} />
        ))}
      </ul>
      <Pager of="runners" {...pages} />
      {changes.length > 0 && (
        <>
          <h2>Make a runner</h2>
          <Form csrf={csrf} action={host.path()}>
            <TextField
              name="description"
              label="Description"
              hint="A name by which people recognize it."
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
    </Frame>
  );
}

function RunnerItem({ host, runner }: { readonly host: RunnerHost; readonly runner: ShownRunner }) {
  const { says, tone } = states[runner.status] ?? { says: runner.status };
  const name = nameOf(runner);
  return (
    <li>
      <h2>
        <bdi>{name}</bdi> {runner.paused ? <Badge tone="caution">Paused</Badge> : <Badge tone={tone}>{says}</Badge>}
      </h2>
      <Facts
        facts={[
          ['Carries out jobs of', host.whose[runner.runnerType]],
          ['Tags', runner.tagList.length > 0 ? <bdi>{runner.tagList.join(', ')}</bdi> : 'None'],
          ['Jobs without tags', runner.runUntagged ? 'Yes' : 'No'],
          ['Last asked', runner.contactedAt ? <Ago at={runner.contactedAt} /> : 'Never'],
        ]}
      />
      {host.changes.includes(runner.runnerType) && (
        <div class="ways">
          <Form csrf={host.csrf} action={host.path(`/${runner.id}/pause`)}>
            <input type="hidden" name="paused" value={runner.paused ? '' : 'on'} />
            <button class="button">
              {runner.paused ? 'Resume' : 'Pause'}
              <span class="hidden"> {name}</span>
            </button>
          </Form>
          <a href={host.path(`/${runner.id}/remove`)}>
            Remove<span class="hidden"> {name}</span>
          </a>
        </div>
      )}
    </li>
  );
}

interface MadeProps {
  readonly host: RunnerHost;
  readonly token: string;
}

/** The page that shows the token of a new runner, once, with how one is attached. */
export function MadeRunner({ host, token }: MadeProps) {
  const { Frame, baseUrl, of } = host;
  const register = `gitlab-runner register --non-interactive --url ${baseUrl} --token ${token} --executor shell`;
  return (
    <Frame title={`The runner is made${of}`} load={['copy.js']}>
      <h1>The runner is made</h1>
      <SecretOnce label="its token" value={token} />
      <h2>Attach GitLab Runner</h2>
      <p>On the machine that is to run the jobs, with GitLab Runner installed:</p>
      <pre class="command">
        <code>{`${register}\ngitlab-runner run`}</code>
      </pre>
      <p class="decision">
        <a class="button primary" href={host.path()}>
          I have copied it
        </a>
      </p>
    </Frame>
  );
}

/** The token was shown before. */
export function NotShownAgain({ host }: Omit<MadeProps, 'token'>) {
  const { Frame, of } = host;
  return (
    <Frame title={`The token isn’t shown again${of}`}>
      <h1>The token isn’t shown again</h1>
      <p class="lead">
        It was already shown, is older than ten minutes, or was made in another session. Remove the runner and make
        another one if you didn’t copy it.
      </p>
      <p class="decision">
        <a class="button primary" href={host.path()}>
          Go to the runners
        </a>
      </p>
    </Frame>
  );
}
