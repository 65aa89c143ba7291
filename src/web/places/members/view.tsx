import type { Mistakes, Typed } from '../../site/forms/attributes.tsx';
import { Day } from '../../site/records/day.tsx';
import { Form, NotSaved, Obstacle, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { AccessRequests, type AccessRequest } from '../access-requests/view.tsx';
import { Avatar, type Pictured } from '../avatars/avatar.tsx';
import { PlaceLayout } from '../place/layout.tsx';
import { membersPath, placePath, roles, rolesToGive, type Kind, type Role } from '../place/place.ts';
import type { PlaceHead } from '../place/route.ts';

export interface Member {
  readonly accessLevel: { readonly stringValue: Role };
  /** ISO 8601; null: it doesn’t end. */
  readonly expiresAt: string | null;
  readonly user: Pictured & { readonly username: string };
  /** Where the membership is: one of the two. */
  readonly group?: { readonly name: string; readonly fullPath: string } | null;
  readonly project?: { readonly fullPath: string } | null;
}

/** A place with a page of its members. */
export interface Peopled {
  readonly permissions: { readonly edits: boolean; readonly owns: boolean };
  readonly members: readonly Member[];
  /** Those who ask for a role; undefined for those who don't manage the members. */
  readonly requests?: {
    readonly nodes: readonly AccessRequest[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
}

interface MembersProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly place: Peopled;
  readonly search: string;
  /** The part of the list that the page shows: its forms lead back to it. */
  readonly shown: Readonly<Record<string, string | undefined>>;
  readonly pages: { readonly before: string | null; readonly after: string | null };
  /** What was typed, if the form has errors. */
  readonly typed: Typed;
  readonly mistakes: Mistakes;
  /** Why a membership of the list stays as it is. */
  readonly obstacle?: string | undefined;
}

/** Who has a role in a place, and the form for further people. */
export function Members({ site, head, place, search, shown, pages, typed, mistakes, obstacle }: MembersProps) {
  const { kind, name, fullPath } = head;
  const { members, permissions, requests } = place;
  const here = membersPath(kind, fullPath);
  const wrong = Object.keys(mistakes).length > 0;
  const title = `Members · ${name}`;
  const kept = Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, value || undefined]));
  return (
    <PlaceLayout site={site} place={head} title={wrong || obstacle ? `Error: ${title}` : title} current="members">
      <h1>Members</h1>
      <p class="lead">
        People with a role in this {kind}, or in {kind === 'group' ? 'a group above it' : 'one of its groups'}.{' '}
        {!permissions.edits &&
          (kind === 'group' ? 'Owners add and change members.' : 'Maintainers and owners add and change members.')}
      </p>
      {wrong && <NotSaved />}
      {obstacle && <Obstacle>{obstacle}</Obstacle>}
      <form class="finder" method="get" action={here} role="search">
        <input
          type="search"
          name="search"
          value={search}
          maxlength={255}
          aria-label="Name or username"
          placeholder="Name or username"
        />
        <button class="button">Find</button>
      </form>
      {members.length === 0 ? (
        <Nothing
          says={search === '' ? 'No members yet.' : 'No members match.'}
          all={search === '' ? undefined : here}
        />
      ) : (
        <ul class="records">
          {members.map((member) => (
            <Row site={site} kind={kind} fullPath={fullPath} member={member} permissions={permissions} shown={kept} />
          ))}
        </ul>
      )}
      <Pager of="members" {...pages} labels={['Before', 'More']} />
      {requests && requests.nodes.length > 0 && (
        <AccessRequests
          site={site}
          head={head}
          requests={requests.nodes}
          more={requests.pageInfo.hasNextPage}
          owns={permissions.owns}
          shown={kept}
        />
      )}
      {permissions.edits && (
        <>
          <h2>Add people</h2>
          <Form csrf={site.visitor!.csrf} action={here}>
            <TextField
              name="usernames"
              label="Usernames"
              hint="Separated by spaces."
              value={typed.usernames ?? ''}
              errors={mistakes.usernames}
              technical
              required
            />
            <SelectField
              name="role"
              label="Role"
              value={typed.role || 'DEVELOPER'}
              errors={mistakes.role}
              options={rolesToGive(permissions.owns)}
            />
            <TextField
              name="expires_at"
              label="Until"
              type="date"
              hint="Optional. It ends on this day, at 00:00 UTC."
              value={typed.expires_at ?? ''}
              errors={mistakes.expires_at}
            />
            <div class="decision">
              <button class="button primary">Add</button>
            </div>
          </Form>
        </>
      )}
    </PlaceLayout>
  );
}

interface RowProps {
  readonly site: Site;
  readonly kind: Kind;
  readonly fullPath: string;
  readonly member: Member;
  readonly permissions: Peopled['permissions'];
  readonly shown: MembersProps['shown'];
}

function Row({ site, kind, fullPath, member, permissions, shown }: RowProps) {
  const { user, accessLevel, expiresAt, group, project } = member;
  const role = accessLevel.stringValue;
  const isDirect = (kind === 'group' ? group : project)?.fullPath === fullPath;
  const isSelf = site.visitor!.username === user.username;
  const mayChange = isDirect && permissions.edits && (permissions.owns || role !== 'OWNER');
  const here = membersPath(kind, fullPath);
  return (
    <li class="line member">
      <Avatar of={user} />
      <div>
        <PersonName person={user} />
        {isSelf && ' (you)'}
        <p>
          @{user.username}
          {!isDirect && group && (
            <>
              {' '}
              · from <a href={placePath('group', group.fullPath)}>{group.name}</a>
            </>
          )}
          {expiresAt !== null && !mayChange && (
            <>
              {' '}
              · until <Day at={expiresAt} />
            </>
          )}
        </p>
      </div>
      {mayChange ? (
        <Form csrf={site.visitor!.csrf} action={here} carries={{ ...shown, change: String(user.id) }}>
          <select name="role" aria-label={`Role of ${user.name}`}>
            {rolesToGive(permissions.owns).map(({ value, label }) => (
              <option value={value} selected={value === role}>
                {label}
              </option>
            ))}
          </select>
          <label>
            until{' '}
            <input
              type="date"
              name="expires_at"
              value={expiresAt?.slice(0, 10) ?? ''}
              aria-label={`Until when ${user.name} has it`}
            />
          </label>
          <button class="button">
            Change<span class="hidden"> the role of {user.name}</span>
          </button>
        </Form>
      ) : (
        <Badge>{roles[role]}</Badge>
      )}
      {isDirect && (mayChange || isSelf) && (
        <Form csrf={site.visitor!.csrf} action={here} carries={{ ...shown, remove: String(user.id) }}>
          <button class="button quiet">
            {isSelf ? 'Leave' : 'Remove'}
            <span class="hidden"> {user.name}</span>
          </button>
        </Form>
      )}
    </li>
  );
}
