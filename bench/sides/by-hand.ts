import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';

/** What every answer of the floor needs. */

/** A request that the floor answers. */
export interface Asked {
  readonly pool: pg.Pool;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The digest of the token. */
  readonly secret: Buffer;
  readonly url: string;
  /** The address without parameters. */
  readonly path: string;
  readonly baseUrl: string;
}

export const digest = (secret: string) => createHash('sha256').update(secret).digest();

/** The first row of a prepared statement. */
export async function one<Row extends pg.QueryResultRow>(
  { pool }: Pick<Asked, 'pool'>,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  return (await pool.query<Row>({ name, text, values })).rows[0];
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Answers with the first page of a list, of 20 records. @param total how many the list has */
export function answerPage(
  { response, path, baseUrl }: Pick<Asked, 'response' | 'path' | 'baseUrl'>,
  records: readonly object[],
  total: number,
): void {
  const text = JSON.stringify(records);
  const pages = Math.ceil(total / 20);
  const page = (number: number) => `<${baseUrl}${path}?page=${number}&per_page=20>`;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-total': total,
    'x-total-pages': pages,
    'x-page': 1,
    'x-per-page': 20,
    'x-next-page': pages > 1 ? 2 : '',
    'x-prev-page': '',
    link: `${pages > 1 ? `${page(2)}; rel="next", ` : ''}${page(1)}; rel="first", ${page(pages)}; rel="last"`,
  });
  response.end(text);
}

export const unauthorized = (response: ServerResponse) => answer(response, 401, { message: '401 Unauthorized' });

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** SQL: the person `u` behind a live personal token with the digest $1. */
export const bearer = `personal_access_tokens t join users u on u.id = t.user_id and u.state = 'ACTIVE'`;
export const live = `t.digest = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > (now() at time zone 'utc')::date)
  and t.scopes && '{api,read_api}'`;

/** SQL: what a live OAuth access token with the digest $1 belongs to. */
export const accessToken = `access_tokens t join grants g on g.id = t.grant_id join users u on u.id = g.user_id and u.state = 'ACTIVE'
    left join applications a on a.id = g.application_id
    left join authorizations p on p.user_id = g.user_id and p.application_id = g.application_id
    where t.digest = $1 and (t.revoked_at is null or t.revoked_at > now()) and (t.expires_at is null or t.expires_at > now())
      and g.ended_at is null and g.authorized_at > greatest(u.valid_from, a.valid_from, p.valid_from)`;
