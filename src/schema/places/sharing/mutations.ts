import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { NotFound, SharingRefused } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { roles, unseenByPerson, writes } from '../../../policy/index.ts';
import { reference } from '../../engine/global-id.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { mergeAllBelow, mergeAllWhenDue } from '../../reviews/merging/when-due.ts';
import { AccessLevelEnum, levelOf, type AccessLevelName } from '../members/access-level.ts';
import { dayOf, expiry } from '../members/input.ts';
import { groupPayload } from '../groups/payload.ts';
import { projectPayload } from '../projects/payload.ts';
import {
  groupToInviteToProject,
  invitedGroup,
  owns,
  requireGroup,
  requireManaging,
  sharedPlace,
  sharedTwice,
  visiblePlace,
} from './rules.ts';
import { GroupShare, inWords, type Share } from './share.ts';
import {
  deleteShare,
  findShare,
  forgetSettingsIn,
  insertShare,
  type Scope,
  type SharedPlaceRow,
} from './statements.ts';

/** Sharing a group or a project with a group, and ending that. */

const forget = forgetSettingsIn(unseenByPerson);

const auditShare = (
  sql: Sql,
  { viewer, origin }: Context,
  kind: Extract<AuditKind, `${string}_share_${string}`>,
  { full_path: place }: SharedPlaceRow,
  share: string,
) => audit({ sql, origin }, { kind, actorId: viewer.person?.id ?? null, detail: `${place} with the group ${share}` });

interface Shared {
  readonly id: number;
  readonly share: Share;
}

interface Given {
  readonly accessLevel: number;
  readonly expiresOn: string | null;
}

async function share(
  context: Context,
  scope: Scope,
  place: SharedPlaceRow,
  invited: { readonly id: number; readonly name: string; readonly full_path: string },
  { accessLevel, expiresOn }: Given,
): Promise<Shared> {
  return await context.database.transaction(async (sql) => {
    const [made] = await sql.rows(insertShare[scope], [place.id, invited.id, accessLevel, expiresOn]);
    if (!made) throw sharedTwice(scope);
    await auditShare(sql, context, `${scope}_share_added`, place, inWords(invited.full_path, made));
    await (scope === 'group' ? mergeAllBelow : mergeAllWhenDue)(sql, place.id);
    return { id: place.id, share: { ...made, group_name: invited.name, group_full_path: invited.full_path } };
  });
}

async function unshare(context: Context, scope: Scope, given: string, invited: string): Promise<{ id: number }> {
  const place = await sharedPlace(context, scope, given);
  const { by, value } = reference(invited, 'Group');
  await context.database.transaction(async (sql) => {
    const [found] = await sql.rows(findShare[scope], [
      place.id,
      by === 'id' ? value : null,
      by === 'path' ? value : null,
    ]);
    if (!found) throw new NotFound('Group Link');
    if (found.access_level >= roles.owner && !owns(context, place))
      throw new SharingRefused('Only owners end a share that makes owners.');
    await sql.rows(deleteShare[scope], [place.id, found.invited_group_id]);
    await sql.rows(forget[scope], [place.id]);
    await auditShare(sql, context, `${scope}_share_removed`, place, inWords(found.full_path, found));
  });
  return { id: place.id };
}

const givenBy = ({ accessLevel, expiresAt }: { accessLevel: AccessLevelName; expiresAt?: Date | null }): Given => ({
  accessLevel: levelOf(accessLevel),
  expiresOn: dayOf(expiresAt),
});

const invitation = (t: InputsOf) => ({
  invitedGroup: t.id({ required: true, description: 'The group whose members get a role. Id or full path.' }),
  accessLevel: t.field({
    type: AccessLevelEnum,
    required: true,
    description: 'The highest role that it gives: no one gets a higher role than they have in the invited group.',
  }),
  expiresAt: expiry(t, 'Omitted or null: it doesn’t end.'),
});

const sharePayload = (t: FieldsOf<Shared>) => ({
  share: t.field({ type: GroupShare, resolve: (result) => result.share }),
});

mutation('shareGroupWithGroup', {
  description:
    'Shares a group with another one: the direct members of that group get a role in it and in everything below. For its owners.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    group: t.id({ required: true, description: 'The group to share. Id or full path.' }),
    ...invitation(t),
  }),
  payload: (t: FieldsOf<Shared>) => ({ ...groupPayload(t as FieldsOf<{ id: number }>), ...sharePayload(t) }),
  resolve: async (context, input) => {
    // The refusal of a group that the viewer doesn't see comes first, as in version 4.
    const place = await visiblePlace(context, 'group', input.group);
    const invited = await invitedGroup(context, input.invitedGroup);
    requireManaging(context, 'group', place);
    requireGroup(place, invited);
    return await share(context, 'group', place, invited, givenBy(input));
  },
});

mutation('shareProjectWithGroup', {
  description:
    'Shares a project with a group: everyone with a role in that group gets one in the project. For maintainers of the project who are members of the group.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    project: t.id({ required: true, description: 'The project to share. Id or full path.' }),
    ...invitation(t),
  }),
  payload: (t: FieldsOf<Shared>) => ({ ...projectPayload(t as FieldsOf<{ id: number }>), ...sharePayload(t) }),
  resolve: async (context, input) => {
    const given = givenBy(input);
    const place = await sharedPlace(context, 'project', input.project);
    const invited = await groupToInviteToProject(context, input.invitedGroup, place, given.accessLevel);
    return await share(context, 'project', place, invited, given);
  },
});

const unshared = (t: InputsOf) => ({
  invitedGroup: t.id({ required: true, description: 'The group with which it is shared. Id or full path.' }),
});

mutation('unshareGroupWithGroup', {
  description: 'Ends the share of a group with another one. For its owners.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ group: t.id({ required: true, description: 'Id or full path.' }), ...unshared(t) }),
  payload: groupPayload,
  resolve: (context, { group, invitedGroup: invited }) => unshare(context, 'group', group, invited),
});

mutation('unshareProjectWithGroup', {
  description:
    'Ends the share of a project with a group. For its maintainers; only owners end a share that makes owners.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ project: t.id({ required: true, description: 'Id or full path.' }), ...unshared(t) }),
  payload: projectPayload,
  resolve: (context, { project, invitedGroup: invited }) => unshare(context, 'project', project, invited),
});
