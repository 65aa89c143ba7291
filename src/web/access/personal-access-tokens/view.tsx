import { daysAhead } from '../../../values/calendar.ts';
import { Day } from '../../site/day.tsx';
import { Choices, Form, NotSaved, TextField } from '../../site/forms.tsx';
import { Curl, type Site } from '../../site/layout.tsx';
import { Badge, Facts, Pager, SecretOnce, Table } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';
import { scopeSays } from '../../site/words.ts';

export const tokensPath = '/profile/personal_access_tokens';

export interface PersonalToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** The first day on which it no longer works. */
  readonly expiresAt: string | null;
  readonly revoked: boolean;
  readonly rotated: boolean;
  readonly active: boolean;
}

/** Days before its end at which a token is marked. */
const soon = 7;

interface TokenListProps {
  readonly site: Site;
  readonly tokens: readonly PersonalToken[];
  /** Whether these are the ones that work. */
  readonly active: boolean;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

export function TokenList({ site, tokens, active, pages }: TokenListProps) {
  return (
    <AccountLayout site={site} title="Access tokens" current={tokensPath}>
      <h1>Access tokens</h1>
      <p class="lead">A program that has one acts as you, within the scopes of the token. Give each program its own.</p>
      <p class="decision">
        <a class="button primary" href={`${tokensPath}/new`}>
          Make a token
        </a>
        <a href={active ? `${tokensPath}?state=inactive` : tokensPath}>
          {active ? 'Those that no longer work' : 'Those that work'}
        </a>
      </p>
      {active ? (
        <Table
          caption="Tokens that work"
          columns={['Name', 'Scopes', 'Last used', 'Expires', { hidden: 'What you can do' }]}
          rows={tokens.map((token) => [
            <Name token={token} />,
            <Scopes token={token} />,
            <LastUsed token={token} />,
            <Expires token={token} />,
            <Ways token={token} />,
          ])}
          empty="You have none."
        />
      ) : (
        <Table
          caption="Tokens that no longer work"
          columns={['Name', 'Scopes', 'Last used', 'Why']}
          rows={tokens.map((token) => [
            <Name token={token} />,
            <Scopes token={token} />,
            <LastUsed token={token} />,
            <Why token={token} />,
          ])}
          empty="There are none."
        />
      )}
      <Pager of="access tokens" {...pages} />
    </AccountLayout>
  );
}

interface Of {
  readonly token: PersonalToken;
}

function Name({ token: { name, description } }: Of) {
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

const Scopes = ({ token: { scopes } }: Of) => <code>{scopes.join(' ')}</code>;

const LastUsed = ({ token: { lastUsedAt } }: Of) => (lastUsedAt ? <Day at={lastUsedAt} /> : <>Never</>);

function Expires({ token: { expiresAt } }: Of) {
  if (!expiresAt) return <>Never</>;
  return (
    <>
      <Day at={expiresAt} /> {expiresAt <= daysAhead(soon) && <Badge tone="caution">Soon</Badge>}
    </>
  );
}

const Why = ({ token: { rotated, revoked } }: Of) => (
  <Badge>{rotated ? 'Rotated' : revoked ? 'Revoked' : 'Expired'}</Badge>
);

function Ways({ token: { id, name } }: Of) {
  return (
    <span class="ways">
      {['Rotate', 'Revoke'].map((way) => (
        <a href={`${tokensPath}/${id}/${way.toLowerCase()}`}>
          {way}
          <span class="hidden"> {name}</span>
        </a>
      ))}
    </span>
  );
}

/** What the form of a token holds. */
export interface TokenDraft {
  readonly name: string;
  readonly description: string;
  readonly expiresAt: string;
  readonly scopes: readonly string[];
}

interface TokenFormProps {
  readonly site: Site;
  readonly draft: TokenDraft;
  readonly offered: readonly string[];
  /** What is wrong, in sentences, by field. */
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Longest life of a token, in days. */
const longest = 365;

export function TokenForm({ site, draft, offered, errors }: TokenFormProps) {
  const title = 'Make an access token';
  return (
    <AccountLayout site={site} title={errors ? `Error: ${title}` : title} current={tokensPath}>
      <h1>{title}</h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={`${tokensPath}/new`} once>
        <TextField
          name="name"
          label="Name"
          hint="What it is for, so that you know it again."
          value={draft.name}
          errors={errors?.name}
          required
        />
        <TextField
          name="description"
          label="Description"
          hint="If the name doesn’t say enough."
          value={draft.description}
          errors={errors?.description}
        />
        <TextField
          name="expires_at"
          label="Expires"
          type="date"
          hint={`The first day on which it no longer works, at most ${longest} days ahead.`}
          min={daysAhead(1)}
          max={daysAhead(longest)}
          value={draft.expiresAt}
          errors={errors?.expiresAt}
          required
        />
        <Choices
          name="scopes"
          label="Scopes"
          hint="The least that will do."
          errors={errors?.scopes}
          choices={offered.map((scope) => ({
            name: `scope.${scope}`,
            label: <code>{scope}</code>,
            says: scopeSays(scope),
            chosen: draft.scopes.includes(scope),
          }))}
        />
        <div class="decision">
          <button class="button primary">Make the token</button>
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

/** Right after a token was made: the one time that it is shown. */
export function NewToken({ site, title, token, secret }: NewTokenData & { readonly site: Site }) {
  return (
    <AccountLayout site={site} title={title} current={tokensPath}>
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
      <Curl url={`${site.baseUrl}/api/v4/personal_access_tokens/self`} />
      <p class="decision">
        <a class="button primary" href={tokensPath}>
          I have copied it
        </a>
      </p>
    </AccountLayout>
  );
}
