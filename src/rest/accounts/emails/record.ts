import { objectSchema, type Record } from '../../engine/record.ts';

export interface EmailData {
  readonly id: number;
  readonly email: string;
  readonly confirmedAt: string | null;
}
export const emailFields = 'id: databaseId email confirmedAt';

/** A secondary email address of a user. */
export const Email: Record<EmailData> = {
  name: 'Email',
  schema: objectSchema({
    id: { type: 'integer' },
    email: { type: 'string', format: 'email' },
    confirmed_at: { type: ['string', 'null'], format: 'date-time' },
  }),
  present: ({ id, email, confirmedAt }) => ({ id, email, confirmed_at: confirmedAt }),
};
