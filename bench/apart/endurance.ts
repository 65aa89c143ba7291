import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asking, runSlice } from '../load.ts';
import { median } from '../report.ts';
import { pinLoad } from '../server.ts';
import { startSide } from '../sides.ts';
import type { Store } from '../store.ts';
import { work } from '../workload/index.ts';

/** The result of an endurance run. */
export interface Endurance {
  readonly at: string;
  readonly requests: number;
  /** Megabytes of the process after so many requests. */
  readonly samples: readonly (readonly [requests: number, memory: number])[];
  readonly flat: boolean;
  readonly summary: string;
}

/** Requests of one kind before the next kind. */
const turn = 2_000;
/** The same for kinds that write or are slow, and for the slowest. */
const [shortTurn, shortest] = [100, 20];
const connections = 16;
const secondsBetweenSamples = 5;
/** Limits: megabytes of the process, and its growth in a million requests. */
const [most, growth] = [260, 2];
const heavy = /code exchange|refresh|client credentials|page|every setting/;

/**
 * Sends requests of every kind in turn and watches the gateway's memory. It is flat when the second half of the run
 * adds next to nothing: the first half fills caches and lets V8 find the size of its heap.
 */
export async function endure(
  store: Store,
  count: number,
  results: string,
  print: (message: string) => void,
): Promise<void> {
  const server = await startSide('causeway', store);
  const samples: [number, number][] = [];
  let done = 0;
  const sample = () => {
    samples.push([done, server.memory()]);
    print(`${done} requests, ${samples.at(-1)![1].toFixed(0)} MB`);
  };
  const clock = setInterval(sample, secondsBetweenSamples * 1000);
  try {
    pinLoad();
    const ask = asking(server);
    for (const {
      contenders: [own],
      furnish,
    } of work)
      if (own!.on === 'causeway') await furnish?.(store, ask);
    const kinds = work.flatMap(({ name, contenders: [own], connections: few, offered }) =>
      own!.on === 'causeway' && !offered
        ? [
            {
              calls: own!.calls(store, ask),
              turn: few ? shortest : heavy.test(name) ? shortTurn : turn,
              connections: few ?? connections,
            },
          ]
        : [],
    );
    while (done < count) {
      for (const kind of kinds) {
        await runSlice(server, kind.calls, kind.turn, kind.connections);
        done += kind.turn;
      }
    }
    sample();
  } finally {
    clearInterval(clock);
    await server.stop();
  }
  const found = judge(done, samples);
  await mkdir(results, { recursive: true });
  await writeFile(join(results, 'endurance.json'), `${JSON.stringify(found, null, 2)}\n`);
  process.stdout.write(found.summary);
}

function judge(requests: number, samples: readonly (readonly [number, number])[]): Endurance {
  const late = samples.filter(([at]) => at >= requests / 2);
  const slope = slopeOf(late) * 1e6;
  const highest = Math.max(...samples.map(([, memory]) => memory));
  const flat = slope <= growth && highest <= most;
  const summary =
    `${requests} requests of every kind, ${samples.length} samples: ${highest.toFixed(0)} MB at most (≤ ${most}), ` +
    `${median(late.map(([, memory]) => memory)).toFixed(0)} MB in the middle of the second half, ` +
    `where it grew by ${slope.toFixed(2)} MB per million requests (≤ ${growth}): ${flat ? 'flat' : '**not flat**'}.\n`;
  return { at: new Date().toISOString(), requests, samples, flat, summary };
}

/** The slope of the best-fitting line: megabytes per request. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [middleX, middleY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0) / spread;
}
