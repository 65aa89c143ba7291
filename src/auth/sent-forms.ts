import type { Sql } from '../database/index.ts';
import { claimSentForm, keepSealed, releaseSentForm, takeSealed } from './statements/sent-forms.ts';
import type { InstanceKeys } from './instance-keys.ts';
import { seal, unseal } from './seal.ts';

/** Seconds for which what a form brought waits to be shown. */
const waits = 600;

/** A form that acts only once, in the session that it was shown to. */
export interface SentForm {
  readonly formId: string;
  readonly sessionId: number;
}

const pageKeys = (keys: InstanceKeys) => keys.derive('page shown once');
const place = ({ formId, sessionId }: SentForm) => `form ${formId} of session ${sessionId}`;

/** Notes that a form was sent, before it acts. @returns false where it was sent before */
export async function claimForm(sql: Sql, { formId, sessionId }: SentForm): Promise<boolean> {
  return (await sql.rows(claimSentForm, [formId, sessionId])).length > 0;
}

/** Lets a form be sent again, since it was refused. */
export async function releaseForm(sql: Sql, { formId, sessionId }: SentForm): Promise<void> {
  await sql.rows(releaseSentForm, [formId, sessionId]);
}

/** Keeps a text for one showing, sealed, for any process of the gateway. */
export async function keepForOnce(sql: Sql, keys: InstanceKeys, form: SentForm, text: string): Promise<void> {
  await sql.rows(keepSealed, [form.formId, form.sessionId, seal(pageKeys(keys)[0]!, place(form), text), waits]);
}

/** Takes the text, which is erased with that. @returns null where it was taken before, or waited too long */
export async function takeOnce(sql: Sql, keys: InstanceKeys, form: SentForm): Promise<string | null> {
  const [row] = await sql.rows(takeSealed, [form.formId, form.sessionId]);
  return row ? unseal(pageKeys(keys), place(form), row.sealed) : null;
}
