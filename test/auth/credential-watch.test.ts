import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CredentialWatch } from '../../src/auth/index.ts';
import type { Statement } from '../../src/database/index.ts';
import type { LiveTokenRow } from '../../src/auth/statements/live-tokens.ts';
import { Forbidden, InvalidToken, Unavailable } from '../../src/errors.ts';
import type { Credential, Viewer } from '../../src/policy/index.ts';

/** Long-lived work ends with the token that it began with; tested over a stubbed database. */

const standing: LiveTokenRow = {
  kind: 'personal',
  id: 1,
  scopes: ['api'],
  expired: false,
  revoked: false,
  user_id: 7,
  username: 'person',
  administrator: false,
  tier: 'FREE',
  external: false,
  state: 'ACTIVE',
};
const person = { id: 7, username: 'person', administrator: false, premium: false, external: false };
const personal = (tokenId: number): Viewer => ({ person, credential: { kind: 'personal', tokenId, scopes: ['api'] } });
const oauth = (tokenId: number): Viewer => ({
  person,
  credential: { kind: 'oauth', tokenId, scopes: ['api'], application: null, createdAt: new Date(0), expiresAt: null },
});

/** The rows that the database returns for the tokens, or its error. */
let answer: () => LiveTokenRow[] | Promise<LiveTokenRow[]>;
let asked: (readonly unknown[])[];
/** What `onEnd` callbacks threw. */
let faults: unknown[];
let watch: CredentialWatch;
beforeEach(() => {
  vi.useFakeTimers();
  answer = () => [standing];
  asked = [];
  faults = [];
  const database = {
    rows: async <Row>(_statement: Statement<Row>, values: readonly unknown[]) => {
      asked.push(values);
      return (await answer()) as Row[];
    },
  };
  watch = new CredentialWatch(database, (fault) => faults.push(fault));
});
afterEach(() => vi.useRealTimers());

/** Notes why something ended. */
function begin(viewer: Viewer) {
  const reasons: unknown[] = [];
  return { reasons, ...watch.watch(viewer, (why) => reasons.push(why)) };
}
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
const failing = (error: Error) => () => Promise.reject(error);

describe('what was begun with a token', () => {
  test.each<[what: string, row: Partial<LiveTokenRow> | null, why: Error]>([
    ['is revoked', { revoked: true }, new InvalidToken('revoked')],
    ['expires', { expired: true }, new InvalidToken('expired')],
    ['expired before it was revoked', { expired: true, revoked: true }, new InvalidToken('expired')],
    ['is gone', null, new InvalidToken('revoked')],
    ['is of a blocked person', { state: 'BLOCKED' }, new Forbidden('Your account has been blocked.')],
  ])('ends within a second when it %s, and reports it once', async (_what, row, why) => {
    const { reasons } = begin(personal(1));
    await seconds(3);
    expect(reasons).toEqual([]);
    answer = () => (row ? [{ ...standing, ...row }] : []);
    await seconds(1);
    expect(reasons).toEqual([why]);
    expect(reasons[0]).toBeInstanceOf(why.constructor);
    await seconds(3);
    expect([reasons.length, asked.length]).toEqual([1, 4]);
  });

  test.each([
    ['can’t be asked', new Unavailable()],
    ['makes a mistake', new Error('the connection broke')],
  ])('goes on while the database %s, and ends when that is known', async (_what, error) => {
    const { reasons } = begin(personal(1));
    answer = failing(error);
    await seconds(3);
    expect([reasons, asked.length]).toEqual([[], 3]);
    answer = () => [];
    await seconds(1);
    expect(reasons).toEqual([new InvalidToken('revoked')]);
  });

  test('reports nothing to work that stopped while its token was being checked', async () => {
    let say!: (rows: LiveTokenRow[]) => void;
    answer = () => new Promise((resolve) => (say = resolve));
    const { reasons, stop } = begin(personal(1));
    await seconds(1);
    stop();
    say([]);
    await seconds(2);
    expect([reasons, asked.length]).toEqual([[], 1]);
  });

  test('reports the end to the others although one callback throws', async () => {
    answer = () => [{ ...standing, id: 3 }];
    const broken = new Error('a broken callback');
    const one = begin(personal(1));
    watch.watch(personal(2), () => {
      throw broken;
    });
    const [later, lasting] = [begin(oauth(2)), begin(personal(3))];
    await seconds(1);
    expect([one.reasons.length, later.reasons.length, faults]).toEqual([1, 1, [broken]]);
    answer = () => [];
    await seconds(1);
    expect(lasting.reasons).toEqual([new InvalidToken('revoked')]);
    await seconds(5);
    expect([faults.length, asked.length]).toEqual([1, 2]);
  });

  test('has the rights of now, and of its own token', async () => {
    const [one, other, alone] = [begin(personal(5)), begin(oauth(5)), begin(oauth(6))];
    answer = () => [
      { ...standing, kind: 'oauth', id: 6, user_id: null },
      {
        ...standing,
        kind: 'oauth',
        id: 5,
        scopes: ['read_user'],
        username: 'renamed',
        administrator: true,
        tier: 'PREMIUM',
      },
      { ...standing, id: 5, revoked: true },
    ];
    await expect(one.viewer()).rejects.toThrow(new InvalidToken('revoked'));
    expect(await other.viewer()).toEqual({
      person: { id: 7, username: 'renamed', administrator: true, premium: true, external: false },
      credential: { ...(oauth(5).credential as Credential & { kind: 'oauth' }), scopes: ['read_user'] },
    });
    expect((await alone.viewer()).person).toBeNull();
    await seconds(1);
    expect([one.reasons.length, other.reasons.length, alone.reasons.length]).toEqual([1, 0, 0]);
  });
});

describe('the database is asked', () => {
  test('once a second for everything that lasts, and not at all while nothing does', async () => {
    answer = () => [standing, { ...standing, id: 2 }, { ...standing, kind: 'oauth', id: 3 }];
    await seconds(5);
    expect(asked).toEqual([]);
    const lasting = [begin(personal(1)), begin(oauth(3)), begin(personal(2))];
    await seconds(2);
    expect(asked).toEqual([
      [[1, 2], [3]],
      [[1, 2], [3]],
    ]);
    for (const { stop } of lasting.splice(0, 2)) stop();
    await seconds(1);
    expect(asked.splice(0)).toHaveLength(3);
    lasting[0]!.stop();
    await seconds(5);
    expect([asked, vi.getTimerCount()]).toEqual([[], 0]);
    begin(personal(2));
    await seconds(1);
    expect(asked).toEqual([[[2], []]]);
  });

  test('no second time before it has answered', async () => {
    let say!: (rows: LiveTokenRow[]) => void;
    answer = () => new Promise((resolve) => (say = resolve));
    begin(personal(1));
    await seconds(5);
    expect(asked).toHaveLength(1);
    say([standing]);
    await seconds(2);
    expect(asked).toHaveLength(2);
  });
});
