import { ListQuery } from '../../database/statements/list.ts';
import { emailReading } from '../../database/statements/records.ts';
import { Forbidden } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { offsetArg, resolvePage, total } from '../page.ts';
import { Email, User } from './types.ts';

const EmailConnection = builder.connectionObject(
  { type: Email, name: 'EmailConnection', fields: (t) => ({ total: t.int(total) }) },
  { name: 'EmailEdge' },
);

builder.prismaObjectField(User, 'furtherEmails', (t) =>
  t.connection(
    {
      type: Email,
      description: 'The person’s addresses besides the primary one, the oldest first. For the person and for administrators.',
      admission: { class: 'token', scopes: [...reads, 'read_user'] },
      args: offsetArg,
      resolve: (user, args, context, info) => {
        if (user.id !== context.viewer.person?.id && !isAdministrator(context.viewer)) throw new Forbidden();
        const query = new ListQuery('emails e', 'e.id', emailReading);
        query.where(`e.user_id = ${query.key(user.id)}::int`).where('e.primary_of is null');
        return resolvePage(context, args, info, {
          query,
          order: { name: 'ID', column: 'e.id', type: 'int', direction: 'asc' },
        });
      },
    },
    EmailConnection,
  ),
);
