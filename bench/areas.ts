/** The areas of `--area`: parts of the instance, each with the work that measures it. */
export interface Area {
  readonly name: string;
  /** What is measured, for the help text. */
  readonly what: string;
  /** The names of its work, and of what is measured apart from requests. */
  readonly names: RegExp;
}

export const areas: readonly Area[] = [
  {
    name: 'settings',
    what: 'notification settings and error tracking settings, read and changed',
    names: /^(settings|error tracking)\b/,
  },
  {
    name: 'oauth',
    what: 'tokens issued, exchanged, refreshed, looked at; passwords; beside oidc-provider and doorkeeper',
    names: /^(refresh|code exchange|client credentials|introspection|password|token information|device)\b/,
  },
  {
    name: 'graphql',
    what: 'documents known, new and by hash; beside plain Yoga and the usual stack',
    names: /^GraphQL\b/,
  },
  { name: 'places', what: 'projects, groups and the user', names: /^(projects|groups|members|the user)\b/ },
  {
    name: 'planning',
    what: 'issues and comments; on a million issues with --size both',
    names: /^(planning|issues)\b/,
  },
  {
    name: 'notifications',
    what: 'who is notified, and messages to a mail server; beside nodemailer alone',
    names: /^(recipients|mail)\b/,
  },
  {
    name: 'repository',
    what: 'files, commits, the engine, clones and pushes; beside plain git and git http-backend',
    names: /^(repository|repositories|git|clones|commits|pushes)\b/,
  },
  {
    name: 'reviews',
    what: 'merge requests: lists, changes, merging; on a million, and a million jobs, with --size both',
    names: /^(delivery|reviews?|merge requests?|merging)\b/,
  },
  {
    name: 'pipelines',
    what: 'jobs handed out, logs, plans from .gitlab-ci.yml',
    names: /^(pipelines?|jobs?|hand-out|handing out|logs|plans|runners?)\b/,
  },
  { name: 'imports', what: 'records taken over from another instance', names: /^imports?\b/ },
  { name: 'scale', what: 'reads on the small data beside a tenth of it', names: /^tenfold\b/ },
  {
    name: 'process',
    what: 'starts, memory, a bare request, hostile connections',
    names: /^(starts|memory|nothing at all|hostile|empty)\b/,
  },
];

/** The area that a piece of work belongs to. */
export const areaOf = (work: string): Area | undefined => areas.find(({ names }) => names.test(work));
