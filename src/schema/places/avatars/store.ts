import { createHash } from 'node:crypto';
import type { Prisma } from '../../../database/client/client.ts';
import type { Sql } from '../../../database/index.ts';
import type { AvatarOwner } from '../../../values/avatar-path.ts';
import type { Picture } from './picture.ts';
import { removeStatements, storeStatements } from './statements.ts';

/**
 * Stores or removes a picture, in the transaction that changes its owner.
 * @param picture null to remove it; undefined changes nothing
 */
export async function storeAvatar(
  sql: Sql,
  owner: AvatarOwner,
  id: number,
  picture: Picture | null | undefined,
): Promise<void> {
  if (picture === undefined) return;
  if (picture === null) return void (await sql.rows(removeStatements[owner], [id]));
  const { filename, contentType, content } = picture;
  const digest = createHash('sha256').update(content).digest();
  await sql.rows(storeStatements[owner], [id, filename, contentType, digest, content]);
}

/** Runs statements in a transaction of Prisma. */
export const within = (prisma: Prisma.TransactionClient): Sql => ({
  rows: ({ text }, values) => prisma.$queryRawUnsafe(text, ...values),
});
