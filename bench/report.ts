import type { Slice } from './load.ts';
import type { SideName, Target, Work } from './work.ts';

/** What all slices of a side showed for one kind of work. */
export interface Figures {
  /** Microseconds of the server's CPU a request: the median of the slices. */
  readonly cpu: number;
  /** Requests a second: the median of the slices. */
  readonly throughput: number;
  /** Milliseconds, of all requests. */
  readonly p50: number;
  readonly p99: number;
}

/** How a figure stands to the one it is held against. */
export interface Comparison extends Target {
  /** Median of the rounds, in each of which both were measured next to each other. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  readonly met: boolean;
}

export interface Result {
  readonly name: string;
  readonly sides: Partial<Record<SideName, Figures>>;
  readonly comparisons: readonly Comparison[];
}

export type Rounds = Partial<Record<SideName, readonly Slice[]>>;

const cpuOf = ({ cpu, requests }: Slice) => cpu / requests;
const throughputOf = ({ seconds, requests }: Slice) => requests / seconds;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function figuresOf(slices: readonly Slice[]): Figures {
  const [{ latencies }, ...others] = slices as [Slice, ...Slice[]];
  for (const other of others) latencies.add(other.latencies);
  return {
    cpu: median(slices.map(cpuOf)),
    throughput: median(slices.map(throughputOf)),
    p50: latencies.percentile(50) / 1e6,
    p99: latencies.percentile(99) / 1e6,
  };
}

/** Sums up the rounds of one kind of work. */
export function resultOf({ name, targets }: Work, rounds: Rounds): Result {
  const comparisons = targets.flatMap((target): Comparison[] => {
    const [own, others] = [rounds.causeway, rounds[target.against]];
    if (!own || !others) return [];
    const figure = target.of === 'cpu' ? cpuOf : throughputOf;
    const ratios = own.map((slice, i) => figure(slice) / figure(others[i]!));
    const ratio = median(ratios);
    const met = target.of === 'cpu' ? ratio <= target.bound : ratio >= target.bound;
    return [{ ...target, ratio, least: Math.min(...ratios), most: Math.max(...ratios), met }];
  });
  const sides = Object.fromEntries(Object.entries(rounds).map(([side, slices]) => [side, figuresOf(slices)]));
  return { name, sides, comparisons };
}

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

/** A table for people. */
export function toMarkdown(results: readonly Result[]): string {
  const lines = ['| work | side | CPU µs/request | requests/s | p50 ms | p99 ms | against | ratio (least to most) | target |', '|---|---|---|---|---|---|---|---|---|'];
  for (const { name, sides, comparisons } of results) {
    for (const [side, { cpu, throughput, p50, p99 }] of Object.entries(sides)) {
      const held = side === 'causeway' ? comparisons : [];
      const cells = [
        side === 'causeway' || !sides.causeway ? name : '',
        side,
        ...[cpu, throughput, p50, p99].map(rounded),
        held.map(({ against, of }) => `${of}, ${against}`).join('<br>'),
        held.map(({ ratio, least, most }) => `${rounded(ratio)} (${rounded(least)} to ${rounded(most)})`).join('<br>'),
        held.map(({ of, bound, met }) => `${of === 'cpu' ? '≤' : '≥'} ${bound}${met ? '' : ' **missed**'}`).join('<br>'),
      ];
      lines.push(`| ${cells.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
