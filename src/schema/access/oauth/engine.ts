import type { Context } from '../../../context.ts';
import type { Decider, Engine } from '../../../oauth/index.ts';
import type { Person } from '../../../policy/index.ts';

/** The authorization server's engine, for one request. */
export function engineOf({ database, keys, profile, origin, settings, changes, refusals }: Context): Engine {
  return {
    sql: database,
    keys,
    profile,
    origin,
    changes,
    refusals,
    guardAdministrators: settings.guardAdministrators,
    keepPasswordGrant: settings.keepPasswordGrant,
  };
}

/** The person of a `session` field, as the one who decides on something. */
export function decider(context: Context): Decider {
  const { id: userId, administrator } = signedIn(context);
  const { credential } = context.viewer;
  if (credential?.kind !== 'session') throw new TypeError('This belongs to a session.');
  return { userId, administrator, checkedAt: credential.checkedAt };
}

/** The person of a `session` field, whom admission has let pass. */
export function signedIn({ viewer }: Context): Person {
  if (!viewer.person) throw new TypeError('This belongs to a person.');
  return viewer.person;
}
