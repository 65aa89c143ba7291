import { Ago } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Avatar, type Pictured } from '../avatars/avatar.tsx';
import { below } from '../place/layout.tsx';
import { accessRequestPath, membersPath, rolesToGive, type Kind, type Place } from '../place/place.ts';
import type { PlaceHead } from '../place/route.ts';
import { PersonName } from '../../site/records/records.tsx';

/** That a person asks for a role. */
export interface AccessRequest {
  readonly requestedAt: string;
  readonly user: Pictured & { readonly username: string };
}

interface OwnProps {
  readonly site: Site;
  readonly place: Pick<Place, 'fullPath' | 'currentUserAccessRequest' | 'userPermissions'> & { readonly kind: Kind };
}

/** The button by which a person without a role asks for one, or withdraws that. */
export function OwnAccessRequest({ site, place }: OwnProps) {
  const { kind, currentUserAccessRequest: own, userPermissions } = place;
  if (!site.visitor || (!own && !userPermissions.requestAccess)) return null;
  const action = below(place, accessRequestPath);
  return own ? (
    <>
      <p>
        You asked for access to this {kind} <Ago at={own.requestedAt} />.
      </p>
      <Form csrf={site.visitor.csrf} action={action} carries={{ withdraw: 'on' }}>
        <button class="button">Withdraw access request</button>
      </Form>
    </>
  ) : (
    <Form csrf={site.visitor.csrf} action={action}>
      <button class="button">Request access</button>
    </Form>
  );
}

interface RequestsProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly requests: readonly AccessRequest[];
  /** Whether there are more than these. */
  readonly more: boolean;
  readonly owns: boolean;
  /** The part of the list of members that the page shows: the forms lead back to it. */
  readonly shown: Readonly<Record<string, string | undefined>>;
}

/** Those who ask for a role, for the people who manage the members. */
export function AccessRequests({ site, head, requests, more, owns, shown }: RequestsProps) {
  const { kind, fullPath } = head;
  const form = { csrf: site.visitor!.csrf, action: membersPath(kind, fullPath) };
  return (
    <>
      <h2 id="access-requests">Access requests</h2>
      <ul class="records">
        {requests.map(({ user, requestedAt }) => (
          <li class="line member">
            <Avatar of={user} />
            <div>
              <PersonName person={user} />
              <p>
                @{user.username} · asked <Ago at={requestedAt} />
              </p>
            </div>
            <Form {...form} carries={{ ...shown, approve: String(user.id) }}>
              <select name="role" aria-label={`Role for ${user.name}`}>
                {rolesToGive(owns).map(({ value, label }) => (
                  <option value={value} selected={value === 'DEVELOPER'}>
                    {label}
                  </option>
                ))}
              </select>
              <button class="button">
                Approve<span class="hidden"> the request of {user.name}</span>
              </button>
            </Form>
            <Form {...form} carries={{ ...shown, deny: String(user.id) }}>
              <button class="button quiet">
                Deny<span class="hidden"> the request of {user.name}</span>
              </button>
            </Form>
          </li>
        ))}
      </ul>
      {more && <p>There are more requests. They are shown once these are decided.</p>}
    </>
  );
}
