import { LookUp, statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';

export interface SshKeyRow {
  readonly id: number;
  readonly expired: boolean;
  /** Whether to note its use, which happens every 10 minutes at most. */
  readonly unnoted: boolean;
  readonly user_id: number;
  readonly username: string;
  readonly administrator: boolean;
  readonly tier: 'FREE' | 'PREMIUM';
  readonly external: boolean;
  readonly state: PersonState;
}

/** SQL of people's keys `k` that aren't only for signatures. */
const keys = `select k.id, coalesce(k.expires_at <= now(), false) as expired,
          coalesce(k.last_used_at < now() - interval '10 minutes', true) as unnoted,
          u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
     from ssh_keys k
     join users u on u.id = k.user_id
    where k.usage_type <> 'SIGNING' and u.deleting_since is null`;

/** A key. $1 its SHA-256. */
export const findSshKey = new LookUp<SshKeyRow>('key_of_ssh', 'user_id', `${keys} and k.fingerprint_sha256 = $1`);

/** A key that was presented before, as it is now. $1 id. */
export const liveSshKey = statement<SshKeyRow>('live_ssh_key', `${keys} and k.id = $1::int`);

/** Notes the use of a key, unless another connection has noted it meanwhile. $1 id. */
export const noteKeyUse = statement(
  'note_key_use',
  `update ssh_keys set last_used_at = now()
    where id = $1 and coalesce(last_used_at < now() - interval '10 minutes', true)`,
);
