import type { GraphQLSchema } from 'graphql';
import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { dataPath, DeleteAccount, deletePath, PersonalData } from './view.tsx';
import { clearCookie } from '../../site/session.ts';
import { seeOtherSaying, withCookies, type PageRoute } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

/** Pages to export the viewer's data, and to delete the account. */
export function personalDataPages(schema: GraphQLSchema): PageRoute[] {
  const download = compileOperation<{ exportPersonalData: { document: string; user: { username: string } } }>(
    schema,
    'mutation { exportPersonalData(input: {}) { document user { username } } }',
  );
  const remove = compileOperation<{ deleteAccount: { username: string } }>(
    schema,
    'mutation ($username: String!) { deleteAccount(input: { username: $username }) { username } }',
  );
  return [
    {
      path: dataPath,
      name: 'personal data',
      get({ site, context }) {
        // Refuse here rather than after the button is pressed.
        download.admit(context);
        return toAnswer(<PersonalData site={site} />);
      },
      async post({ context }) {
        const { document, user } = (await download.execute(context, {})).exportPersonalData;
        return toDownload(`causeway-${user.username}.json`, document);
      },
    },
    {
      path: deletePath,
      name: 'delete account',
      get({ site, context }) {
        remove.admit(context);
        return toAnswer(<DeleteAccount site={site} />);
      },
      async post(visit, { username = '' }) {
        const { site, context } = visit;
        try {
          await remove.execute(context, { username });
        } catch (problem) {
          if (problem instanceof InvalidFields) {
            return toAnswer(<DeleteAccount site={site} errors={sentences('This', problem.fields.username)} />, 422);
          }
          if (problem instanceof Conflict)
            return toAnswer(<DeleteAccount site={site} obstacle={problem.message} />, 409);
          throw problem;
        }
        return withCookies(seeOtherSaying('account_deleted', '/', visit), clearCookie('session', site.baseUrl));
      },
    },
  ];
}

/** A file that the browser downloads. @param name of characters that need no quoting */
const toDownload = (name: string, body: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
  },
  body,
});
