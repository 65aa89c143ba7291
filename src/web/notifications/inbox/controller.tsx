import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { Inbox, inboxPath, Message, type KeptMail, type WholeMail } from './view.tsx';
import type { PageRoute } from '../../site/visit.ts';

const summary = 'id: databaseId at kind recipient subject';

/** The inbox of a gateway on one's own machine. Everywhere else, these pages aren't there. */
export function inboxPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ keptMails: KeptMail[] }>(schema, `query { keptMails { ${summary} } }`);
  const find = compileOperation<{ keptMail: WholeMail }>(
    schema,
    `query ($id: ID!) { keptMail(id: $id) { ${summary} headers text html } }`,
  );
  return [
    {
      path: inboxPath,
      name: 'inbox',
      get: async ({ site, context }) =>
        toAnswer(<Inbox site={site} mails={(await list.execute(context, {})).keptMails} />),
    },
    {
      path: `${inboxPath}/:id`,
      name: 'kept message',
      async get({ site, context, named }) {
        const { keptMail } = await find.execute(context, { id: named.id });
        return toAnswer(<Message site={site} mail={keptMail} />, 200, { frames: true });
      },
    },
    {
      path: `${inboxPath}/:id/html`,
      name: 'kept message as HTML',
      get: async ({ context, named }) => framed((await find.execute(context, { id: named.id })).keptMail.html),
    },
  ];
}

/**
 * The HTML of a message as a document of its own, for a frame of the page: it runs nothing, loads nothing from elsewhere, and
 * its links open outside the frame.
 */
const framed = (html: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  },
  body: html.replace(/<head[^>]*>|^(?!.*<head)/is, '$&<base target="_blank">'),
});
