import { StateButtons } from '../states/buttons.tsx';
import type { UserState } from '../states/actions.ts';
import { Avatar, type Pictured } from '../../places/avatars/avatar.tsx';
import { Day } from '../../site/records/day.tsx';
import { Choices, Form, NotSaved, Obstacle, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, DangerZone, Facts, Pager, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';

export const usersPath = '/admin/users';

export interface ListedUser extends Pictured {
  readonly username: string;
  readonly email: string | null;
  readonly confirmedAt: string | null;
  readonly state: UserState;
  readonly isAdministrator: boolean;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
}

export const listedFields =
  'id: databaseId username name avatarUrl email confirmedAt state isAdministrator twoFactorEnabled createdAt';

export const userPath = ({ id }: { readonly id: number | string }) => `${usersPath}/${id}`;

const stateNames: Readonly<Record<UserState, string>> = {
  active: 'Active',
  blocked: 'Blocked',
  deactivated: 'Deactivated',
  banned: 'Banned',
  blocked_pending_approval: 'Pending approval',
};

/** Filters of the list, by their names in the address. */
export const shows = {
  all: 'Everyone',
  active: 'Active',
  blocked: 'Blocked in any way',
  deactivated: 'Deactivated',
  banned: 'Banned',
  pending: 'Pending approval',
  administrators: 'Administrators',
  two_factor: 'Two-factor authentication enabled',
  no_two_factor: 'Two-factor authentication disabled',
} as const;
export type Show = keyof typeof shows;

interface UserListProps {
  readonly site: Site;
  readonly users: readonly ListedUser[];
  /** Up to 10,001. */
  readonly count: number;
  readonly search: string;
  readonly show: Show;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function UserList({ site, users, count, search, show, pages }: UserListProps) {
  return (
    <AdminLayout site={site} title="Users" current={usersPath}>
      <h1>Users</h1>
      <p class="lead">
        {count > 10_000
          ? 'More than 10,000 users.'
          : count === 1
            ? 'One user.'
            : `${count.toLocaleString('en')} users.`}
      </p>
      <form class="filters" method="get" action={usersPath}>
        <TextField name="search" label="Name or full address" type="search" value={search} />
        <SelectField
          name="show"
          label="State"
          value={show}
          options={Object.entries(shows).map(([value, label]) => ({ value, label }))}
        />
        <button class="button">Show</button>
      </form>
      <Table
        caption="Users"
        columns={['Name', 'E-mail', 'State', 'Created']}
        rows={users.map((user) => [
          <div class="named">
            <Avatar of={user} />
            <div>
              <a href={userPath(user)}>
                <bdi>{user.name}</bdi>
              </a>
              <br />
              <code>{user.username}</code>
            </div>
          </div>,
          user.email === null ? 'None' : <bdi class="address">{user.email}</bdi>,
          <States user={user} />,
          <Day at={user.createdAt} />,
        ])}
        empty="No users found."
      />
      <Pager of="users" {...pages} />
      <p class="decision">
        <a class="button primary" href={`${usersPath}/new`}>
          New user
        </a>
      </p>
    </AdminLayout>
  );
}

function States({ user: { state, confirmedAt, isAdministrator, twoFactorEnabled } }: { readonly user: ListedUser }) {
  return (
    <span class="badges">
      <Badge tone={state === 'active' ? 'good' : 'danger'}>{stateNames[state]}</Badge>
      {confirmedAt === null && <Badge tone="caution">Unverified</Badge>}
      {isAdministrator && <Badge>Administrator</Badge>}
      {twoFactorEnabled && <Badge>2FA</Badge>}
    </span>
  );
}

interface Address {
  readonly id: number;
  readonly email: string;
  readonly isPrimary: boolean;
  readonly confirmedAt: string | null;
}

export interface ShownUser extends ListedUser {
  readonly publicEmail: string | null;
  readonly tier: 'FREE' | 'PREMIUM';
  readonly external: boolean;
  readonly note: string | null;
  readonly emails: { readonly nodes: readonly Address[] };
}

interface UserPageProps {
  readonly site: Site;
  readonly user: ShownUser;
  /** Errors of the address to add. */
  readonly errors?: readonly string[] | undefined;
  readonly typed?: { readonly email: string; readonly verified: boolean };
}

export function UserPage({ site, user, errors, typed = { email: '', verified: false } }: UserPageProps) {
  const { name, username, state, tier, external, note, emails, createdAt } = user;
  const here = userPath(user);
  const own = site.visitor!.username === username;
  return (
    <AdminLayout site={site} title={errors ? `Error: ${name}` : name} current={usersPath}>
      <p class="kind">{own ? 'You' : 'User'}</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Facts
        facts={[
          [
            'Username',
            <a href={`/${username}`}>
              <code>{username}</code>
            </a>,
          ],
          ['State', <States user={user} />],
          ['Tier', tier === 'PREMIUM' ? 'Premium' : 'Free'],
          external && ['External', 'Sees only what is public, and where they have a role'],
          note !== null && ['Note', <span class="quoted">{note}</span>],
          ['Created', <Day at={createdAt} />],
          ['Access tokens', <a href={`/admin/tokens?user=${encodeURIComponent(username)}`}>Those of this person</a>],
          ['Activity', <a href={`/admin/audit_log?user=${encodeURIComponent(username)}`}>In the audit log</a>],
        ]}
      />
      <p class="decision">
        <a class="button" href={`${here}/edit`}>
          Edit
        </a>
        <a class="button" href={`${here}/password`}>
          Set a password
        </a>
        <a class="button" href={`${here}/password_link`}>
          Create a password link
        </a>
        {user.twoFactorEnabled && (
          <a class="button" href={`${here}/second_factor`}>
            Disable two-factor authentication
          </a>
        )}
        <StateButtons here={here} state={state} own={own} />
      </p>

      <h2>E-mails</h2>
      <Table
        caption="E-mail addresses"
        columns={['Address', 'State', { hidden: 'Actions' }]}
        rows={emails.nodes.map(({ id, email, isPrimary, confirmedAt }) => [
          email,
          <span class="badges">
            {confirmedAt ? <Badge tone="good">Verified</Badge> : <Badge tone="caution">Unverified</Badge>}
            {isPrimary && <Badge>Primary</Badge>}
          </span>,
          <span class="badges">
            {!confirmedAt && (
              <a class="button" href={`${here}/emails/${id}/verify`}>
                Verify <span class="hidden">{email}</span>
              </a>
            )}
            {!isPrimary && (
              <a class="button" href={`${here}/emails/${id}/remove`}>
                Remove <span class="hidden">{email}</span>
              </a>
            )}
          </span>,
        ])}
        empty="None."
      />
      <Form csrf={site.visitor!.csrf} action={`${here}/emails`}>
        <TextField name="email" label="Another address" type="email" value={typed.email} errors={errors} required />
        <Choices
          name="verification"
          label="Verification"
          choices={[
            {
              name: 'verified',
              label: 'Skip confirmation',
              says: 'The address counts as verified at once. Otherwise the user has to verify it first.',
              chosen: typed.verified,
            },
          ]}
        />
        <button class="button">Add the address</button>
      </Form>

      {!own && (
        <DangerZone title="Delete the account">
          <p>
            Their sessions, tokens and applications stop working at once. Then the account and its projects are removed.
            This can’t be undone.
          </p>
          <p>
            <a class="button danger" href={`${here}/delete`}>
              Delete {username}
            </a>
          </p>
        </DangerZone>
      )}
    </AdminLayout>
  );
}

export interface AboutUserProps {
  readonly site: Site;
  readonly user: Pick<ListedUser, 'id' | 'name' | 'username'>;
  readonly errors?: readonly string[] | undefined;
}

export function DeleteUser({ site, user, errors }: AboutUserProps) {
  const title = `Delete ${user.name}?`;
  return (
    <AdminLayout site={site} title={errors ? `Error: ${title}` : title} current={usersPath}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">
        Their sessions, tokens and applications stop working at once. Then the account is removed, with its projects and
        its data. Their work in groups and projects of others stays there, without their name. This can’t be undone.
      </p>
      {errors && <Obstacle tone="warning">{errors.join(' ')}</Obstacle>}
      <Form csrf={site.visitor!.csrf} action={`${userPath(user)}/delete`}>
        <Choices
          name="groups"
          label="Groups without another owner"
          choices={[
            {
              name: 'with_groups',
              label: 'Delete these groups too',
              says: 'With every group and project in them. Otherwise such a group blocks the deletion.',
              chosen: false,
            },
          ]}
        />
        <div class="decision">
          <button class="button danger">Delete {user.username}</button>
          <a href={userPath(user)}>Cancel</a>
        </div>
      </Form>
    </AdminLayout>
  );
}
