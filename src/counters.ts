/**
 * Counters of this process since it started, for metrics. Every room may count; only `src/observability` reads. A label
 * is one of a few values that the code names: never chosen by a client, never secret.
 */
export class Counter {
  /** The metric's name in Prometheus, without `causeway_` and `_total`. */
  readonly name: string;
  readonly meaning: string;
  /** The name of the label. */
  readonly labelled: string;
  readonly counts = new Map<string, number>();

  constructor(name: string, meaning: string, labelled: string) {
    this.name = name;
    this.meaning = meaning;
    this.labelled = labelled;
  }

  count(label: string, by = 1): void {
    this.counts.set(label, (this.counts.get(label) ?? 0) + by);
  }
}

/** Everything that is counted. */
export const counters = {
  refusals: new Counter(
    'refusals',
    'Sign-ins, passwords, codes and tokens that were refused, by the kind of audit event.',
    'kind',
  ),
  operations: new Counter('graphql_operations', 'Operations at /graphql, by outcome.', 'outcome'),
  documents: new Counter(
    'graphql_documents',
    'Documents at /graphql that were not cached, by the step they reached.',
    'step',
  ),
  tokensIssued: new Counter('oauth_tokens_issued', 'Token requests that issued tokens.', 'grant'),
  tokensRefreshed: new Counter('oauth_tokens_refreshed', 'Refresh tokens that were exchanged.', 'grant'),
  tokensRevoked: new Counter('oauth_tokens_revoked', 'Token families that were ended, by cause.', 'by'),
  limited: new Counter('rate_limited', 'Requests that were refused by a rate limit.', 'limit'),
  mail: new Counter('mail', 'Mails, by outcome.', 'outcome'),
  jobs: new Counter('job_runs', 'Runs of background jobs, by outcome; dead: failed for good.', 'outcome'),
  sshConnections: new Counter(
    'ssh_connections',
    'Connections for git over SSH, by whether they were taken.',
    'outcome',
  ),
  sshCommands: new Counter('ssh_commands', 'Commands over SSH, by what became of them.', 'outcome'),
  gitJobs: new Counter('git_jobs', 'Commands of git, by kind.', 'kind'),
  gitJobsWaited: new Counter('git_jobs_waited', 'Commands of git that had to wait for their turn, by kind.', 'kind'),
  gitJobsRefused: new Counter(
    'git_jobs_refused',
    'Commands of git that were refused because too many waited, or too long, by kind.',
    'kind',
  ),
  removed: new Counter('job_rows_removed', 'Rows that background work removed.', 'job'),
} satisfies Record<string, Counter>;

/** What was counted, by the names in `counters`, then by label. */
export type CounterValues = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const countedHere = (): CounterValues =>
  Object.fromEntries(Object.entries(counters).map(([name, { counts }]) => [name, Object.fromEntries(counts)]));

/** What was counted since the last call, for another process that counts it as its own. Undefined: nothing. */
export function takeCounts(): CounterValues | undefined {
  const taken = Object.entries(countedHere()).filter(([, counts]) => Object.keys(counts).length > 0);
  for (const { counts } of Object.values(counters)) counts.clear();
  return taken.length > 0 ? Object.fromEntries(taken) : undefined;
}

/** Counts what another process counted. */
export function addCounts(taken: CounterValues): void {
  for (const [name, counts] of Object.entries(taken))
    for (const [label, by] of Object.entries(counts)) counters[name as keyof typeof counters].count(label, by);
}
