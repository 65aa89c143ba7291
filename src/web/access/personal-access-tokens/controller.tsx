import type { GraphQLSchema } from 'graphql';
import { daysAhead, isDay } from '../../../values/time/calendar.ts';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { readQuery, ticked, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import {
  isLifetime,
  NewToken,
  type NewTokenData,
  TokenForm,
  TokenList,
  tokensPath,
  type PersonalToken,
  type TokenDraft,
} from './view.tsx';
import { pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { compileMutation } from '../../site/mutation.ts';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { allSentences } from '../../site/words.ts';

/** Tokens on a page. */
const size = 50;
/** The default lifetime of a token, in days. */
const defaultLifetime = 30;

interface CreatedToken {
  readonly personalAccessToken: PersonalToken;
  readonly token: string;
}

const fields =
  'id: databaseId name description scopes createdAt lastUsedAt lastUsedIps expiresAt revoked rotated active';

type Operations = ReturnType<typeof operationsOf>;

function operationsOf(schema: GraphQLSchema) {
  const find = compileOperation<{ personalAccessToken: PersonalToken }>(
    schema,
    `query ($id: ID!) { personalAccessToken(id: $id) { ${fields} } }`,
  );
  const offer = compileOperation<{ authorizationServer: { scopes: string[] } }>(
    schema,
    'query { authorizationServer { scopes: scopesSupported } }',
  );
  const created = `token personalAccessToken { ${fields} }`;
  return {
    readList: compileOperation<{ tokens: Paged<PersonalToken> }>(
      schema,
      `query ($userId: ID!, $active: Boolean!, $search: String, $first: Int, $after: String, $last: Int, $before: String) {
        tokens: personalAccessTokens(userId: $userId, active: $active, search: $search, first: $first, after: $after, last: $last, before: $before) {
          nodes { ${fields} } ${pageInfoFields}
        }
      }`,
    ),
    /** The active token of the address; null for one that no longer works. */
    async findActive({ context, named }: Visit): Promise<PersonalToken | null> {
      const { personalAccessToken: token } = await find.execute(context, { id: named.id });
      return token.active ? token : null;
    },
    /** The scopes that this person can choose: `sudo` only for administrators. */
    async offered({ site, context }: Visit): Promise<string[]> {
      const { scopes } = (await offer.execute(context, {})).authorizationServer;
      return scopes.filter((scope) => scope !== 'sudo' || site.visitor!.administrator);
    },
    create: compileMutation<CreatedToken>(schema, 'createPersonalAccessToken', created),
    rotate: compileMutation<CreatedToken>(schema, 'rotatePersonalAccessToken', created),
    revoke: compileMutation(schema, 'revokePersonalAccessToken', 'personalAccessToken { revoked }'),
  };
}

/** The page that shows a new token. */
const shown = shownOnce<NewTokenData>({
  path: `${tokensPath}/made`,
  name: 'new token value',
  section: tokensPath,
  what: 'The token',
  onward: { path: tokensPath, label: 'Go to your tokens' },
  show: (site, data) => <NewToken site={site} {...data} />,
});

/** A person's own personal access tokens: creating, rotating and revoking them. */
export function personalAccessTokenPages(schema: GraphQLSchema): PageRoute[] {
  const operations = operationsOf(schema);
  return [shown.page, ...[list, newOne, rotation, revocation].map((page) => page(operations))];
}

const list = ({ readList }: Operations): PageRoute => ({
  path: tokensPath,
  name: 'personal access tokens',
  async get({ site, context, exchange }) {
    const query = readQuery(exchange);
    // Other programs link here with a name and scopes, to open the form filled in.
    if (query.name !== undefined || query.scopes !== undefined) return seeOther(`${tokensPath}/new?${exchange.query}`);
    readList.admit(context);
    const active = query.state !== 'inactive';
    const search = (query.search ?? '').slice(0, 255).trim();
    const { tokens } = await readList.execute(context, {
      ...pageArguments(query, size),
      userId: context.viewer.person!.id,
      active,
      search: search || null,
    });
    const pages = pagesAround(tokensPath, query, tokens.pageInfo);
    return toAnswer(<TokenList site={site} tokens={tokens.nodes} active={active} search={search} pages={pages} />);
  },
});

const newOne = (operations: Operations): PageRoute => ({
  path: `${tokensPath}/new`,
  name: 'new personal access token',
  once: shown.path,
  async get(visit) {
    operations.create.admit(visit.context);
    const query = readQuery(visit.exchange);
    const scopes = (query.scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
    const draft = {
      name: query.name ?? '',
      description: query.description ?? '',
      lasts: String(defaultLifetime),
      expiresAt: isDay(query.expires_at ?? '') ? query.expires_at! : '',
      scopes,
    };
    const choices = await operations.offered(visit);
    const unknown = scopes.filter((scope) => !choices.includes(scope));
    return toAnswer(<TokenForm site={visit.site} draft={draft} offered={choices} unknown={unknown} />);
  },
  async post(visit, form) {
    const draft = toDraft(form);
    const again = (problems: InvalidFields['fields']) => askAgain(operations, visit, draft, problems);
    const { lasts, ...values } = draft;
    const input = { ...values, expiresAt: draft.expiresAt || daysAhead(Number(lasts)) };
    if (!isDay(input.expiresAt)) return await again({ expiresAt: ['must be a day'] });
    try {
      const { done } = await operations.create.execute(visit.context, { input });
      return await keep(visit, form, 'Your token is created', done);
    } catch (problem) {
      if (problem instanceof InvalidFields) return await again(problem.fields);
      throw problem;
    }
  },
});

const rotation = ({ findActive, rotate }: Operations): PageRoute =>
  confirmPage({
    path: `${tokensPath}/:id/rotate`,
    name: 'rotate personal access token',
    once: shown.path,
    section: tokensPath,
    async ask(visit) {
      rotate.admit(visit.context);
      const token = await findActive(visit);
      return (
        token && {
          title: `Rotate ${token.name}?`,
          says: `You get a new token with the same name and scopes, for ${defaultLifetime} days. The old one stops working at once. If it is used again, the new one is revoked too.`,
          does: 'Rotate the token',
          back: tokensPath,
        }
      );
    },
    async act(visit, form) {
      const input = { id: visit.named.id, expiresAt: daysAhead(defaultLifetime) };
      const { done } = await rotate.execute(visit.context, { input });
      return await keep(visit, form, 'Your token is rotated', done);
    },
  });

const revocation = ({ findActive, revoke }: Operations): PageRoute =>
  confirmPage({
    path: `${tokensPath}/:id/revoke`,
    name: 'revoke personal access token',
    section: tokensPath,
    async ask(visit) {
      const token = await findActive(visit);
      return (
        token && {
          title: `Revoke ${token.name}?`,
          says: 'Programs that use it lose access at once. This can’t be undone.',
          does: 'Revoke the token',
          back: tokensPath,
        }
      );
    },
    async act(visit) {
      await revoke.execute(visit.context, { input: { id: visit.named.id } });
      return seeOtherSaying('token_revoked', tokensPath, visit);
    },
  });

/** Leads to the page that shows a new token. */
const keep = (visit: Visit, form: Fields, title: string, { personalAccessToken, token: secret }: CreatedToken) =>
  shown.keep(visit, form, { title, token: personalAccessToken, secret });

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  expiresAt: 'Expiry',
  scopes: 'Scopes',
};

async function askAgain(
  { offered }: Operations,
  visit: Visit,
  draft: TokenDraft,
  problems: InvalidFields['fields'],
): Promise<Answer> {
  const errors = allSentences(problems, labels);
  return toAnswer(<TokenForm site={visit.site} draft={draft} offered={await offered(visit)} errors={errors} />, 422);
}

function toDraft(form: Fields): TokenDraft {
  return {
    name: form.name ?? '',
    description: form.description ?? '',
    lasts: isLifetime(form.lasts) ? form.lasts : String(defaultLifetime),
    expiresAt: form.expires_at ?? '',
    scopes: ticked(form, 'scope.'),
  };
}
