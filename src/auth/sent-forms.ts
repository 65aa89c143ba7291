import type { Sql } from '../database/index.ts';
import { claimSentForm, keepSealed, releaseSentForm, takeSealed } from './statements/sent-forms.ts';
import type { InstanceKeys } from './keys/instance-keys.ts';
import { seal, unseal } from './keys/seal.ts';

/** Seconds for which the result of a form can be shown. */
const lifetime = 600;

/** A form that acts only once (idempotency key), in the session that it was shown to. */
export interface SentForm {
  readonly formId: string;
  readonly sessionId: number;
}

const pageKeys = (keys: InstanceKeys) => keys.derive('page shown once');
const place = ({ formId, sessionId }: SentForm) => `form ${formId} of session ${sessionId}`;

/** Claims a form before it acts. @returns false if it was sent before */
export async function claimForm(sql: Sql, { formId, sessionId }: SentForm): Promise<boolean> {
  return (await sql.rows(claimSentForm, [formId, sessionId])).length > 0;
}

/** Allows a refused form to be sent again. */
export async function releaseForm(sql: Sql, { formId, sessionId }: SentForm): Promise<void> {
  await sql.rows(releaseSentForm, [formId, sessionId]);
}

/** Stores a text, sealed, to be shown once by any process of the gateway. */
export async function keepForOnce(sql: Sql, keys: InstanceKeys, form: SentForm, text: string): Promise<void> {
  await sql.rows(keepSealed, [form.formId, form.sessionId, seal(pageKeys(keys)[0]!, place(form), text), lifetime]);
}

/** Reads and erases the text. @returns null if it was read before or is too old */
export async function takeOnce(sql: Sql, keys: InstanceKeys, form: SentForm): Promise<string | null> {
  const [row] = await sql.rows(takeSealed, [form.formId, form.sessionId]);
  return row ? unseal(pageKeys(keys), place(form), row.sealed) : null;
}
