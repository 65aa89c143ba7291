import type { Role } from '../../support/pages/walk.ts';
import type { Records, Stops } from './records.ts';

type Page = string | ((known: Records) => string);

const at =
  (place: (known: Records) => string) =>
  (page: Page, as: readonly Role[] = ['maintainer']) => ({
    at: (known: Records) => `${place(known)}/-/${typeof page === 'string' ? page : page(known)}`,
    as,
  });
const inProject = at(({ code }) => `/${code.fullPath}`);
const inGroup = at(() => '/groups/demo/platform');
const everyone = ['anonymous', 'guest', 'developer', 'maintainer', 'root'] as const;
const owners = ['root'] as const;

/** The pages of pipelines, and of what they need and leave. */
export const pipelineStops: Stops = {
  pipelines: inProject('pipelines', everyone),
  'run-pipeline': inProject('pipelines/new'),
  pipeline: inProject(({ pipeline }) => `pipelines/${pipeline}`, everyone),
  job: inProject(({ job }) => `jobs/${job}`, everyone),
  'job-running': inProject(({ runningJob }) => `jobs/${runningJob}`, ['maintainer', 'developer']),
  'job-play': inProject(({ job }) => `jobs/${job}/play`),
  'job-erase': inProject(({ job }) => `jobs/${job}/erase`),

  environments: inProject('environments', everyone),
  environment: inProject(({ environment }) => `environments/${environment}`, everyone),
  'new-environment': inProject('environments/new'),
  'edit-environment': inProject(({ environment }) => `environments/${environment}/edit`),
  'stop-environment': inProject(({ environment }) => `environments/${environment}/stop`),
  'delete-environment': inProject(({ environment }) => `environments/${environment}/delete`),

  'deploy-keys': inProject('deploy_keys'),
  'edit-deploy-key': inProject(({ deployKey }) => `deploy_keys/${deployKey}/edit`),
  'remove-deploy-key': inProject(({ deployKey }) => `deploy_keys/${deployKey}/remove`),

  variables: inProject('variables'),
  'variables-shown': inProject('variables?show=1'),
  'edit-variable': inProject(({ variable }) => `variables/${variable}/edit`),
  'remove-variable': inProject(({ variable }) => `variables/${variable}/remove`),
  'group-variables': inGroup('variables', owners),
  'edit-group-variable': inGroup(({ variable }) => `variables/${variable}/edit`, owners),
  'remove-group-variable': inGroup(({ variable }) => `variables/${variable}/remove`, owners),

  triggers: inProject('triggers'),
  'triggers-shown': inProject(({ trigger }) => `triggers?show=${trigger}`),
  'remove-trigger': inProject(({ trigger }) => `triggers/${trigger}/remove`),

  runners: inProject('runners'),
  'runner-shown-already': { ...inProject('runners/made/long-ago'), status: 410 },
  'remove-runner': inProject(({ runner }) => `runners/${runner}/remove`),
  'group-runners': inGroup('runners', owners),
  'group-runner-shown-already': { ...inGroup('runners/made/long-ago', owners), status: 410 },
  'remove-group-runner': inGroup(({ groupRunner }) => `runners/${groupRunner}/remove`, owners),

  schedules: inProject('pipeline_schedules', everyone),
  'new-schedule': inProject('pipeline_schedules/new'),
  'edit-schedule': inProject(({ schedule }) => `pipeline_schedules/${schedule}/edit`),
  'remove-schedule': inProject(({ schedule }) => `pipeline_schedules/${schedule}/remove`),
};
