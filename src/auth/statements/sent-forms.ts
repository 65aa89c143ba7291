import { statement } from '../../database/index.ts';

/** Forms that act only once, and their results until they are shown. Each statement takes $1 the form's id, $2 the session. */

/** Claims a form before it acts. No row: it was claimed before, or the session has ended. */
export const claimSentForm = statement<object>(
  'claim_sent_form',
  `insert into sent_forms (form_id, session_id) select $1, id from sessions where id = $2::int
   on conflict (form_id) do nothing returning form_id`,
);

/** Allows a form without a result to be sent again. */
export const releaseSentForm = statement<object>(
  'release_sent_form',
  'delete from sent_forms where form_id = $1 and session_id = $2::int and sealed is null returning form_id',
);

/** Stores what the page shows. $3 sealed, $4 for how many seconds. */
export const keepSealed = statement<object>(
  'keep_sealed_of_form',
  `insert into sent_forms (form_id, session_id, sealed, sealed_until) values ($1, $2::int, $3, now() + make_interval(secs => $4))
   on conflict (form_id) do update set sealed = excluded.sealed, sealed_until = excluded.sealed_until
     where sent_forms.session_id = excluded.session_id`,
);

/** Reads and erases what the page shows. No row: there is nothing, or it was read before. */
export const takeSealed = statement<{ sealed: Buffer }>(
  'take_sealed_of_form',
  `with found as (
     select form_id, sealed from sent_forms where form_id = $1 and session_id = $2::int and sealed_until > now() for update
   ), erased as (
     update sent_forms f set sealed = null, sealed_until = null from found where f.form_id = found.form_id
   )
   select sealed from found where sealed is not null`,
);
