import type { Prisma } from '../../../../database/client/client.ts';

/**
 * Renames a person, with their namespace and the paths of everything in it. The former paths redirect until something
 * else takes them. A taken name fails before the last three statements, which can't conflict: only the owner of a path
 * has paths below it. @returns the id of the namespace
 */
export async function renameUser(prisma: Prisma.TransactionClient, userId: number, username: string): Promise<number> {
  await prisma.user.update({ where: { id: userId }, data: { username } });
  const { id, fullPath } = await prisma.namespace.findUniqueOrThrow({ where: { ownerId: userId } });
  await prisma.namespace.update({ where: { id }, data: { path: username, fullPath: username } });
  await prisma.$executeRaw`
    with paths as (
      select r.path, r.namespace_id, r.project_id from routes r left join projects p on p.id = r.project_id
       where (r.namespace_id = ${id} or p.namespace_id = ${id}) and lower(${username}::text) <> lower(${fullPath}::text)
    ), taken as (
      delete from former_paths f using paths
       where f.path = lower(${username}::text) || substr(paths.path, ${fullPath.length + 1}::int)
    )
    insert into former_paths (path, namespace_id, project_id) select path, namespace_id, project_id from paths
    on conflict (path) do update set namespace_id = excluded.namespace_id, project_id = excluded.project_id`;
  await prisma.route.update({ where: { path: fullPath.toLowerCase() }, data: { path: username.toLowerCase() } });
  await prisma.$executeRaw`
    update projects set full_path = ${username}::text || substr(full_path, ${fullPath.length + 1}::int) where namespace_id = ${id}`;
  await prisma.$executeRaw`
    update routes r set path = lower(p.full_path) from projects p where r.project_id = p.id and p.namespace_id = ${id}`;
  return id;
}
