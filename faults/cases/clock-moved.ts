import type { Fault } from '../fault.ts';
import { promised } from '../promised.ts';
import { query } from '../cluster.ts';
import { application, digestOf, newSecret } from '../store.ts';
import { calls, tryOf } from '../load.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** Loaded before the gateway: shifts its clock by so many hours, but not the database's. */
const moved = (hours: number): Record<string, string> => {
  const source = `const D=Date,by=${hours}*3600000;globalThis.Date=class extends D{constructor(...a){a.length?super(...a):super(D.now()+by)}static now(){return D.now()+by}}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
};

/** @param hours by which one clock is fast and the other slow */
const clocks = (name: string, time: string, hours: number): Fault => ({
  name,
  what: `One gateway’s clock is ${time} fast and the other’s ${time} slow; the database’s is right. (Only \`Date\` is shifted, not the system’s timers.)`,
  settings: () => Promise.resolve([moved(hours), moved(-hours)]),
  async run({ gateways, load, spare: [person], databaseUrl }) {
    const make = async (hours: number) => {
      const token = newSecret('cwat_');
      await query(
        databaseUrl,
        `with g as (insert into grants (kind, application_id, user_id, authorized_at)
           select 'PASSWORD', id, $1, now() - interval '5 hours' from applications where uid = $2 returning id)
         insert into access_tokens (grant_id, digest, scopes, created_at, expires_at)
         select id, $3, '{api}', now() - interval '5 hours', now() + make_interval(hours => $4) from g`,
        [person!.id, application.uid, digestOf(token), hours],
      );
      return token;
    };
    const [live, expired] = [await make(1), await make(-1)];
    const statuses = async (token: string) =>
      (await Promise.all(gateways.map((gateway) => load.ask(gateway, tryOf(token))))).map(({ status }) => status);
    const [ofLive, ofExpired] = [await statuses(live), await statuses(expired)];

    const lifetimes = await Promise.all(
      gateways.map(async (gateway) => {
        const { access_token: token } = JSON.parse((await load.ask(gateway, calls.clientCredentials())).text) as {
          access_token: string;
        };
        const rows = await query<{ seconds: number }>(
          databaseUrl,
          'select extract(epoch from expires_at - now())::int as seconds from access_tokens where digest = $1',
          [digestOf(token)],
        );
        return rows[0]!.seconds;
      }),
    );
    const sessionOf = async (minutes: number) => {
      const secret = newSecret('cwss_');
      await query(
        databaseUrl,
        `insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at)
         values ($1, $2, '127.0.0.1', 'faults', now() - make_interval(mins => $3), now())`,
        [person!.id, digestOf(secret), minutes],
      );
      return secret;
    };
    const grantsPower = async (secret: string) =>
      (await Promise.all(gateways.map((gateway) => load.ask(gateway, calls.pageThatGrantsPower(secret))))).map(
        ({ status }) => status,
      );
    const [ofRecent, ofFormer] = [await grantsPower(await sessionOf(1)), await grantsPower(await sessionOf(60))];
    await pause(2_000);
    return [
      promised(
        'A token with an hour to live works at both.',
        `answered ${ofLive.join(' and ')}`,
        ofLive.every((status) => status === 200),
      ),
      promised(
        'One that expired an hour ago works at neither.',
        `answered ${ofExpired.join(' and ')}`,
        ofExpired.every((status) => status === 401),
      ),
      promised(
        'Tokens have the configured lifetime (7200 s), by the database’s clock.',
        `${lifetimes.join(' s and ')} s`,
        lifetimes.every((seconds) => Math.abs(seconds - 7_200) <= 10),
      ),
      promised(
        'After signing in a minute ago, sensitive pages open; after an hour, the password is required, at both.',
        `a page answered ${ofRecent.join(' and ')}, and ${ofFormer.join(' and ')}`,
        ofRecent.every((status) => status === 200) && ofFormer.every((status) => status === 303),
      ),
    ];
  },
});

export const clockMoved = clocks('clock-moved', 'three hours', 3);
export const clockMovedByADay = clocks('clock-moved-by-a-day', 'a day', 24);
