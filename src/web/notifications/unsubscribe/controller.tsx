import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import type { PageRoute } from '../../site/visit.ts';

interface Link {
  readonly title: string | null;
  readonly path: string | null;
  readonly isOwn: boolean;
}
const fields = 'title path isOwn';

/**
 * The page behind the unsubscribe link of a message. Scanners of mail follow links, so showing it changes nothing. Its form
 * needs neither session nor CSRF token (RFC 8058): the key in the address is the proof.
 */
export function unsubscribePages(schema: GraphQLSchema): PageRoute[] {
  const find = compileOperation<{ unsubscribeLink: Link }>(
    schema,
    `query ($key: String!) { unsubscribeLink(key: $key) { ${fields} } }`,
  );
  const unsubscribe = compileOperation<{ unsubscribe: { link: Link } }>(
    schema,
    `mutation ($input: UnsubscribeInput!) { unsubscribe(input: $input) { link { ${fields} } } }`,
  );
  return [
    {
      path: '/-/sent_notifications/:key/unsubscribe',
      name: 'unsubscribe',
      anonymous: true,
      provenByAddress: true,
      countsAsGuess: true,
      async get({ site, context, named, exchange }) {
        const { unsubscribeLink } = await find.execute(context, { key: named.key });
        return toAnswer(<Ask site={site} action={exchange.path} {...unsubscribeLink} />);
      },
      async post({ site, context, named }) {
        const { link } = (await unsubscribe.execute(context, { input: { key: named.key } })).unsubscribe;
        return toAnswer(<Done site={site} {...link} />);
      },
    },
  ];
}

/** The issue, the merge request or the epic, named only for those who read it. */
const Subject = ({ title, path }: Pick<Link, 'title' | 'path'>) =>
  title !== null && path !== null ? (
    <a href={path}>
      <bdi>{title}</bdi>
    </a>
  ) : (
    <>what the message was about</>
  );

function Ask({ site, action, ...link }: Link & { readonly site: Site; readonly action: string }) {
  return (
    <Layout site={site} title="Unsubscribe">
      <h1>Unsubscribe?</h1>
      <p class="lead">
        {site.visitor && !link.isOwn ? 'The person whom the message went to gets' : 'You get'} no more e-mail about{' '}
        <Subject {...link} />, except where someone mentions {site.visitor && !link.isOwn ? 'them' : 'you'}.
      </p>
      <form method="post" action={action}>
        <button class="button primary">Unsubscribe</button>
      </form>
    </Layout>
  );
}

function Done({ site, ...link }: Link & { readonly site: Site }) {
  return (
    <Layout site={site} title="Unsubscribed">
      <h1>Unsubscribed</h1>
      <p class="lead">
        There is no more e-mail about <Subject {...link} />, except for mentions. Subscribe again on its page.
      </p>
    </Layout>
  );
}
