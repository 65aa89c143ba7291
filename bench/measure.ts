import { asking, runSlice, type Calls, type Slice } from './load.ts';
import { resultOf, type Result } from './report.ts';
import type { Server } from './server.ts';
import type { Running, SideName } from './sides.ts';
import type { MakeCalls, Pace } from './workload/request.ts';
import type { Contender, Work } from './workload/index.ts';

export const paces = { full: { seconds: 0.8, rounds: 9 }, quick: { seconds: 0.35, rounds: 3 } } satisfies Record<
  string,
  Pace
>;

/** Requests per connection that estimate a contender's speed. */
const trial = 4;

/**
 * Warm-up slices for a server's first work, and before work that is new to it but not to another contender; each of
 * several processes takes its share. Otherwise one slice.
 */
const fromCold = 10;
/** The work that each server has done. */
const done = new WeakMap<Server, Set<MakeCalls>>();

interface Ready extends Running {
  readonly contender: Contender;
  readonly calls: Calls;
}

/**
 * Measures one kind of work: each round runs every contender, one directly after the other and each for about the same
 * time, so that other load on the machine affects all alike. The result is the ratio within a round.
 * @returns undefined when the first contender doesn't run here or doesn't offer the work
 * @throws Error when two that must answer alike don't
 */
export async function measure(work: Work, running: Map<SideName, Running>, usual: Pace): Promise<Result | undefined> {
  const { seconds, rounds, least } = work.pace ?? usual;
  const ready = work.contenders.flatMap((contender): Ready[] => {
    const found = running.get(contender.on);
    return found ? [{ ...found, contender, calls: contender.calls(found.store, asking(found.server)) }] : [];
  });
  const [own] = ready;
  if (!own || own.contender !== work.contenders[0]) return undefined;
  if (work.offered && !(await work.offered(own.store, asking(own.server)))) return undefined;
  const stores = new Map(ready.toReversed().map(({ store, server }) => [store, server]));
  for (const [store, server] of stores) await work.furnish?.(store, asking(server));
  if (work.alike) await compare(work, ready);

  const connectionsOf = ({ contender }: Ready) => contender.connections ?? work.connections ?? 16;
  const counts = new Map<Ready, number>();
  const isKnown = ({ server, contender }: Ready) => done.get(server)?.has(contender.calls) === true;
  const someKnowIt = ready.some(isKnown);
  for (const one of ready) {
    const { contender, server, calls, processes } = one;
    const connections = connectionsOf(one);
    const isCold = !done.has(server) || (someKnowIt && !isKnown(one));
    const first = await runSlice(server, calls, trial * connections, connections).catch((error: Error) => {
      throw new Error(`${contender.name} can't do: ${work.name}.`, { cause: error });
    });
    let warm = await runSlice(server, calls, countFor(first, seconds, least ?? 2 * connections), connections);
    for (let more = isCold ? fromCold * processes - 1 : 0; more > 0; more--) {
      warm = await runSlice(server, calls, countFor(warm, seconds, least ?? 2 * connections), connections);
    }
    done.set(server, (done.get(server) ?? new Set()).add(contender.calls));
    counts.set(one, countFor(warm, seconds, least ?? 2 * connections));
  }
  const slices = new Map<string, Slice[]>(ready.map(({ contender }) => [contender.name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another contender.
    const order = [...ready];
    order.push(...order.splice(0, round % order.length));
    for (const one of order)
      slices.get(one.contender.name)!.push(await runSlice(one.server, one.calls, counts.get(one)!, connectionsOf(one)));
  }
  return resultOf(work, slices);
}

/** Requests that take so many seconds, estimated from a slice. */
const countFor = (slice: Slice, seconds: number, least: number): number =>
  Math.min(20_000, Math.max(least, Math.round((slice.requests / slice.seconds) * seconds)));

/** Checks that the first two, the gateway and the floor, answer the same, except for their own addresses. */
async function compare({ name }: Work, ready: readonly Ready[]): Promise<void> {
  const [own, floor] = await Promise.all(
    ready.slice(0, 2).map(async ({ server, calls }) => {
      const ask = asking(server);
      await calls.prepare?.(compared);
      const answers: string[] = [];
      for (let turn = 0; turn < compared; turn++)
        answers.push((await ask(calls.next(turn, 0))).replaceAll(server.origin, ''));
      return answers;
    }),
  );
  for (const [turn, answer] of own!.entries()) {
    if (answer !== floor![turn]) throw new Error(`${name}: the floor answers differently.\n${answer}\n${floor![turn]}`);
  }
}

/** How many answers of each are compared. */
const compared = 10;
