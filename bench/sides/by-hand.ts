import type { IncomingMessage, ServerResponse } from 'node:http';

/** What every answer of the floor needs. */

export function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
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
