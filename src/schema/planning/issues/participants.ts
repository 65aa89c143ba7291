import { parent } from '../../../database/list.ts';
import { reads } from '../../../policy/index.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { lookUpIssue, prefetchIssue } from './look-up.ts';
import { participantList } from './statements/people.ts';
import { Issue } from './types.ts';

const list = {
  type: UserCore,
  orders: { id: { column: 'u.id', type: 'int' } },
  by: 'id_asc',
} as const;

rootList('issueParticipants', {
  ...list,
  description: 'The people who take part in an issue and can read it.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchIssue,
  args: (t) => ({
    project: t.id({ required: true, description: 'Id or full path of the project of the issue.' }),
    iid: t.string({ required: true }),
  }),
  rows: async (context, name) => participantList((await lookUpIssue(context, name)).issue.id),
});

const ofEach = listOfEach((_context, _asked: object) => participantList(parent));

nestedList(Issue, 'participants', {
  ...list,
  description: 'The people who take part in it and can read it.',
  rows: (context, _asked, _info, { id }) => ofEach(context, id, {}),
});
