import { newToken } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { openSecret, sealSecret } from '../variables/sealing.ts';
import { batched } from '../../engine/batched.ts';
import type { RunnerPlace } from './place.ts';
import { findRegistration, findRegistrations, keepRegistration } from './statements/changes.ts';

/** What runners register with: one token of each place, which those who administer its runners see. */

const rowOf = ({ projectId, groupId }: Pick<RunnerPlace, 'projectId' | 'groupId'>): string =>
  `runner_registration_token:${projectId !== null ? `project ${projectId}` : groupId !== null ? `group ${groupId}` : 'instance'}`;

/** The token of a place, which is made when someone first asks for it. Another one, if no instance key opens it. */
export async function registrationToken({ database, keys }: Pick<Context, 'database' | 'keys'>, place: RunnerPlace) {
  const { projectId, groupId } = place;
  for (;;) {
    const [found] = await database.rows(findRegistration, [projectId, groupId]);
    const known = found && openSecret(keys, rowOf(place), found.sealed);
    if (known) return known;
    const token = await keep({ database, keys }, place, found !== undefined);
    if (token !== undefined) return token;
    // Another request made one meanwhile.
  }
}

/** The tokens of many places, read with one statement; those that have none yet get one each. */
const tokensOf = (placeOf: (id: number) => RunnerPlace) =>
  batched<string>(async (context, ids) => {
    const isProject = placeOf(0).projectId !== null;
    const rows = await context.database.rows(findRegistrations, isProject ? [ids, []] : [[], ids]);
    const sealed = new Map(rows.map((row) => [isProject ? row.projectId : row.groupId, row.sealed]));
    const tokens = new Map<number, string>();
    for (const id of ids) {
      const known = sealed.has(id) && openSecret(context.keys, rowOf(placeOf(id)), sealed.get(id)!);
      tokens.set(id, known || (await registrationToken(context, placeOf(id))));
    }
    return tokens;
  });

export const tokenOfProject = tokensOf((projectId) => ({ type: 'project_type', projectId, groupId: null }));
export const tokenOfGroup = tokensOf((groupId) => ({ type: 'group_type', projectId: null, groupId }));

/** Gives a place another token: what registered with the former one stays. */
export async function resetRegistrationToken(
  context: Pick<Context, 'database' | 'keys'>,
  place: RunnerPlace,
): Promise<string> {
  for (;;) {
    const token = await keep(context, place, true);
    if (token !== undefined) return token;
  }
}

/** @returns undefined if another request was first */
async function keep(
  { database, keys }: Pick<Context, 'database' | 'keys'>,
  place: RunnerPlace,
  replaces: boolean,
): Promise<string | undefined> {
  const { secret, digest } = newToken('registration');
  const sealed = sealSecret(keys, rowOf(place), secret);
  const [kept] = await database.rows(keepRegistration, [place.projectId, place.groupId, digest, sealed, replaces]);
  return kept && secret;
}
