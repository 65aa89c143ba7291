import type { Context } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { noteContact } from './statements.ts';

/** What a machine says of itself, as runners send it: anything, in bounds. */
export interface Machine {
  readonly systemId: string;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platform: string | null;
  readonly architecture: string | null;
  readonly executor: string | null;
  readonly features: ReadonlySet<string>;
}

const text = (value: unknown, longest = 255): string | null =>
  typeof value === 'string' && value !== '' && !value.includes('\0') ? value.slice(0, longest) : null;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Machines that don’t say which they are, as runners before version 15. */
const unnamed = '<legacy>';

/** Reads what a runner said. Unknown members are left out: newer runners send more. */
export function machineOf(info: unknown, systemId: string | null | undefined): Machine {
  const { version, revision, platform, architecture, executor, features } = objectOf(info);
  return {
    systemId: text(systemId, 64) ?? unnamed,
    version: text(version),
    revision: text(revision),
    platform: text(platform),
    architecture: text(architecture),
    executor: text(executor),
    features: new Set(Object.entries(objectOf(features)).flatMap(([name, has]) => (has === true ? [name] : []))),
  };
}

/**
 * Notes that a machine of the viewer’s runner asked, which is written every minute at most.
 * @returns its id, and the kind of the runner
 * @throws Forbidden if the runner was removed meanwhile
 */
export async function noteMachine({ database, viewer, origin }: Context, machine: Machine) {
  const { systemId, version, revision, platform, architecture, executor } = machine;
  const [noted] = await database.rows(noteContact, [
    runnerOf(viewer),
    systemId,
    version,
    revision,
    platform,
    architecture,
    executor,
    origin.address,
  ]);
  if (!noted) throw new Forbidden();
  return noted;
}

/** The runner of a credential. @throws Forbidden for another one */
export function runnerOf({ credential }: Context['viewer']): number {
  if (credential?.kind !== 'runner') throw new Forbidden('Only a runner can do this.');
  return credential.runnerId;
}
