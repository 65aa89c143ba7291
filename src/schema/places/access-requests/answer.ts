import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { sendsNotifications } from '../../../mail/index.ts';
import type { Place } from '../members/place.ts';
import { mailAskers, type EndedRequest } from './statements.ts';

/** Writes to people how their requests for a place were answered, in the transaction that answers them. */
export async function mailAnswer(
  sql: Sql,
  { mail }: Pick<Context, 'mail'>,
  { scope, id }: Pick<Place, 'scope' | 'id'>,
  cause: 'ACCESS_GRANTED' | 'ACCESS_DENIED',
  ended: readonly EndedRequest[],
): Promise<void> {
  if (ended.length === 0 || !sendsNotifications(mail)) return;
  const requests = ended.map((request) => request.id);
  const people = ended.map(({ userId }) => userId);
  await sql.rows(mailAskers[scope], [id, requests, people, cause]);
}
