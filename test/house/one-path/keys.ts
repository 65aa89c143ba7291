/** The inputs for the routes of SSH keys. The maintainer has key 701. */

const ids = ['701', '0', '99999999999'];
const one = ids.map((key_id) => ({ path: { key_id }, values: {} }));
const sha256 = `SHA256:${Buffer.alloc(32, 7).toString('base64').slice(0, 43)}`;

export const inputsOfKeys = {
  'GET /api/v4/user/keys': { readable: [{ values: {} }, { values: { per_page: '1' } }] },
  'GET /api/v4/user/keys/:key_id': { readable: one },
  'GET /api/v4/users/:id/keys': {
    readable: ['2', '0', 'maintainer', 'nobody'].map((id) => ({ id, values: {} })),
  },
  'GET /api/v4/users/:id/keys/:key_id': {
    readable: one.flatMap((input) => ['root', 'maintainer'].map((id) => ({ ...input, id }))),
  },
  'GET /api/v4/keys': {
    readable: [sha256, 'SHA256:unknown', Array(16).fill('07').join(':')].map((fingerprint) => ({
      values: { fingerprint },
    })),
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/keys/:key_id': { readable: one },
};

/** Makes the key. */
export const keysToBegin = `insert into ssh_keys (id, user_id, title, key, fingerprint_sha256, fingerprint_md5)
  select 701, id, 'Laptop', 'ssh-ed25519 AAAA', decode(repeat('07', 32), 'hex'), decode(repeat('07', 16), 'hex')
    from users where username = 'maintainer'`;
