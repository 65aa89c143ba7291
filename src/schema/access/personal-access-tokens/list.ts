import { personalTokenList } from '../../../auth/statements/personal-tokens.ts';
import { Unauthenticated } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { idOf } from '../../engine/global-id.ts';
import { PersonalAccessToken } from './types.ts';

rootList('personalAccessTokens', {
  type: PersonalAccessToken,
  description:
    'Personal access tokens, the latest first by default: your own; for administrators, those of all people.',
  admission: { class: 'session', personalToken: reads },
  // A token that was never used sorts as the least recently used; one without an expiry date as the last to expire.
  orders: {
    created: { column: 't.created_at', type: 'timestamptz' },
    last_used: { column: `coalesce(t.last_used_at, 'epoch')`, type: 'timestamptz' },
    expires: { column: `(coalesce(t.expires_at, '9999-12-31')::timestamp at time zone 'utc')`, type: 'timestamptz' },
    name: { column: 't.name', type: 'text' },
  },
  by: 'created_desc',
  args: (t) => ({
    userId: t.id({ description: 'Only tokens of this person.' }),
    active: t.boolean({ description: 'True: only valid tokens; false: only others.' }),
    revoked: t.boolean({ description: 'True: only revoked tokens; false: only others.' }),
    search: t.string({
      description:
        'Words that must all occur in the name. Words shorter than three letters are ignored; a search without longer ones must match the whole value.',
    }),
    createdAfter: t.field({ type: 'Time' }),
    createdBefore: t.field({ type: 'Time' }),
    lastUsedAfter: t.field({ type: 'Time' }),
    lastUsedBefore: t.field({ type: 'Time' }),
    expiresAfter: t.field({ type: 'Date' }),
    expiresBefore: t.field({ type: 'Date' }),
  }),
  rows: ({ viewer }, filter) => {
    const search = searchText(filter.search);
    const own = viewer.person?.id ?? 0;
    const asked = filter.userId == null ? undefined : idOf(filter.userId, 'User');
    // As GitLab's REST API does.
    if (!isAdministrator(viewer) && asked !== undefined && asked !== own) throw new Unauthenticated();
    return personalTokenList({ ...filter, search, userId: isAdministrator(viewer) ? asked : own });
  },
});
