import { statement } from '../../../../database/index.ts';

/** How issues and merge requests find their labels. */

/** The colour of a label that one of them made. */
const usualColor = '#6699cc';

/**
 * CTEs that find labels by their titles in a project and the groups above it, and make those that are missing.
 * @param place a CTE with the project: `id`, `ancestry`
 */
export const labelsOf = (place: string, titles: string, ids: string, makes: string) =>
  `wanted as (
     select distinct t.title from unnest(${titles}::text[]) t(title)
   ), known as (
     select distinct on (l.title) l.id, l.title from ${place} place, wanted w join labels l on l.title = w.title
      where l.project_id = place.id or l.group_id = any(place.ancestry)
      order by l.title, l.project_id nulls last
   ), made as (
     -- Locks a label that is made at the same time, and takes it.
     insert into labels (project_id, title, color)
     select place.id, w.title, '${usualColor}' from ${place} place, wanted w
      where ${makes}::boolean and not exists (select from known where known.title = w.title) order by w.title
     on conflict (project_id, title) do update set title = excluded.title returning id, title
   ), chosen as (
     select l.id, l.title from ${place} place, labels l
      where l.id = any(${ids}::int[]) and (l.project_id = place.id or l.group_id = any(place.ancestry))
   ), labelled as (
     select id, title from known union select id, title from made union select id, title from chosen
   )`;

/**
 * The labels of a project by their titles or ids; those that are missing are made. $1 project, $2 titles, $3 ids, $4
 * whether to make labels.
 */
export const labelsInProject = statement<{ id: number; title: string }>(
  'labels_in_project',
  `with place as (
     select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = $1::int
   ), ${labelsOf('place', '$2', '$3', '$4')} select id, title from labelled`,
);
