import { statement } from '../database/index.ts';

/** How many messages the inbox keeps. The sweep forgets them after a day. */
const most = 200;

/** Keeps a message in the inbox, and forgets the oldest ones. $1 kind, $2 recipient, $3 subject, $4 headers, $5 text, $6 HTML. */
export const keepMail = statement<object>(
  'keep_mail',
  `with gone as (
     delete from kept_mails where id <= (select id from kept_mails order by id desc offset ${most - 1} limit 1)
   )
   insert into kept_mails (kind, recipient, subject, headers, text, html) values ($1, $2, $3, $4::jsonb, $5, $6)`,
);
