import { personalTokenList } from '../../../auth/statements/personal-tokens.ts';
import { Unauthenticated } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { numberOf } from '../../places/place/look-up.ts';
import { PersonalAccessToken } from './types.ts';

rootList('personalAccessTokens', {
  type: PersonalAccessToken,
  description:
    'Personal access tokens, the latest first where nothing else is said: your own, and for administrators everybody’s.',
  admission: { class: 'session', personalToken: reads },
  // One that was never used is the longest unused; one that never ends is the last to end.
  orders: {
    CREATED_AT: { column: 't.created_at', type: 'timestamptz' },
    LAST_USED_AT: { column: `coalesce(t.last_used_at, 'epoch')`, type: 'timestamptz' },
    EXPIRES_AT: { column: `(coalesce(t.expires_at, '9999-12-31')::timestamp at time zone 'utc')`, type: 'timestamptz' },
    NAME: { column: 't.name', type: 'text' },
  },
  by: ['CREATED_AT', 'DESC'],
  filter: {
    description: 'Which tokens a list holds. Whatever is left out or null holds nobody off.',
    fields: (t) => ({
      userId: t.id({ description: 'Only those of one person.' }),
      active: t.boolean({ description: 'Only those that work, or only others.' }),
      revoked: t.boolean({ description: 'Only those that were revoked, or only others.' }),
      search: t.string({ description: 'Every word of it in the name. Words below three letters must be all of it.' }),
      createdAfter: t.field({ type: 'DateTime' }),
      createdBefore: t.field({ type: 'DateTime' }),
      lastUsedAfter: t.field({ type: 'DateTime' }),
      lastUsedBefore: t.field({ type: 'DateTime' }),
      expiresAfter: t.field({ type: 'Date' }),
      expiresBefore: t.field({ type: 'Date' }),
    }),
  },
  rows: ({ viewer }, { filter }) => {
    const search = searchText(filter.search);
    const own = viewer.person?.id ?? 0;
    const asked = filter.userId == null ? undefined : numberOf(filter.userId);
    // As version 4 does.
    if (!isAdministrator(viewer) && asked !== undefined && asked !== own) throw new Unauthenticated();
    return personalTokenList({ ...filter, search, userId: isAdministrator(viewer) ? asked : own });
  },
});
