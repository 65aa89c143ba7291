import { isIP } from 'node:net';
import type { Config } from '../../config/index.ts';
import { hasDatabase, reachMailServer, redisAnswers, sshFingerprint } from '../../maintenance.ts';
import { explained } from '../failure.ts';
import type { Finding } from '../../values/findings.ts';
import { judged, ok, problem, warning } from './finding.ts';

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

export function address({ baseUrl, host, trustedProxies }: Config): Finding[] {
  const name = 'address';
  if (!baseUrl) {
    return [
      isLoopback(host)
        ? ok(name, 'for this machine only')
        : warning(
            name,
            `other machines reach ${host}, but links point to this machine only`,
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
          `${baseUrl} sends passwords and tokens unencrypted`,
          'Put TLS in front, and set CAUSEWAY_BASE_URL to the https address.',
        ),
      ],
      [
        isIP(hostname) > 0 && !isLoopback(hostname),
        warning(
          name,
          `${baseUrl} is an IP address`,
          'Use a host name: certificates, cookies and registered redirect URIs need one.',
        ),
      ],
    ]),
    ...(protocol === 'https:' && trustedProxies.length === 0
      ? [
          warning(
            'proxies',
            'none is trusted, so every client seems to have the address of the TLS proxy',
            'Add it to CAUSEWAY_TRUSTED_PROXIES: rate limits and audit events use addresses.',
          ),
        ]
      : []),
  ];
}

export function demo({ demo: on, oauth: { production } }: Config): Finding[] {
  return on && production
    ? [warning('demo workspace', 'an empty database gets it', 'Set CAUSEWAY_DEMO=off in production.')]
    : [];
}

export async function mail({ smtp: { url } }: Config): Promise<Finding> {
  const name = 'mail';
  if (!url) return ok(name, 'none is sent; administrators make password links instead');
  const { host } = new URL(url);
  try {
    await reachMailServer(url);
    return ok(name, `${host} answers`);
  } catch (error) {
    return problem(name, `${host}: ${explained(error)[0]}`, 'Start the server, or correct CAUSEWAY_SMTP_URL.');
  }
}

/** Checks Redis. Without it, a gateway still runs, but each process counts rate limits alone. */
export async function redis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const { host } = new URL(redisUrl);
  return [
    (await redisAnswers(redisUrl))
      ? ok('Redis', `${host} answers`)
      : problem('Redis', `${host} doesn’t answer, or refuses the login`, 'Start it, or correct REDIS_URL.'),
  ];
}

/** Shows by which key clients recognise git over SSH. */
export async function overSsh(config: Config): Promise<Finding[]> {
  if (!config.ssh) return [];
  try {
    const fingerprint = hasDatabase(config) ? await sshFingerprint(config) : undefined;
    const shown =
      fingerprint === undefined ? 'the first start makes its host key' : `host key ${fingerprint} (ED25519)`;
    return [ok('SSH', `port ${config.ssh.port}, ${shown}`)];
  } catch {
    return [warning('SSH', 'its host key can’t be read', 'Bring the database up first: see above.')];
  }
}
