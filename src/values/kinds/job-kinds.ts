import * as z from 'zod';

/** What the queue knows of one kind of job. Its handler is a `defineJob`. */
export interface JobKind<Payload extends z.ZodType = z.ZodType> {
  /** What it does, for an operator. */
  readonly meaning: string;
  /** The payload, as JSON. A process of another version may have written it: add fields as optional ones. */
  readonly payload: Payload;
  /** Default: normal. */
  readonly priority?: keyof typeof priorities;
  /** How often it is tried before it is a dead letter. Default: 8, over about two hours. */
  readonly attempts?: number;
  /** Seconds after which a run is stopped. Default: 600. */
  readonly timeout?: number;
  /** Runs by the clock: once in each period of this many seconds (counted from 1970, UTC), in however many gateways. */
  readonly every?: number;
}

const priorities = { high: 0, normal: 1, low: 2 } as const;

const kind = <Payload extends z.ZodType>(of: JobKind<Payload>): JobKind<Payload> => of;

/** The kinds of jobs: the only list of them. */
export const jobKinds = {
  remove_user: kind({
    meaning: 'Removes the rest of an account, after the request that marked it.',
    payload: z.object({ userId: z.int() }),
  }),
  remove_label: kind({
    meaning: 'Takes a removed label from the rest of its issues.',
    payload: z.object({ labelId: z.int() }),
  }),
  remove_merged_branches: kind({
    meaning: 'Deletes the merged branches of a repository, with the rights of the person who asked for it.',
    payload: z.object({ projectId: z.int(), personId: z.int() }),
  }),
  tell_people: kind({
    meaning: 'Finds who is notified of what happened, and writes a message to each.',
    payload: z.object({ eventId: z.string() }),
    priority: 'high',
  }),
  send_notifications: kind({
    meaning: 'Sends messages that are due.',
    payload: z.object({}),
    priority: 'high',
  }),
  wake_sending: kind({
    meaning: 'Looks for messages that are overdue, and makes the job that sends them.',
    payload: z.object({}),
    every: 60,
  }),
  find_due_issues: kind({
    meaning: 'Finds the time zones in which a day has begun, to notify people of issues that are due on the next.',
    payload: z.object({}),
    every: 600,
  }),
  tell_of_due_issues: kind({
    meaning: 'Notifies the people of a time zone of issues that are due on a day.',
    payload: z.object({ zone: z.string(), due: z.iso.date() }),
    timeout: 3_600,
  }),
  tell_of_moved_projects: kind({
    meaning: 'After a group or a person got another path: notifies the maintainers of the projects below it.',
    payload: z.object({ eventId: z.string() }),
    timeout: 3_600,
  }),
  follow_references: kind({
    meaning:
      'After changes of branches: brings merge requests up to date, notes what commits refer to, and closes issues that they name.',
    payload: z.object({ projectId: z.int() }),
    priority: 'high',
  }),
  check_merge_request: kind({
    meaning: 'Brings a merge request up to date with its branches: whether git can merge it.',
    payload: z.object({ mergeRequestId: z.int() }),
    priority: 'low',
    attempts: 3,
  }),
  check_merge_requests: kind({
    meaning: 'After a change of a branch: checks whether git can merge what is to be merged into it.',
    payload: z.object({ projectId: z.int(), branch: z.string() }),
    priority: 'low',
    attempts: 3,
  }),
  finish_merge: kind({
    meaning: 'After a merge: closes issues and removes the source branch, with the rights of the person who merged.',
    payload: z.object({ eventId: z.string() }),
  }),
  close_orphaned_merge_request: kind({
    meaning: 'Closes a merge request whose source project was removed or isn’t related to its target any more.',
    payload: z.object({ mergeRequestId: z.int(), actorId: z.int().nullable() }),
  }),
  merge_waiting: kind({
    meaning:
      'After the success of a pipeline: merges what waited for it, with the rights of the people who asked for it.',
    payload: z.object({ eventId: z.string() }),
  }),
  merge_due: kind({
    meaning:
      'Merges what waited for a moment, or for the end of what kept it, with the rights of the person who asked for it.',
    payload: z.object({ mergeRequestId: z.int() }),
  }),
  rebase_merge_request: kind({
    meaning: 'Rebases the source branch of a merge request, with the rights of the person who asked for it.',
    payload: z.object({ mergeRequestId: z.int(), personId: z.int(), skipsCi: z.boolean().optional() }),
    attempts: 3,
  }),
  create_pipelines: kind({
    meaning: 'Makes the pipelines of changes of branches and tags, with the rights of the people who made them.',
    payload: z.object({ projectId: z.int() }),
    priority: 'high',
  }),
  create_merge_request_pipeline: kind({
    meaning: 'Makes the pipeline of a new merge request, with the rights of the person who made it.',
    payload: z.object({ eventId: z.string() }),
  }),
  start_delayed_job: kind({
    meaning: 'Starts a delayed job of a pipeline, when it is time.',
    payload: z.object({ jobId: z.int() }),
    priority: 'high',
  }),
  drop_stuck_jobs: kind({
    meaning: 'Fails jobs of pipelines whose runner is silent, that take too long, or that no runner took for a day.',
    payload: z.object({}),
    every: 60,
  }),
  release_commits: kind({
    meaning: 'Removes the references that kept the commits of pipelines, once these have finished.',
    payload: z.object({}),
    priority: 'low',
    every: 300,
  }),
  delete_old_pipelines: kind({
    meaning: 'Deletes finished pipelines of projects that keep them for a time only.',
    payload: z.object({}),
    priority: 'low',
    every: 3_600,
  }),
  link_deployment: kind({
    meaning: 'After a deployment: finds the merge requests that it brought to its environment.',
    payload: z.object({ deploymentId: z.int() }),
  }),
  stop_merge_request_environments: kind({
    meaning: 'After a merge request was merged or closed: stops the environments that show it, by their jobs.',
    payload: z.object({ eventId: z.string() }),
  }),
  stop_environments: kind({
    meaning: 'Stops environments whose time is over.',
    payload: z.object({}),
    every: 60,
  }),
  find_due_schedules: kind({
    meaning: 'Finds schedules of pipelines whose time has come.',
    payload: z.object({}),
    every: 30,
  }),
  run_pipeline_schedule: kind({
    meaning: 'Makes the pipeline of a schedule, with the rights of its owner.',
    payload: z.object({ scheduleId: z.int(), due: z.iso.datetime() }),
    attempts: 5,
  }),
  tell_of_expiring_tokens: kind({
    meaning: 'Mails people whose access tokens expire within a week.',
    payload: z.object({}),
    every: 3_600,
  }),
  measure_repository: kind({
    meaning: 'Counts what is in a repository after writes: bytes, commits, languages, the README.',
    payload: z.object({ projectId: z.int() }),
    priority: 'low',
  }),
  maintain_repository: kind({
    meaning: 'Packs the files of a repository into one, on request, and removes what nothing refers to for two weeks.',
    payload: z.object({ projectId: z.int() }),
    priority: 'low',
    timeout: 3_600,
    attempts: 3,
  }),
  copy_repository: kind({
    meaning: 'Copies the repository of a project into its fork.',
    payload: z.object({ projectId: z.int(), sourceId: z.int(), branch: z.string().optional() }),
    timeout: 3_600,
    attempts: 3,
  }),
  remove_repositories: kind({
    meaning: 'Takes the files of removed projects away, and removes those that were taken away a week ago.',
    payload: z.object({}),
    priority: 'low',
    every: 300,
  }),
  remove_job_files: kind({
    meaning: 'Removes the logs and artifacts of jobs that are gone or erased, and artifacts that have expired.',
    payload: z.object({}),
    priority: 'low',
    every: 300,
  }),
  settle_repositories: kind({
    meaning: 'Finishes changes of branches and tags that were recorded and not made, after a crash.',
    payload: z.object({}),
    every: 60,
  }),
  sweep: kind({
    meaning: 'Removes what is marked as deleted and what has expired.',
    payload: z.object({}),
    priority: 'low',
    every: 20,
  }),
};

export type JobName = keyof typeof jobKinds;
export type PayloadOf<Name extends JobName> = z.infer<(typeof jobKinds)[Name]['payload']>;

export const jobNames = () => Object.keys(jobKinds) as JobName[];

export const kindOf = (name: JobName): JobKind => jobKinds[name];

/** What is stored with a job of this kind. */
export const storedWith = (name: JobName) => {
  const { priority = 'normal', attempts = 8 } = kindOf(name);
  return { priority: priorities[priority], attempts };
};
