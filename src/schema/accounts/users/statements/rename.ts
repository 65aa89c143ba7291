import type { Prisma } from '../../../../database/client/client.ts';

/**
 * Renames a person, with their namespace and the paths of everything in it. A taken name fails before the last three
 * statements, which can't conflict: only the owner of a path has paths below it. @returns the id of the namespace
 */
export async function renameUser(prisma: Prisma.TransactionClient, userId: number, username: string): Promise<number> {
  await prisma.user.update({ where: { id: userId }, data: { username } });
  const { id, fullPath } = await prisma.namespace.findUniqueOrThrow({ where: { ownerId: userId } });
  await prisma.namespace.update({ where: { id }, data: { path: username, fullPath: username } });
  await prisma.route.update({ where: { path: fullPath.toLowerCase() }, data: { path: username.toLowerCase() } });
  await prisma.formerPath.deleteMany({ where: { path: username.toLowerCase() } });
  await prisma.$executeRaw`
    update projects set full_path = ${username}::text || substr(full_path, ${fullPath.length + 1}::int) where namespace_id = ${id}`;
  await prisma.$executeRaw`
    update routes r set path = lower(p.full_path) from projects p where r.project_id = p.id and p.namespace_id = ${id}`;
  return id;
}
