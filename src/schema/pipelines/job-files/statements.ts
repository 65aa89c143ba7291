import { isLatest } from '../../../database/access/kept-artifacts.ts';
import { statement } from '../../../database/index.ts';

/** Files of jobs that no one sees any more. First the row gives its job up, then the file goes, then the row. */

/** Gives up artifacts that expired and aren’t the latest ones, and those that weren’t received whole within a day. $1 at most. */
export const giveUpArtifacts = statement<{ id: number }>(
  'give_up_artifacts',
  `with expired as (
     select a.id from ci_artifacts a
      where a.expires_at <= now() and a.job_id is not null and not ${isLatest('a.job_id')}
      limit $1::int for update skip locked
   ), partial as (
     select a.id from ci_artifacts a
      where not a.complete and a.created_at < now() - interval '1 day' and a.job_id is not null
      limit $1::int for update skip locked
   )
   update ci_artifacts set job_id = null
    where id in (select id from expired union all select id from partial) returning id`,
);

/** Artifacts and logs whose file is to be removed. $1 at most of each. */
export const findAbandonedFiles = statement<{ id: number; kind: 'trace' | 'artifact'; location: string }>(
  'find_abandoned_files',
  `(select id, 'trace' as kind, location from ci_traces where job_id is null order by id limit $1::int)
   union all
   (select id, 'artifact', location from ci_artifacts where job_id is null and (complete or created_at < now() - interval '1 day')
     order by id limit $1::int)`,
);

/** Forgets them, after their files were removed. $1 logs, $2 artifacts. */
export const forgetFiles = statement<object>(
  'forget_files',
  `with logs as (delete from ci_traces where id = any($1::int[]) and job_id is null)
   delete from ci_artifacts where id = any($2::int[]) and job_id is null`,
);
