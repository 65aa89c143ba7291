import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { reachMailServer, redisAnswers } from '../../maintenance.ts';
import { explained } from '../failure.ts';
import { judged, ok, problem, warning, type Finding } from './finding.ts';

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

export function address({ baseUrl, host, trustedProxies }: Config): Finding[] {
  const name = 'address';
  if (!baseUrl) {
    return [
      isLoopback(host)
        ? ok(name, 'for this machine only')
        : warning(
            name,
            `others reach ${host}, and links lead to this machine`,
            'Set CAUSEWAY_BASE_URL to the address that people use.',
          ),
    ];
  }
  const { protocol, hostname } = new URL(baseUrl);
  return [
    judged(name, baseUrl, [
      [
        protocol === 'http:' && !isLoopback(hostname),
        warning(
          name,
          `${baseUrl} carries passwords and tokens unencrypted`,
          'Put TLS in front, and set CAUSEWAY_BASE_URL to the https address.',
        ),
      ],
      [
        isIP(hostname) > 0 && !isLoopback(hostname),
        warning(
          name,
          `${baseUrl} is a number`,
          'Give it a name: certificates, cookies and registered redirect URIs go by names.',
        ),
      ],
    ]),
    ...(protocol === 'https:' && trustedProxies.length === 0
      ? [
          warning(
            'proxies',
            'none is trusted, so every client seems to come from the one that ends TLS',
            'Name it in CAUSEWAY_TRUSTED_PROXIES: limits and the audit go by addresses.',
          ),
        ]
      : []),
  ];
}

export function demo({ demo: on, oauth: { production } }: Config): Finding[] {
  return on && production
    ? [warning('demo workspace', 'an empty database would get it', 'Set CAUSEWAY_DEMO=off where people are to work.')]
    : [];
}

export async function mail({ smtp: { url } }: Config): Promise<Finding> {
  const name = 'mail';
  if (!url) return ok(name, 'none is sent; administrators help instead');
  const { host } = new URL(url);
  try {
    await reachMailServer(url);
    return ok(name, `${host} answers`);
  } catch (error) {
    return problem(name, `${host}: ${explained(error)[0]}`, 'Start the server, or mend CAUSEWAY_SMTP_URL.');
  }
}

/** A gateway goes on without it, each process counting for itself. */
export async function redis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const { host } = new URL(redisUrl);
  return [
    (await redisAnswers(redisUrl))
      ? ok('Redis', `${host} answers`)
      : problem('Redis', `${host} doesn’t answer, or doesn’t let the gateway in`, 'Start it, or mend REDIS_URL.'),
  ];
}
