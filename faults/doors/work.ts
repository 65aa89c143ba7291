import { setTimeout as pause } from 'node:timers/promises';
import type { Gateway } from '../gateways.ts';
import { calls, type Call, type Load, type Outcome } from '../load.ts';
import type { Promised } from '../promised.ts';
import type { Sql } from '../verify.ts';

/** The doors that the load of requests doesn't use. */
export type Door = 'git' | 'runner' | 'mail';

/** What work at a door needs. */
export interface Place {
  readonly gateways: readonly Gateway[];
  readonly load: Load;
  readonly sql: Sql;
  /** A folder of the clients. */
  readonly folder: string;
}

/** Work that goes on at one door while something breaks. */
export interface Work {
  /** Ends it, after what is under way. */
  stop(): Promise<void>;
  /**
   * What must hold of it when the fault is over.
   * @param at the gateways that are asked
   * @param before only of what was acknowledged before this time
   */
  verify(at: readonly Gateway[], before?: number): Promise<Promised[]>;
}

/** A project of the administrator, for the work at one door. */
export interface Project {
  readonly id: number;
  readonly fullPath: string;
}

/** @throws Error if it can't be made */
export async function newProject({ gateways, load }: Pick<Place, 'gateways' | 'load'>, name: string): Promise<Project> {
  const made = (await asked(load, gateways[0]!, (attempt) =>
    calls.asRoot('POST', 'projects', [201], { name: `${name}-${attempt}` }),
  )) as { id: number; path_with_namespace: string };
  return { id: made.id, fullPath: made.path_with_namespace };
}

/**
 * The body of an answer. A busy gateway may refuse what it has begun: so each attempt may be another request.
 * @throws Error if it isn't what is wanted
 */
export async function asked(load: Load, gateway: Gateway, call: (attempt: number) => Call): Promise<unknown> {
  for (let attempt = 1; ; attempt++, await pause(500)) {
    const one = call(attempt);
    const outcome = await load.ask(gateway, one);
    if (outcome.wanted) return JSON.parse(outcome.text) as unknown;
    if ((outcome.status !== 0 && outcome.status !== 503) || attempt === 10)
      throw new Error(`${one.path} answered ${outcome.status}: ${outcome.text}`);
  }
}

/** Sends a request until it is answered, as clients do that are asked to come again. */
export async function untilAnswered(send: (call: Call) => Promise<Outcome>, call: Call): Promise<Outcome> {
  for (let tries = 1; ; tries++, await pause(250)) {
    const outcome = await send(call);
    const isTemporary = [0, 503, ...(call.busy ?? [])].includes(outcome.status);
    if (!isTemporary || tries === 20) return outcome;
  }
}

/** Repeats a piece of work until it is stopped, at most once in so many milliseconds. @returns how to stop it */
export function repeated(interval: number, piece: (round: number) => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    for (let round = 0; !isOver; round++) {
      const next = performance.now() + interval;
      await piece(round);
      await pause(Math.max(next - performance.now(), 5));
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}
