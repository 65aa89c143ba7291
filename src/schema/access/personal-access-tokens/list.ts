import { personalTokenList } from '../../../auth/statements/personal-tokens.ts';
import { Unauthenticated } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { parseId } from '../../places/place/look-up.ts';
import { PersonalAccessToken } from './types.ts';

rootList('personalAccessTokens', {
  type: PersonalAccessToken,
  description:
    'Personal access tokens, the latest first by default: your own; for administrators, those of all people.',
  admission: { class: 'session', personalToken: reads },
  // A token that was never used sorts as the least recently used; one without an expiry date as the last to expire.
  orders: {
    CREATED_AT: { column: 't.created_at', type: 'timestamptz' },
    LAST_USED_AT: { column: `coalesce(t.last_used_at, 'epoch')`, type: 'timestamptz' },
    EXPIRES_AT: { column: `(coalesce(t.expires_at, '9999-12-31')::timestamp at time zone 'utc')`, type: 'timestamptz' },
    NAME: { column: 't.name', type: 'text' },
  },
  by: ['CREATED_AT', 'DESC'],
  filter: {
    description: 'Filters of a list of tokens. Omitted or null filters match everything.',
    fields: (t) => ({
      userId: t.id({ description: 'Only tokens of this person.' }),
      active: t.boolean({ description: 'True: only valid tokens; false: only others.' }),
      revoked: t.boolean({ description: 'True: only revoked tokens; false: only others.' }),
      search: t.string({
        description:
          'Words that must all occur in the name. A word shorter than three letters must match the whole value.',
      }),
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
    const asked = filter.userId == null ? undefined : parseId(filter.userId);
    // As GitLab's REST API does.
    if (!isAdministrator(viewer) && asked !== undefined && asked !== own) throw new Unauthenticated();
    return personalTokenList({ ...filter, search, userId: isAdministrator(viewer) ? asked : own });
  },
});
