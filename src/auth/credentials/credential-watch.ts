import DataLoader from 'dataloader';
import type { Sql } from '../../database/index.ts';
import { livePersonOf, liveTokens, type LiveTokenRow } from '../statements/live-tokens.ts';
import { DomainError, InvalidToken, Unauthenticated, Unavailable } from '../../errors.ts';
import type { Credential, Scope, Viewer } from '../../policy/index.ts';
import { keyNow } from './by-key.ts';
import { livePerson } from './live-person.ts';
import { jobNow } from './machines.ts';

/** Milliseconds between two checks of the watched tokens. */
const interval = 1_000;

type Token = Extract<Credential, { kind: 'personal' | 'oauth' }>;

/** A viewer whose token is watched. */
export interface Watched {
  /**
   * The viewer as of now.
   * @throws InvalidToken, Forbidden for a blocked user, Unavailable
   */
  viewer(): Promise<Viewer>;
  stop(): void;
}

/**
 * Ends subscriptions and other long-lived work when their token ends. One statement a second checks all
 * watched tokens; without watched tokens no statement runs.
 */
export class CredentialWatch {
  readonly #watched = new Map<Watched, (why: DomainError) => void>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  readonly #rows: DataLoader<Token, LiveTokenRow | null>;
  readonly #onFault: (fault: Error) => void;
  readonly #sql: Sql;

  /** @param onFault is called with the error if an `onEnd` throws */
  constructor(sql: Sql, onFault: (fault: Error) => void) {
    this.#onFault = onFault;
    this.#sql = sql;
    this.#rows = new DataLoader((tokens) => load(sql, tokens), { cache: false });
  }

  /** @param onEnd is called once, with the reason why the token no longer works */
  watch(viewer: Viewer, onEnd: (why: DomainError) => void): Watched {
    const watched: Watched = {
      viewer: () => this.now(viewer),
      stop: () => {
        this.#watched.delete(watched);
        if (this.#watched.size === 0) this.#timer = void clearInterval(this.#timer);
      },
    };
    this.#watched.set(watched, onEnd);
    this.#timer ??= setInterval(() => void this.#check(), interval).unref();
    return watched;
  }

  async #check(): Promise<void> {
    // Skip this check if the last one still waits for a busy database.
    if (this.#checking) return;
    this.#checking = true;
    const results = await Promise.allSettled(
      [...this.#watched].map(([watched, onEnd]) => this.#endIfOver(watched, onEnd)),
    );
    this.#checking = false;
    for (const result of results) if (result.status === 'rejected') this.#onFault(result.reason as Error);
  }

  async #endIfOver(watched: Watched, onEnd: (why: DomainError) => void): Promise<void> {
    try {
      await watched.viewer();
    } catch (why) {
      // While the database is unavailable, the state of the token isn't known.
      if (!(why instanceof DomainError) || why instanceof Unavailable || !this.#watched.has(watched)) return;
      watched.stop();
      onEnd(why);
    }
  }

  /**
   * The viewer of a token, a password, an SSH key or a job, as of now: for work that takes longer than a request usually does.
   * @throws InvalidToken, Unauthenticated, Forbidden for a blocked user, Unavailable
   */
  async now(viewer: Viewer): Promise<Viewer> {
    if (viewer.credential?.kind === 'password') {
      const [found] = await this.#sql.rows(livePersonOf, [viewer.person!.id]);
      if (!found) throw new Unauthenticated();
      return { ...viewer, person: livePerson(found) };
    }
    if (viewer.credential?.kind === 'job') return await jobNow(this.#sql, viewer.credential.jobId);
    if (viewer.credential?.kind === 'key' || viewer.credential?.kind === 'deploy_key')
      return await keyNow(this.#sql, viewer.credential.keyId);
    const credential = viewer.credential as Token;
    const row = await this.#rows.load(credential);
    if (row?.expired) throw new InvalidToken('expired');
    if (!row || row.revoked) throw new InvalidToken('revoked');
    const person = row.user_id === null ? null : livePerson(row as Parameters<typeof livePerson>[0]);
    return { ...viewer, person, credential: { ...credential, scopes: row.scopes as Scope[] } };
  }
}

async function load(sql: Sql, tokens: readonly Token[]): Promise<(LiveTokenRow | null)[]> {
  const idsOf = (kind: Token['kind']) => tokens.filter((token) => token.kind === kind).map(({ tokenId }) => tokenId);
  const rows = await sql.rows(liveTokens, [idsOf('personal'), idsOf('oauth')]);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  return tokens.map(({ kind, tokenId }) => found.get(`${kind} ${tokenId}`) ?? null);
}
