import { objectSchema, type Record } from '../../engine/record.ts';
import { UserBasic, type UserBasicData } from '../../accounts/users/basic.ts';

export const Starrer: Record<{ readonly starredSince: string; readonly user: UserBasicData }> = {
  name: 'Starrer',
  schema: objectSchema({ starred_since: { type: 'string', format: 'date-time' }, user: UserBasic.schema }),
  present: ({ starredSince, user }) => ({ starred_since: starredSince, user: UserBasic.present(user) }),
};
