import { Day } from '../../site/records/day.tsx';
import { usersPath } from '../../accounts/users/administration-view.tsx';
import { withQuery } from '../../site/forms/fields.ts';
import { SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { Expires, LastUsed, Name, Reason, Scopes, soon, type PersonalToken } from './view.tsx';

export const administeredTokensPath = '/admin/tokens';

/** Days after which a token that was used before counts as forgotten. */
export const unusedDays = 90;

export interface AdministeredToken extends PersonalToken {
  readonly user: { readonly id: number; readonly name: string; readonly username: string };
}

const shows = {
  active: 'Active',
  soon: `Expires within ${soon} days`,
  unused: `Not used for ${unusedDays} days`,
  inactive: 'Inactive',
} as const;

/** Which tokens the list shows, by its name in the address. */
export type Shown = keyof typeof shows;

export const isShown = (given: string | undefined): given is Shown =>
  given !== undefined && Object.hasOwn(shows, given);

interface ListProps {
  readonly site: Site;
  readonly tokens: readonly AdministeredToken[];
  readonly asked: { readonly username: string; readonly search: string; readonly show: Shown };
  /** Whether no one has the username. */
  readonly unknown: boolean;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function AdministeredTokenList({ site, tokens, asked, unknown, pages }: ListProps) {
  const inactive = asked.show === 'inactive';
  const filters = { user: asked.username, search: asked.search, show: asked.show === 'active' ? '' : asked.show };
  return (
    <AdminLayout site={site} title="Access tokens" current={administeredTokensPath}>
      <h1>Access tokens</h1>
      <p class="lead">The personal access tokens of all users. The tokens themselves are never shown again.</p>
      <form class="filters" method="get" action={administeredTokensPath}>
        <TextField
          name="user"
          label="Username"
          type="search"
          value={asked.username}
          {...(unknown && { errors: ['No user has this username.'] })}
        />
        <TextField name="search" label="Name of the token" type="search" value={asked.search} />
        <SelectField
          name="show"
          label="Show"
          value={asked.show}
          options={Object.entries(shows).map(([value, label]) => ({ value, label }))}
        />
        <button class="button">Show</button>
      </form>
      <Table
        caption="Access tokens"
        columns={[
          'Name',
          'Person',
          'Scopes',
          'Created',
          'Last used',
          inactive ? 'Reason' : 'Expires',
          { hidden: 'Actions' },
        ]}
        rows={tokens.map((token) => [
          <Name token={token} />,
          <a href={`${usersPath}/${token.user.id}`}>
            <bdi>{token.user.username}</bdi>
          </a>,
          <Scopes token={token} />,
          <Day at={token.createdAt} />,
          <LastUsed token={token} />,
          inactive ? <Reason token={token} /> : <Expires token={token} />,
          token.active && (
            <a href={withQuery(`${administeredTokensPath}/${token.id}/revoke`, filters)}>
              Revoke
              <span class="hidden">
                {' '}
                {token.name} of {token.user.username}
              </span>
            </a>
          ),
        ])}
        empty="No such tokens."
      />
      <Pager of="access tokens" {...pages} />
    </AdminLayout>
  );
}
