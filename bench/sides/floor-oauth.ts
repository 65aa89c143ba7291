import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { verifyPassword } from '../../src/auth/keys/crypto.ts';
import { deriveSharedKeys, loadInstanceKeys } from '../../src/auth/keys/instance-keys.ts';
import { seal } from '../../src/auth/keys/seal.ts';
import { issue, redeemCode, rotate } from '../../src/oauth/statements/grants.ts';
import { findToken } from '../../src/oauth/statements/tokens.ts';
import { accessToken, answer, bodyOf, digest, one, unauthorized, type Asked } from './by-hand.ts';

/** The floor of OAuth: tokens by each grant, introspection and information, each with the gateway's own statement. */

const keys = loadInstanceKeys({ secretKeys: [process.env.CAUSEWAY_SECRET_KEY!], dataDir: '' })!;

const statements = {
  tokenInfo: `select t.scopes, floor(extract(epoch from t.created_at))::int as created_at, floor(extract(epoch from t.expires_at - now()))::int as expires_in,
      g.user_id, a.uid
    from ${accessToken}`,
  account: `select u.id, u.password_hash from routes r join namespaces n on n.id = r.namespace_id join users u on u.id = n.owner_id and u.state = 'ACTIVE'
    where r.path = $1`,
};

/** The gateway's statement for grants without a code or token; the client's secret replaces its id. */
const issueToClient = issue.text
  .replace('$11::timestamptz', 'now()')
  .replaceAll('$2::int', `(select id from applications where uid = $2::text and secret_digest = $11::bytea)`);

const newSecret = (prefix: string) => prefix + randomBytes(32).toString('base64url');

/** Parses the form that the load sends. */
async function token(asked: Asked): Promise<void> {
  const { request, response } = asked;
  const form = new URLSearchParams(await bodyOf(request));
  const [uid, secret] = [form.get('client_id')!, digest(form.get('client_secret')!)];
  const [access, refresh] = [newSecret('cwat_'), newSecret('cwrt_')];
  const createdAt = Math.floor(Date.now() / 1000);
  const from = ['127.0.0.1', randomUUID()];
  const record = (scope: string, refreshToken?: string) => ({
    access_token: access,
    token_type: 'bearer',
    expires_in: 7200,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope,
    created_at: createdAt,
  });
  let row: { scopes: string[] } | undefined;
  switch (form.get('grant_type')) {
    case 'refresh_token': {
      const presented = digest(form.get('refresh_token')!);
      const [sealing] = deriveSharedKeys(keys, 'refresh token successor', form.get('refresh_token')!);
      const sealed = seal(
        sealing!,
        presented.toString('base64url'),
        JSON.stringify({ accessToken: access, refreshToken: refresh, expiresIn: 7200, createdAt }),
      );
      row = await one(asked, 'floor_refresh', rotate.text, [
        presented,
        uid,
        null,
        digest(access),
        digest(refresh),
        sealed,
        30,
        7200,
        ...from,
        secret,
      ]);
      break;
    }
    case 'authorization_code': {
      const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
      row = await one(asked, 'floor_code', redeemCode.text, [
        digest(form.get('code')!),
        uid,
        form.get('redirect_uri'),
        challenge,
        digest(access),
        digest(refresh),
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
      break;
    }
    case 'password': {
      const account = await one<{ id: number; password_hash: string }>(asked, 'account', statements.account, [
        form.get('username'),
      ]);
      if (!account || !(await verifyPassword(account.password_hash, form.get('password')!))) break;
      row = await one(asked, 'floor_client', issueToClient, [
        'PASSWORD',
        uid,
        account.id,
        ['api'],
        digest(access),
        digest(refresh),
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
      break;
    }
    default:
      row = await one(asked, 'floor_client', issueToClient, [
        'CLIENT_CREDENTIALS',
        uid,
        null,
        ['api'],
        digest(access),
        null,
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
  }
  if (!row) return answer(response, 400, { error: 'invalid_grant' });
  answer(
    response,
    200,
    record(row.scopes.join(' '), form.get('grant_type') === 'client_credentials' ? undefined : refresh),
  );
}

async function introspect(asked: Asked): Promise<void> {
  const { request, response } = asked;
  const form = new URLSearchParams(await bodyOf(request));
  const row = await one<{
    secret_digest: Buffer;
    live: boolean;
    scopes: string[];
    application_uid: string;
    username: string;
    user_id: number;
    created_at: Date;
    expires_at: Date | null;
  }>(
    asked,
    'floor_introspect',
    `select found.*, c.secret_digest from (${findToken.text}) found join applications c on c.uid = $2 and c.id = found.application_id`,
    [digest(form.get('token')!), form.get('client_id')],
  );
  if (!row || !timingSafeEqual(row.secret_digest, digest(form.get('client_secret')!)))
    return answer(response, 401, { error: 'invalid_client' });
  if (!row.live) return answer(response, 200, { active: false });
  answer(response, 200, {
    active: true,
    scope: row.scopes.join(' '),
    client_id: row.application_uid,
    username: row.username,
    token_type: 'bearer',
    ...(row.expires_at && { exp: Math.floor(row.expires_at.getTime() / 1000) }),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: String(row.user_id),
  });
}

async function tokenInfo(asked: Asked): Promise<void> {
  const { response, secret } = asked;
  const row = await one<{
    scopes: string[];
    created_at: number;
    expires_in: number | null;
    user_id: number;
    uid: string;
  }>(asked, 'info', statements.tokenInfo, [secret]);
  if (!row) return unauthorized(response);
  const { scopes, expires_in } = row;
  answer(response, 200, {
    resource_owner_id: row.user_id,
    scope: scopes,
    expires_in,
    application: { uid: row.uid },
    created_at: row.created_at,
    scopes,
    expires_in_seconds: expires_in,
  });
}

/** Answers a request for a token, or about one. @returns whether it is such a request */
export async function oauth(asked: Asked): Promise<boolean> {
  if (asked.path === '/oauth/token') await token(asked);
  else if (asked.path === '/oauth/introspect') await introspect(asked);
  else if (asked.path === '/oauth/token/info') await tokenInfo(asked);
  else return false;
  return true;
}
