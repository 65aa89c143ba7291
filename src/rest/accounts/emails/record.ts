import { objectSchema, type Record } from '../../engine/record.ts';

export interface EmailData {
  readonly id: string;
  readonly address: string;
  readonly verifiedAt: string | null;
}
export const emailFields = 'id address verifiedAt';

/** A secondary email address of a user. */
export const Email: Record<EmailData> = {
  name: 'Email',
  schema: objectSchema({
    id: { type: 'integer' },
    email: { type: 'string', format: 'email' },
    confirmed_at: { type: ['string', 'null'], format: 'date-time' },
  }),
  present: ({ id, address, verifiedAt }) => ({ id: Number(id), email: address, confirmed_at: verifiedAt }),
};
