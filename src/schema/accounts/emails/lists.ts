import { ListQuery } from '../../../database/list.ts';
import { emailReading } from '../../../database/access/records.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { isOwn } from '../users/seen.ts';
import { existingUser } from '../users/find.ts';
import { User } from '../users/types.ts';
import { Email } from './type.ts';

/** The addresses of people. */

const list = {
  type: Email,
  admission: { class: 'token', scopes: [...reads, 'read_user'] },
  orders: { id: { column: 'e.id', type: 'int' } },
  by: 'id_asc',
} as const;

const emailsOfEach = listOfEach(() => new ListQuery('emails e', 'e.id', emailReading).where('e.user_id = parent.id'));

nestedList(User, 'emails', {
  ...list,
  admission: { ...list.admission, anonymous: true },
  description: 'All the person’s addresses, the oldest first. For the person and for administrators; empty for others.',
  rows: (context, _asked, _info, { id }) => (isOwn(id, context) ? emailsOfEach(context, id, {}) : noRows),
});

function furtherEmails(id: number) {
  const query = new ListQuery('emails e', 'e.id', emailReading);
  return query.where(`e.user_id = ${query.key(id)}::int`).where('e.primary_of is null');
}

nestedList(User, 'furtherEmails', {
  ...list,
  description:
    'The person’s addresses besides the primary one, the oldest first. For the person and for administrators.',
  rows: (context, _asked, _info, { id }) => {
    if (!isOwn(id, context)) throw new Forbidden();
    return furtherEmails(id);
  },
});

rootList('furtherEmailsOfUser', {
  ...list,
  admission: { ...list.admission, anonymous: true },
  description:
    'A person’s addresses besides the primary one, the oldest first. For administrators, who alone learn whether the person exists.',
  args: (t) => ({ userId: t.id({ required: true, description: 'Id of the person.' }) }),
  rows: async (context, { userId }) => {
    requireAdministrator(context);
    return furtherEmails((await existingUser(context, userId)).id);
  },
});

builder.interfaceField(User, 'furtherEmail', (t) =>
  t.prismaField({
    type: Email,
    description: 'One of the person’s addresses besides the primary one. For the person and for administrators.',
    admission: list.admission,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, person, { id: given }, context) => {
      if (!isOwn(person.id, context)) throw new Forbidden();
      const id = idOf(given, 'Email');
      const email = await context.database.prisma.email.findUnique({ ...query, where: { id, userId: person.id } });
      // The primary address isn't one of these.
      if (!email || email.primaryOf !== null) throw new NotFound('Email');
      return email;
    },
  }),
);
