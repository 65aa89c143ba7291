import type { Ask, Call, Calls } from '../load.ts';
import type { SideName } from '../sides.ts';
import { application, type Person, type Store } from '../store.ts';

/** Makes the calls to a contender, on the data that its server runs on. */
export type MakeCalls = (store: Store, ask: Ask) => Calls;

/** A contender in a piece of work. */
export interface Contender {
  /** The name in the table. */
  readonly name: string;
  readonly on: SideName;
  readonly calls: MakeCalls;
  /** Concurrent connections, if not those of the work. */
  readonly connections?: number;
}

/** How long and how often each contender is measured. */
export interface Pace {
  /** Of one slice, approximately. */
  readonly seconds: number;
  readonly rounds: number;
  /** Requests of one slice, at least; two per connection if omitted. */
  readonly least?: number;
}

/** A target: a figure of the first contender in relation to another's. */
export interface Target {
  /** `total` is the CPU together with PostgreSQL's. */
  readonly of: 'cpu' | 'total' | 'throughput' | 'p50';
  /** The name of the other contender. */
  readonly against: string;
  /**
   * Costs and times must stay below this multiple of the other's, throughput above. Without one, the ratio is only
   * reported.
   */
  readonly bound?: number;
}

/** One kind of request, for each contender. */
export interface Work {
  readonly name: string;
  /** Included in `--quick`. */
  readonly key?: true;
  /** The targets are about the first one. */
  readonly contenders: readonly Contender[];
  readonly targets: readonly Target[];
  /** Concurrent connections; 16 if omitted. */
  readonly connections?: number;
  /** How long it is measured, if not as all work. */
  readonly pace?: Pace;
  /** The gateway and the floor must answer exactly the same; checked before measuring. */
  readonly alike?: true;
  /** Makes what it needs beyond the seed, in each store, through the first contender that runs on it. */
  readonly furnish?: (store: Store, ask: Ask) => Promise<void>;
  /** Whether the first contender supports it. */
  readonly offered?: (store: Store, ask: Ask) => Promise<boolean>;
}

export const cpu = (against: string, bound?: number): Target => ({ of: 'cpu', against, ...(bound && { bound }) });
export const total = (against: string, bound?: number): Target => ({ of: 'total', against, ...(bound && { bound }) });
export const throughput = (against: string, bound?: number): Target => ({
  of: 'throughput',
  against,
  ...(bound && { bound }),
});
export const p50 = (against: string, bound: number): Target => ({ of: 'p50', against, bound });

/** A contender with the name of its side. */
export const side = (on: SideName, calls: MakeCalls): Contender => ({ name: on, on, calls });

/** The gateway and the floor, with the same calls. */
export const both = (calls: MakeCalls): Contender[] => [side('causeway', calls), side('floor', calls)];

export const inTurn = (people: readonly Person[], turn: number): Person => people[turn % people.length]!;

export const bearing = ({ token }: Person) => ({ 'private-token': token });

/** The same request for one person after the other. */
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
