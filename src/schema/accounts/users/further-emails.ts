import { ListQuery } from '../../../database/list.ts';
import { emailReading } from '../../../database/access/records.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { nestedList } from '../../engine/list.ts';
import { Email, User } from './types.ts';

nestedList(User, 'furtherEmails', {
  type: Email,
  description:
    'The person’s addresses besides the primary one, the oldest first. For the person and for administrators.',
  admission: { class: 'token', scopes: [...reads, 'read_user'] },
  orders: { id: { column: 'e.id', type: 'int' } },
  by: 'id_asc',
  rows: ({ viewer }, _asked, _info, { id }) => {
    if (id !== viewer.person?.id && !isAdministrator(viewer)) throw new Forbidden();
    const query = new ListQuery('emails e', 'e.id', emailReading);
    return query.where(`e.user_id = ${query.key(id)}::int`).where('e.primary_of is null');
  },
});
