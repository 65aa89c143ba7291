import type { GraphQLSchema } from 'graphql';
import { daysAhead, isDay } from '../../../values/calendar.ts';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/confirm.tsx';
import { readQuery, ticked, type Fields } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import {
  NewToken,
  type NewTokenData,
  TokenForm,
  TokenList,
  tokensPath,
  type PersonalToken,
  type TokenDraft,
} from './view.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/paging.ts';
import { shownOnce } from '../../site/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface Made {
  readonly personalAccessToken: PersonalToken;
  readonly token: string;
}

/** Tokens on a page. */
const size = 50;
/** Days for which a token lives, unless the person chooses otherwise. */
const usualLife = 30;

/** What people know the fields as. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  expiresAt: 'Expiry',
  scopes: 'Scopes',
};

/** A person's own personal access tokens: making, rotating and revoking them. */
export function personalAccessTokenPages(schema: GraphQLSchema): PageRoute[] {
  const fields = 'id name description scopes createdAt lastUsedAt expiresAt revoked rotated active';
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ tokens: { nodes: PersonalToken[] } & { pageInfo: PageInfo } }>(
    `query ($userId: ID!, $active: Boolean!, $first: Int, $after: String, $last: Int, $before: String) {
      tokens: personalAccessTokens(filter: { userId: $userId, active: $active }, first: $first, after: $after, last: $last, before: $before) {
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
  const create = compile<{ made: Made }>(
    `mutation ($input: CreatePersonalAccessTokenInput!) { made: createPersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } } }`,
  );
  const rotate = compile<{ made: Made }>(
    `mutation ($input: RotatePersonalAccessTokenInput!) { made: rotatePersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } } }`,
  );
  const revoke = compile<object>(
    'mutation ($input: RevokePersonalAccessTokenInput!) { revokePersonalAccessToken(input: $input) { personalAccessToken { id } } }',
  );

  /** One of the person's own that works; null for any other. */
  async function standing({ context, named }: Visit): Promise<PersonalToken | null> {
    const { personalAccessToken: token } = await find.execute(context, { id: named.id });
    return token.active ? token : null;
  }

  /** The scopes that make sense for this person. */
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
    name: 'made personal access token',
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
        // The address by which other programs lead people to a form that is filled in.
        if (query.name !== undefined || query.scopes !== undefined)
          return seeOther(`${tokensPath}/new?${exchange.query}`);
        list.admit(context);
        const active = query.state !== 'inactive';
        const { tokens } = await list.execute(context, {
          ...pageArguments(query, size),
          userId: context.viewer.person!.id,
          active,
        });
        const pages = pagesAround(tokensPath, query, tokens.pageInfo);
        return toAnswer(<TokenList site={site} tokens={tokens.nodes} active={active} pages={pages} />);
      },
    },
    {
      path: `${tokensPath}/new`,
      name: 'new personal access token',
      once: shown.path,
      async get(visit) {
        create.admit(visit.context);
        const query = readQuery(visit.exchange);
        const draft = {
          name: query.name ?? '',
          description: query.description ?? '',
          expiresAt: daysAhead(usualLife),
          scopes: (query.scopes ?? '').split(/[\s,]+/),
        };
        return toAnswer(<TokenForm site={visit.site} draft={draft} offered={await offered(visit)} />);
      },
      async post(visit, form) {
        const draft = toDraft(form);
        if (!isDay(draft.expiresAt)) return await askAgain(visit, draft, { expiresAt: ['must be a day'] });
        try {
          const { made } = await create.execute(visit.context, { input: draft });
          return await shown.keep(visit, form, {
            title: 'Your token is made',
            token: made.personalAccessToken,
            secret: made.token,
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
        const token = await standing(visit);
        return (
          token && {
            title: `Rotate ${token.name}?`,
            says: `You get a new token with the same name and scopes, for ${usualLife} days. The old one stops working at once; if anybody presents it again, the new one ends too.`,
            does: 'Rotate the token',
            back: tokensPath,
          }
        );
      },
      async act(visit, form) {
        const { made } = await rotate.execute(visit.context, {
          input: { id: visit.named.id, expiresAt: daysAhead(usualLife) },
        });
        return await shown.keep(visit, form, {
          title: 'Your token is rotated',
          token: made.personalAccessToken,
          secret: made.token,
        });
      },
    }),
    confirmPage({
      path: `${tokensPath}/:id/revoke`,
      name: 'revoke personal access token',
      section: tokensPath,
      async ask(visit) {
        const token = await standing(visit);
        return (
          token && {
            title: `Revoke ${token.name}?`,
            says: 'Whatever uses it is refused from now on. This can’t be undone.',
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
    // Where newer clients and their documentation look for them.
    {
      path: '/-/user_settings/personal_access_tokens',
      name: 'personal access tokens',
      get: ({ exchange }) => seeOther(tokensPath + (exchange.query && `?${exchange.query}`)),
    },
  ];
}

function toDraft(form: Fields): TokenDraft {
  return {
    name: form.name ?? '',
    description: form.description ?? '',
    expiresAt: form.expires_at ?? '',
    scopes: ticked(form, 'scope.'),
  };
}
