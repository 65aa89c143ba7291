import type { Ask, Call, Calls } from '../load.ts';
import type { SideName } from '../sides.ts';
import { application, type Person, type Store } from '../store.ts';

/** How a contender of some work is asked, on the data that its server runs on. */
export type MakeCalls = (store: Store, ask: Ask) => Calls;

/** Who does a piece of work. */
export interface Contender {
  /** As the table has it. */
  readonly name: string;
  readonly on: SideName;
  readonly calls: MakeCalls;
  /** How many ask it at a time, where that isn't what the work says. */
  readonly connections?: number;
}

/** What a comparison must show: a figure of the first contender in relation to another's. */
export interface Target {
  readonly of: 'cpu' | 'throughput' | 'p50';
  /** The other one's name. */
  readonly against: string;
  /** Costs and times stay under this many times the other's, throughput above. Without one, the ratio is only told. */
  readonly bound?: number;
}

/** One kind of request, as each contender is asked for it. */
export interface Work {
  readonly name: string;
  /** In `--quick` too. */
  readonly key?: true;
  /** The first is the one that the targets are about. */
  readonly contenders: readonly Contender[];
  readonly targets: readonly Target[];
  /** How many ask at a time; 16 unless said otherwise. */
  readonly connections?: number;
  /** The gateway and the floor answer word by word the same, and are held to it before they are measured. */
  readonly alike?: true;
  /** Whether the first contender does it at all. */
  readonly offered?: (store: Store, ask: Ask) => Promise<boolean>;
}

export const cpu = (against: string, bound?: number): Target => ({ of: 'cpu', against, ...(bound && { bound }) });
export const throughput = (against: string, bound?: number): Target => ({
  of: 'throughput',
  against,
  ...(bound && { bound }),
});
export const p50 = (against: string, bound: number): Target => ({ of: 'p50', against, bound });

/** A contender that is named after its side. */
export const side = (on: SideName, calls: MakeCalls): Contender => ({ name: on, on, calls });

/** The gateway and the floor, asked the same. */
export const both = (calls: MakeCalls): Contender[] => [side('causeway', calls), side('floor', calls)];

export const inTurn = (people: readonly Person[], turn: number): Person => people[turn % people.length]!;

export const bearing = ({ token }: Person) => ({ 'private-token': token });

/** The same request in the name of one person after the other. */
export function asPeople(call: (person: Person, turn: number) => Call): MakeCalls {
  return ({ people }) => ({
    next(turn) {
      const person = inTurn(people, turn);
      const { headers, ...rest } = call(person, turn);
      return { ...rest, headers: { ...bearing(person), ...headers } };
    },
  });
}

export const credentials = { client_id: application.uid, client_secret: application.secret };

/** Form-encoded. */
export const post = (path: string, fields: Record<string, string>): Call => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
