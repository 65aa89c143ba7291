import { statement } from '../../../database/index.ts';

export interface KeptMailRow {
  readonly id: number;
  readonly at: Date;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
}

/** Messages kept, the newest first. The inbox never has more than a page of them. */
export const keptMails = statement<KeptMailRow>(
  'kept_mails',
  `select id::int as id, at, kind, recipient, subject from kept_mails order by id desc limit 200`,
);

export interface WholeMailRow extends KeptMailRow {
  readonly headers: { readonly [name: string]: unknown };
  readonly text: string;
  readonly html: string;
}

/** $1 the id. */
export const keptMail = statement<WholeMailRow>(
  'kept_mail',
  `select id::int as id, at, kind, recipient, subject, headers, text, html from kept_mails where id = $1::int`,
);
