import { daysAhead } from '../../../values/time/calendar.ts';
import { Day, Moment } from '../../site/records/day.tsx';
import { scopeChoices } from '../../site/forms/choices.tsx';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import { Curl, type Site } from '../../site/layout/layout.tsx';
import { Badge, EnvFile, Facts, Pager, SecretOnce, Table } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { legible } from '../../site/words.ts';

export const tokensPath = '/profile/personal_access_tokens';

export interface PersonalToken {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastUsedIps: readonly string[];
  /** The first day on which the token no longer works. */
  readonly expiresAt: string | null;
  readonly revoked: boolean;
  readonly rotated: boolean;
  readonly active: boolean;
}

/** The number of days before its expiry from which a token is marked. */
export const soon = 7;

interface TokenListProps {
  readonly site: Site;
  readonly tokens: readonly PersonalToken[];
  /** Whether the page lists active tokens; otherwise inactive ones. */
  readonly active: boolean;
  /** What their names contain. */
  readonly search: string;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function TokenList({ site, tokens, active, search, pages }: TokenListProps) {
  const none = search !== '' && (
    <>
      None of them has such a name. <a href={active ? tokensPath : `${tokensPath}?state=inactive`}>Show all</a>
    </>
  );
  return (
    <AccountLayout site={site} title="Access tokens" current={tokensPath}>
      <h1>Access tokens</h1>
      <p class="lead">
        A program with your token acts as you, within the scopes of the token. Create one for each program.
      </p>
      <p class="decision">
        <a class="button primary" href={`${tokensPath}/new`}>
          Create a token
        </a>
        <a href={active ? `${tokensPath}?state=inactive` : tokensPath}>
          {active ? 'Inactive tokens' : 'Active tokens'}
        </a>
      </p>
      {(search !== '' || pages.before !== null || pages.after !== null) && (
        <form class="finder" method="get" action={tokensPath} role="search">
          {!active && <input type="hidden" name="state" value="inactive" />}
          <input
            type="search"
            name="search"
            value={search}
            maxlength={255}
            aria-label="Name of the token"
            placeholder="Name of the token"
          />
          <button class="button">Find</button>
        </form>
      )}
      {active ? (
        <Table
          caption="Active tokens"
          columns={['Name', 'Scopes', 'Created', 'Last used', 'Expires', { hidden: 'Actions' }]}
          rows={tokens.map((token) => [
            <Name token={token} />,
            <Scopes token={token} />,
            <Day at={token.createdAt} />,
            <LastUsed token={token} />,
            <Expires token={token} />,
            <Actions token={token} />,
          ])}
          empty={
            none || (
              <>
                You have no active tokens. <a href={`${tokensPath}/new`}>Create the first one</a>
              </>
            )
          }
        />
      ) : (
        <Table
          caption="Inactive tokens"
          columns={['Name', 'Scopes', 'Created', 'Last used', 'Reason']}
          rows={tokens.map((token) => [
            <Name token={token} />,
            <Scopes token={token} />,
            <Day at={token.createdAt} />,
            <LastUsed token={token} />,
            <Reason token={token} />,
          ])}
          empty={none || 'You have no inactive tokens.'}
        />
      )}
      <Pager of="access tokens" {...pages} />
    </AccountLayout>
  );
}

interface TokenProps {
  readonly token: PersonalToken;
}

export function Name({ token: { name, description } }: TokenProps) {
  return (
    <>
      <bdi>{name}</bdi>
      {description && (
        <p class="hint">
          <bdi>{description}</bdi>
        </p>
      )}
    </>
  );
}

export const Scopes = ({ token: { scopes } }: TokenProps) => <code>{scopes.join(' ')}</code>;

const Never = () => <span class="whole">Never</span>;

export const LastUsed = ({ token: { lastUsedAt, lastUsedIps } }: TokenProps) =>
  lastUsedAt ? (
    <>
      <Moment at={lastUsedAt} />
      {lastUsedIps.map((address) => (
        <>
          {' '}
          from <code>{address}</code>
        </>
      ))}
    </>
  ) : (
    <Never />
  );

export function Expires({ token: { expiresAt } }: TokenProps) {
  if (!expiresAt) return <Never />;
  return (
    <>
      <Day at={expiresAt} /> {expiresAt <= daysAhead(soon) && <Badge tone="caution">Soon</Badge>}
    </>
  );
}

export const Reason = ({ token: { rotated, revoked } }: TokenProps) => (
  <Badge>{rotated ? 'Rotated' : revoked ? 'Revoked' : 'Expired'}</Badge>
);

function Actions({ token: { id, name } }: TokenProps) {
  return (
    <span class="ways">
      {['Rotate', 'Revoke'].map((action) => (
        <a href={`${tokensPath}/${id}/${action.toLowerCase()}`}>
          {action}
          <span class="hidden"> {name}</span>
        </a>
      ))}
    </span>
  );
}

/** The values in the form of a token. */
export interface TokenDraft {
  readonly name: string;
  readonly description: string;
  /** Days from today; one of `lifetimes`. */
  readonly lasts: string;
  /** The day on which it stops working, instead of a lifetime; else empty. */
  readonly expiresAt: string;
  readonly scopes: readonly string[];
}

interface TokenFormProps {
  readonly site: Site;
  readonly draft: TokenDraft;
  readonly offered: readonly string[];
  /** Scopes that the link to this form asks for, and that can't be chosen. */
  readonly unknown?: readonly string[];
  /** Error messages by field, in sentences. */
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

/** The maximum lifetime of a token, in days. */
const maxLifetime = 365;

/** The lifetimes to choose from, by their days. */
const lifetimes: Readonly<Record<string, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  [maxLifetime]: 'A year',
};

/** Whether a text is one of the lifetimes. */
export const isLifetime = (given: string | undefined): given is string =>
  given !== undefined && Object.hasOwn(lifetimes, given);

export function TokenForm({ site, draft, offered, unknown = [], errors }: TokenFormProps) {
  const title = 'Create an access token';
  return (
    <AccountLayout site={site} title={errors ? `Error: ${title}` : title} current={tokensPath}>
      <h1>{title}</h1>
      {errors && <NotSaved />}
      {unknown.length > 0 && (
        <p class="warning">
          The link asks for <code>{legible(unknown.join(' '))}</code>, which you can’t choose. There are{' '}
          <code>{offered.join(' ')}</code>.
        </p>
      )}
      <Form csrf={site.visitor!.csrf} action={`${tokensPath}/new`} once>
        <TextField
          name="name"
          label="Name"
          hint="What the token is for."
          value={draft.name}
          errors={errors?.name}
          required
        />
        <TextField
          name="description"
          label="Description"
          hint="Optional."
          value={draft.description}
          errors={errors?.description}
        />
        <SelectField
          name="lasts"
          label="Lasts"
          hint="From today, until 00:00 UTC of the day on which it stops working."
          value={draft.lasts}
          options={Object.entries(lifetimes).map(([value, label]) => ({ value, label }))}
        />
        <TextField
          name="expires_at"
          label="Or until a day"
          type="date"
          hint={`Optional. It stops working on this day, at 00:00 UTC; at most ${maxLifetime} days ahead.`}
          min={daysAhead(1)}
          max={daysAhead(maxLifetime)}
          value={draft.expiresAt}
          errors={errors?.expiresAt}
        />
        <Choices
          name="scopes"
          label="Scopes"
          hint="Choose as few as the program needs."
          errors={errors?.scopes}
          choices={scopeChoices({ prefix: 'scope.', offered, chosen: draft.scopes })}
        />
        <div class="decision">
          <button class="button primary">Create token</button>
          <a href={tokensPath}>Cancel</a>
        </div>
      </Form>
    </AccountLayout>
  );
}

export interface NewTokenData {
  readonly title: string;
  readonly token: PersonalToken;
  readonly secret: string;
}

/** The page that shows a new token, once. */
export function NewToken({ site, title, token, secret }: NewTokenData & { readonly site: Site }) {
  return (
    <AccountLayout site={site} title={title} current={tokensPath} load={['copy.js']}>
      <p class="kind">
        <bdi>{token.name}</bdi>
      </p>
      <h1>{title}</h1>
      <SecretOnce label="the token" value={secret} />
      <Facts
        facts={[
          ['Scopes', <Scopes token={token} />],
          ['Expires', <Expires token={token} />],
        ]}
      />
      <h2>Try it</h2>
      <Curl url={`${site.baseUrl}/api/v4/personal_access_tokens/self`} token={secret} />
      <p class="decision">
        <a class="button primary" href={tokensPath}>
          I have copied it
        </a>
        <EnvFile values={{ GITLAB_URL: site.baseUrl, GITLAB_TOKEN: secret }} />
      </p>
    </AccountLayout>
  );
}
