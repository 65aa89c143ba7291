import type { Context } from '../../../context.ts';
import { Unauthenticated } from '../../../errors.ts';
import type { Identity } from '../../../git/write/index.ts';
import { commitAddress } from '../../accounts/users/fields/commit-email.ts';
import { findCommitter } from './statements.ts';

/** Who commits over the API: always the viewer, whatever author a request names (contract S29). @throws Unauthenticated */
export async function committerOf(context: Context): Promise<Identity> {
  const { person } = context.viewer;
  const identity = person ? await identityOf(context, person.id) : undefined;
  if (!identity) throw new Unauthenticated();
  return identity;
}

/** How a person is named in commits; undefined for no one. */
export async function identityOf(context: Context, id: number): Promise<Identity | undefined> {
  const [row] = await context.database.rows(findCommitter, [id]);
  if (!row) return undefined;
  const account = { attributes: { commitEmail: row.commit_email }, address: row.address };
  const email = commitAddress(context, { id, username: row.username }, account);
  return { name: row.name, email: email ?? '', at: new Date() };
}

/** The author that a request names; the committer, where it names none. */
export function authorOf(
  committer: Identity,
  { authorName, authorEmail }: { authorName?: string | null | undefined; authorEmail?: string | null | undefined },
): Identity {
  return { ...committer, name: authorName || committer.name, email: authorEmail || committer.email };
}
