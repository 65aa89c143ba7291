import type { GraphQLSchema } from 'graphql';
import { daysAhead, isDay } from '../../../values/time/calendar.ts';
import { InvalidFields } from '../../../errors.ts';
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
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface CreatedToken {
  readonly personalAccessToken: PersonalToken;
  readonly token: string;
}

/** Tokens on a page. */
const size = 50;
/** The default lifetime of a token, in days. */
const defaultLifetime = 30;

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  expiresAt: 'Expiry',
  scopes: 'Scopes',
};

/** A person's own personal access tokens: creating, rotating and revoking them. */
export function personalAccessTokenPages(schema: GraphQLSchema): PageRoute[] {
  const fields =
    'id: databaseId name description scopes createdAt lastUsedAt lastUsedIps expiresAt revoked rotated active';
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ tokens: { nodes: PersonalToken[] } & { pageInfo: PageInfo } }>(
    `query ($userId: ID!, $active: Boolean!, $search: String, $first: Int, $after: String, $last: Int, $before: String) {
      tokens: personalAccessTokens(userId: $userId, active: $active, search: $search, first: $first, after: $after, last: $last, before: $before) {
        nodes { ${fields} } ${pageInfoFields}
      }
    }`,
  );
  const find = compile<{ personalAccessToken: PersonalToken }>(
    `query ($id: ID!) { personalAccessToken(id: $id) { ${fields} } }`,
  );
  const offer = compile<{ authorizationServer: { scopes: string[] } }>(
    'query { authorizationServer { scopes: scopesSupported } }',
  );
  const create = compile<{ created: CreatedToken }>(
    `mutation ($input: CreatePersonalAccessTokenInput!) { created: createPersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } } }`,
  );
  const rotate = compile<{ created: CreatedToken }>(
    `mutation ($input: RotatePersonalAccessTokenInput!) { created: rotatePersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } } }`,
  );
  const revoke = compile<object>(
    'mutation ($input: RevokePersonalAccessTokenInput!) { revokePersonalAccessToken(input: $input) { personalAccessToken { revoked } } }',
  );

  /** The active token of the address; null for one that no longer works. */
  async function findActive({ context, named }: Visit): Promise<PersonalToken | null> {
    const { personalAccessToken: token } = await find.execute(context, { id: named.id });
    return token.active ? token : null;
  }

  /** The scopes that this person can choose: `sudo` only for administrators. */
  async function offered({ site, context }: Visit): Promise<string[]> {
    const { scopes } = (await offer.execute(context, {})).authorizationServer;
    return scopes.filter((scope) => scope !== 'sudo' || site.visitor!.administrator);
  }

  async function askAgain(visit: Visit, draft: TokenDraft, problems: Readonly<Record<string, readonly string[]>>) {
    const errors = Object.fromEntries(
      Object.entries(problems).map(([field, messages]) => [field, sentences(labels[field] ?? field, messages)]),
    );
    return toAnswer(<TokenForm site={visit.site} draft={draft} offered={await offered(visit)} errors={errors} />, 422);
  }

  const shown = shownOnce<NewTokenData>({
    path: `${tokensPath}/made`,
    name: 'new token value',
    section: tokensPath,
    what: 'The token',
    onward: { path: tokensPath, label: 'Go to your tokens' },
    show: (site, data) => <NewToken site={site} {...data} />,
  });

  return [
    shown.page,
    {
      path: tokensPath,
      name: 'personal access tokens',
      async get({ site, context, exchange }) {
        const query = readQuery(exchange);
        // Other programs link here with a name and scopes, to open the form filled in.
        if (query.name !== undefined || query.scopes !== undefined)
          return seeOther(`${tokensPath}/new?${exchange.query}`);
        list.admit(context);
        const active = query.state !== 'inactive';
        const search = (query.search ?? '').slice(0, 255).trim();
        const { tokens } = await list.execute(context, {
          ...pageArguments(query, size),
          userId: context.viewer.person!.id,
          active,
          search: search || null,
        });
        const pages = pagesAround(tokensPath, query, tokens.pageInfo);
        return toAnswer(<TokenList site={site} tokens={tokens.nodes} active={active} search={search} pages={pages} />);
      },
    },
    {
      path: `${tokensPath}/new`,
      name: 'new personal access token',
      once: shown.path,
      async get(visit) {
        create.admit(visit.context);
        const query = readQuery(visit.exchange);
        const scopes = (query.scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
        const draft = {
          name: query.name ?? '',
          description: query.description ?? '',
          lasts: String(defaultLifetime),
          expiresAt: isDay(query.expires_at ?? '') ? query.expires_at! : '',
          scopes,
        };
        const choices = await offered(visit);
        const unknown = scopes.filter((scope) => !choices.includes(scope));
        return toAnswer(<TokenForm site={visit.site} draft={draft} offered={choices} unknown={unknown} />);
      },
      async post(visit, form) {
        const draft = toDraft(form);
        const { lasts, ...values } = draft;
        const input = { ...values, expiresAt: draft.expiresAt || daysAhead(Number(lasts)) };
        if (!isDay(input.expiresAt)) return await askAgain(visit, draft, { expiresAt: ['must be a day'] });
        try {
          const { created } = await create.execute(visit.context, { input });
          return await shown.keep(visit, form, {
            title: 'Your token is created',
            token: created.personalAccessToken,
            secret: created.token,
          });
        } catch (problem) {
          if (problem instanceof InvalidFields) return await askAgain(visit, draft, problem.fields);
          throw problem;
        }
      },
    },
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
        const { created } = await rotate.execute(visit.context, {
          input: { id: visit.named.id, expiresAt: daysAhead(defaultLifetime) },
        });
        return await shown.keep(visit, form, {
          title: 'Your token is rotated',
          token: created.personalAccessToken,
          secret: created.token,
        });
      },
    }),
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
    }),
  ];
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
