/**
 * SQL for the rows of some owners in one order, of which only the first are needed.
 * @param select SQL of the rows of one owner, in their order; its id is `owner.id`
 * @param ids SQL for the ids of the owners
 * @param of the order of rows, and SQL for how many are wanted
 */
export function acrossOwners(
  select: string,
  ids: string,
  of: { readonly order: string; readonly wanted: string },
): string {
  const { order, wanted } = of;
  const nexts = `select owner.id as owner_id, next.* from (${ids}) owner(id) cross join lateral (${select} limit 1) next`;
  const first = `array(select first.owner_id from (${nexts}) first order by ${order} limit ${wanted})`;
  return `select rows.* from unnest(${first}) owner(id) cross join lateral (${select} limit ${wanted}) rows order by ${order}`;
}
