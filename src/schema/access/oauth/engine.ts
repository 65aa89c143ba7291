import type { Context } from '../../../context.ts';
import type { Decider, Engine } from '../../../oauth/index.ts';
import type { Person } from '../../../policy/index.ts';

/** The authorization server, for one request. */
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

/** The signed-in person, as the one who approves or denies a request. For `session` fields. */
export function decider(context: Context): Decider {
  const { id: userId, administrator } = signedIn(context);
  const { credential } = context.viewer;
  if (credential?.kind !== 'session') throw new TypeError('This belongs to a session.');
  return { userId, administrator, checkedAt: credential.checkedAt };
}

/** The signed-in person, for `session` fields: admission has already required a session. */
export function signedIn({ viewer }: Context): Person {
  if (!viewer.person) throw new TypeError('This belongs to a person.');
  return viewer.person;
}
