import { LookUp, statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';

interface KnownKey {
  readonly id: number;
  readonly expired: boolean;
  /** Whether to note its use, which happens every 10 minutes at most. */
  readonly unnoted: boolean;
}

interface KeyOfPerson extends KnownKey {
  readonly kind: 'PERSON';
  readonly user_id: number;
  readonly username: string;
  readonly administrator: boolean;
  readonly tier: 'FREE' | 'PREMIUM';
  readonly external: boolean;
  readonly state: PersonState;
}

interface DeployKey extends KnownKey {
  readonly kind: 'DEPLOY';
  readonly user_id: null;
  /** The projects that it opens, and those of them that it pushes to. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Who added it, unless they are gone or blocked. */
  readonly creator_id: number | null;
}

export type SshKeyRow = KeyOfPerson | DeployKey;

/** SQL for the projects that the deploy key `k` opens. */
const opened = (condition = '') =>
  `case when k.kind = 'DEPLOY' then array(select d.project_id from deploy_key_projects d where d.key_id = k.id${condition}) end`;

/** SQL of people's keys `k` that aren't only for signatures, and of deploy keys. */
const keys = `select k.id, k.kind, coalesce(k.expires_at <= now(), false) as expired,
          coalesce(k.last_used_at < now() - interval '10 minutes', true) as unnoted,
          u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state,
          ${opened()} as reads, ${opened(' and d.can_push')} as writes,
          case when k.kind = 'DEPLOY' then (select creator.id from users creator
             where creator.id = k.creator_id and creator.state = 'ACTIVE' and creator.deleting_since is null) end as creator_id
     from ssh_keys k
     left join users u on u.id = k.user_id
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
