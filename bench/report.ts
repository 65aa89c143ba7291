import type { Slice } from './load.ts';
import type { Target, Work } from './workload/index.ts';

/** The figures of a contender over all slices of one kind of work. */
interface Figures {
  /** Microseconds of the server's CPU per request: the median of the slices. */
  readonly cpu: number;
  /** The same of PostgreSQL. */
  readonly database: number;
  /** Requests per second: the median of the slices. */
  readonly throughput: number;
  /** Milliseconds, over all requests. */
  readonly p50: number;
  readonly p99: number;
}

/** A figure relative to that of another contender. */
interface Comparison extends Target {
  /** Median of the rounds, in each of which both were measured next to each other. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
}

export interface Result {
  readonly name: string;
  readonly contenders: readonly (Figures & { readonly name: string })[];
  readonly comparisons: readonly Comparison[];
}

/** A figure with a limit of its own: a start, memory, a ratio to a quiet moment. */
export interface Check {
  readonly name: string;
  readonly value: number;
  readonly unit:
    | 's'
    | 'ms'
    | 'times the first'
    | 'MB'
    | 'MB per million requests'
    | 'times quiet'
    | 'times by hand'
    | 'times nodemailer'
    | 'times parsing alone'
    | 'times reading alone';
  /** The limit. */
  readonly bound?: number;
}

/** One run of everything. */
export interface Run {
  readonly at: string;
  readonly results: readonly Result[];
  readonly checks: readonly Check[];
  /** Work that wasn't measured: the gateway doesn't offer it, or the machine lacks something. */
  readonly left: readonly string[];
}

export interface Report {
  /** The command that repeats it. */
  readonly command: string;
  /** The machine and the data. */
  readonly conditions: string;
  readonly runs: readonly Run[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const of = {
  cpu: ({ cpu, requests }: Slice) => cpu / requests,
  database: ({ database, requests }: Slice) => database / requests,
  total: ({ cpu, database, requests }: Slice) => (cpu + database) / requests,
  throughput: ({ seconds, requests }: Slice) => requests / seconds,
  p50: ({ latencies }: Slice) => latencies.percentile(50) / 1e6,
} satisfies Record<Target['of'] | 'database', (slice: Slice) => number>;

function figuresOf(slices: readonly Slice[]): Figures {
  const [{ latencies }, ...others] = slices as [Slice, ...Slice[]];
  for (const other of others) latencies.add(other.latencies);
  return {
    cpu: median(slices.map(of.cpu)),
    database: median(slices.map(of.database)),
    throughput: median(slices.map(of.throughput)),
    p50: latencies.percentile(50) / 1e6,
    p99: latencies.percentile(99) / 1e6,
  };
}

/** Summarizes the rounds of one kind of work; the first contender is the one that is compared. */
export function resultOf({ name, targets }: Work, slices: ReadonlyMap<string, readonly Slice[]>): Result {
  const [own] = slices.values();
  const comparisons = targets.flatMap((target): Comparison[] => {
    const others = slices.get(target.against);
    if (!others) return [];
    const ratios = own!.map((slice, round) => of[target.of](slice) / of[target.of](others[round]!));
    return [{ ...target, ratio: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }];
  });
  const contenders = [...slices].map(([contender, all]) => ({ name: contender, ...figuresOf(all) }));
  return { name, contenders, comparisons };
}

/** One line of the table of targets: a comparison or a check, over all runs. */
interface Line {
  readonly name: string;
  /** What is measured, and against what. */
  readonly about: string;
  readonly values: readonly number[];
  /** Of the last run. */
  readonly range: string;
  readonly target: string;
  /** Undefined without a target. */
  readonly met: boolean | undefined;
}

const kinds = { cpu: 'CPU', total: 'CPU with PostgreSQL', throughput: 'throughput', p50: 'p50' } as const;

const rounded = (value: number) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

function linesOf({ runs }: Report): Line[] {
  const last = runs.at(-1)!;
  const compared = last.results.flatMap(({ name, comparisons }) =>
    comparisons.map((last): Line => {
      const { of: kind, against, bound, least, most } = last;
      const found = runs.flatMap(({ results }) => results.find((result) => result.name === name)?.comparisons ?? []);
      const values = found.filter((one) => one.of === kind && one.against === against).map(({ ratio }) => ratio);
      const [sign, holds] =
        kind === 'throughput'
          ? (['≥', (value: number) => value >= bound!] as const)
          : (['≤', (value: number) => value <= bound!] as const);
      return {
        name,
        about: `${kinds[kind]} against ${against}`,
        values,
        range: `${rounded(least)} to ${rounded(most)}`,
        target: bound === undefined ? '' : `${sign} ${bound}`,
        met: bound === undefined ? undefined : values.every(holds),
      };
    }),
  );
  const checked = last.checks.map(({ name, unit, bound }): Line => {
    const values = runs.flatMap(({ checks }) =>
      checks.filter((check) => check.name === name).map(({ value }) => value),
    );
    return {
      name,
      about: unit,
      values,
      range: '',
      target: bound === undefined ? '' : `≤ ${bound}`,
      met: bound === undefined ? undefined : values.every((value) => value <= bound),
    };
  });
  return [...compared, ...checked];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** The name, or nothing when the line above has the same. */
const once = (names: readonly string[], i: number): string => (i > 0 && names[i] === names[i - 1] ? '' : names[i]!);

/** As Markdown: the targets in every run, the figures of the last one, and a summary. */
export function toMarkdown(report: Report): string {
  const lines = linesOf(report);
  const { results, left } = report.runs.at(-1)!;
  const names = lines.map(({ name }) => name);
  const targets = table(
    ['work', 'of', 'ratio or value', 'in single rounds', 'target'],
    lines.map(({ about, values, range, target, met }, i) => [
      once(names, i),
      about,
      values.map(rounded).join(', '),
      range,
      `${target}${met === undefined ? '' : met ? ' ✓' : ' **missed**'}`,
    ]),
  );
  const all = results.flatMap(({ name, contenders }) => contenders.map((contender) => ({ work: name, ...contender })));
  const figures = table(
    ['work', 'who', 'CPU µs/request', 'PostgreSQL µs/request', 'requests/s', 'p50 ms', 'p99 ms'],
    all.map(({ name, cpu, database, throughput, p50, p99 }, i) => [
      once(
        all.map(({ work }) => work),
        i,
      ),
      name,
      ...[cpu, database, throughput, p50, p99].map(rounded),
    ]),
  );
  const notes = left.map((name) => `- not measured: ${name}\n`).join('');
  const sections = [
    `\`${report.command}\` on ${report.conditions}\n`,
    targets,
    all.length > 0 ? figures : '',
    notes,
    summaryOf(lines, report.runs.length),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** How many targets are met in every run, and which are missed. */
function summaryOf(lines: readonly Line[], runs: number): string {
  const asked = lines.filter(({ met }) => met !== undefined);
  const missed = asked.filter(({ met }) => !met);
  const names = missed.map(
    ({ name, about, values, target }) => `- ${name}, ${about}: ${values.map(rounded).join(', ')} (${target})\n`,
  );
  const where = runs > 1 ? ` in each of ${runs} runs` : '';
  return `${asked.length - missed.length} of ${asked.length} targets met${where}${missed.length > 0 ? `. Missed:\n\n${names.join('')}` : '.\n'}`;
}
