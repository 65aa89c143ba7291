import type { InputsOf } from '../../engine/mutation.ts';

/** The place whose members a mutation changes. */
export const placeOf = (t: InputsOf) => ({
  group: t.id({ description: 'Full path, global id or number.' }),
  project: t.id({ description: 'Full path, global id or number.' }),
});

/** The end of a membership. @param otherwise what it means to give none */
export const expiry = (t: InputsOf, otherwise: string) =>
  t.field({
    type: 'Time',
    description: `When the membership ends: at the start of this day in UTC, for example \`2026-06-28\`. ${otherwise}`,
  });

/** The day of a time in UTC, as YYYY-MM-DD; null for none. */
export const dayOf = (time: Date | null | undefined): string | null =>
  time == null ? null : time.toISOString().slice(0, 10);
