import type { GraphQLSchema } from 'graphql';
import { createContext, domainError, pageContext, type Application, type Context } from '../../../context.ts';
import { presentedCredential, refuseTokenInQuery } from '../../../credential.ts';
import { RateLimited, Unavailable } from '../../../errors.ts';
import { callOf, header, matches, parseForm, Unreadable, type Answer, type Exchange } from '../../../http/index.ts';
import type { Limits } from '../../../limits/index.ts';
import { compileOperation } from '../../../operation.ts';
import { filePolicy } from '../../../values/sent-files.ts';
import { readCookie } from '../../site/session.ts';

/** The beginning of the address of every avatar. */
export const uploadsPrefix = '/uploads/';

const address = /^\/uploads\/-\/system\/(user|group|project)\/avatar\/(\d{1,10})\/([^/]+)$/;

/**
 * A browser that opens a picture runs nothing of it, whatever else the file may be: its media type counts, and the policy
 * puts it into a sandbox. Every use asks whether it is still there and still allowed.
 */
const headers = {
  'cache-control': 'private, max-age=0, must-revalidate',
  ...filePolicy,
  'x-frame-options': 'DENY',
} as const;

interface Found {
  readonly avatar: { readonly filename: string; readonly contentType: string; readonly sha256: string } | null;
}

/**
 * Answers the addresses of avatars, for a session or for a token. Null means 404: the picture doesn't exist, its address
 * has another file name, or the viewer may not see the group or the project.
 * @throws RateLimited, Unavailable, Unreadable
 */
export function avatarServer(
  schema: GraphQLSchema,
  application: Application,
  limits: Limits,
): (exchange: Exchange) => Promise<Answer | null> {
  const find = compileOperation<Found>(
    schema,
    'query ($owner: AvatarOwner!, $id: ID!) { avatar(owner: $owner, id: $id) { filename contentType sha256 } }',
  );
  const read = compileOperation<{ avatar: { sha256: string; content: string | null } | null }>(
    schema,
    'query ($owner: AvatarOwner!, $id: ID!) { avatar(owner: $owner, id: $id) { sha256 content } }',
  );

  /** The context of the token in the request, or else of the session. Requests with a token are counted as those of the API. */
  async function contextOf(exchange: Exchange): Promise<Context> {
    const query = parseForm(exchange.query);
    if (!application.profile.tokenInQuery) refuseTokenInQuery((name) => name in query);
    const presented = presentedCredential(
      (name) => header(exchange, name),
      (name) => query[name],
    );
    if (!presented)
      return await pageContext(
        application,
        readCookie('session', header(exchange, 'cookie'), application.baseUrl),
        callOf(exchange),
      );
    const reading = createContext(application, presented, callOf(exchange)).then((context) => ({ context }));
    return (await limits.counting(exchange, reading, ({ context }) => context.viewer)).context;
  }

  return async (exchange) => {
    const [, owner, id, filename] = address.exec(exchange.path) ?? [];
    if (filename === undefined) return null;
    const variables = { owner: owner!.toUpperCase(), id };
    try {
      const context = await contextOf(exchange);
      exchange.notes.viewer = context.viewer.person?.id;
      const { avatar } = await find.execute(context, variables);
      if (avatar?.filename !== filename) return null;
      const etag = `"${avatar.sha256}"`;
      if (matches(header(exchange, 'if-none-match'), etag))
        return { status: 304, headers: { ...headers, etag }, body: null };
      const content = (await read.execute(context, variables)).avatar;
      if (!content?.content) return null;
      return {
        status: 200,
        headers: { ...headers, 'content-type': avatar.contentType, etag: `"${content.sha256}"` },
        body: Buffer.from(content.content, 'base64'),
      };
    } catch (thrown) {
      const problem = domainError(thrown);
      if (!problem || problem instanceof RateLimited || problem instanceof Unavailable || thrown instanceof Unreadable)
        throw thrown;
      return null;
    }
  };
}
