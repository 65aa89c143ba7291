import { realpath, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { embeddedVersion, repositoryFacts } from '../../maintenance.ts';
import { explained } from '../failure.ts';
import type { Finding } from '../../values/findings.ts';
import { judged, ok, problem, warning } from './finding.ts';

/** The oldest supported Node.js, as in package.json. */
const oldestNode = [20, 19] as const;

export function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const old = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return old
    ? problem('Node.js', `${process.version} is too old`, `Install Node.js ${oldestNode.join('.')} or later.`)
    : ok('Node.js', process.version);
}

/** Checks git, and that the repositories in the data folder belong to the database. */
export async function repositories(config: Config): Promise<Finding[]> {
  const remedy = 'Install git 2.39.1 or later, in /usr/bin or /usr/local/bin.';
  try {
    const { version, supported, belongs, count, bytes, missing } = await repositoryFacts(config);
    const says = `git ${version}`;
    const stored = `${count} with ${(bytes / mebibyte).toFixed(1)} MiB`;
    return [
      judged('git', says, [
        [!supported, problem('git', `${says} is too old`, remedy)],
        [
          belongs === false,
          problem(
            'git',
            `the repositories in ${config.dataDir} don’t belong to this database`,
            'Set DATA_DIR to the folder that was used with it, or restore both from the same backup.',
          ),
        ],
      ]),
      ...(belongs && count > 0
        ? [
            judged('repositories', stored, [
              [
                missing.length > 0,
                problem(
                  'repositories',
                  `${missing.length} of ${count} aren’t in ${config.dataDir} (projects ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''})`,
                  'Restore their folders from a backup; what people push again is stored again.',
                ),
              ],
            ]),
          ]
        : []),
    ];
  } catch (error) {
    return [problem('git', explained(error)[0], remedy)];
  }
}

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

/** Checks the free disk space for repositories, and for an embedded database. */
export async function disk({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(await existing(dataDir));
  const free = (bavail * bsize) / gibibyte;
  const says = `${free.toFixed(1)} GiB free for ${dataDir}`;
  const remedy = 'Free some space, or set DATA_DIR to a folder on a larger disk.';
  return [
    judged('disk', says, [
      [free < 0.1, problem('disk', says, remedy)],
      [free < 1, warning('disk', says, remedy)],
    ]),
  ];
}

/** The folder, or its nearest ancestor that exists. */
async function existing(folder: string): Promise<string> {
  return (await stat(folder).catch(() => undefined)) ? folder : existing(dirname(folder));
}

/** Checks that other accounts on the machine can't read the files with secrets. */
export async function secretFiles({ secretKeys, databaseUrl, dataDir }: Config): Promise<Finding[]> {
  const files = [
    ...(secretKeys.length > 0 ? [] : [join(dataDir, 'secret.key')]),
    ...(databaseUrl
      ? []
      : [join(await realpath(join(dataDir, 'postgres')).catch(() => dataDir), 'causeway-passwords.json')]),
  ];
  return (await Promise.all(files.map(secretFile))).flat();
}

async function secretFile(file: string): Promise<Finding[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return [];
  const mode = (found.mode & 0o777).toString(8);
  return [
    (found.mode & 0o077) === 0
      ? ok('secret file', `only its owner can read ${file}`)
      : problem(
          'secret file',
          `other accounts can read ${file} (mode ${mode})`,
          `Run chmod 600 ${file}. Then consider who may have read it.`,
        ),
  ];
}

/** Checks the programs of the embedded PostgreSQL; only without `DATABASE_URL`. */
export async function binaries({ databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl) return [];
  try {
    return [ok('PostgreSQL’s programs', `version ${await embeddedVersion()} is installed`)];
  } catch (error) {
    const [message, remedy = ''] = explained(error);
    return [problem('PostgreSQL’s programs', message, remedy)];
  }
}

export async function port({ host, port: wanted }: Config): Promise<Finding> {
  if (wanted === 0) return ok('port', 'a free one is picked');
  const error = await tryToListen(host, wanted);
  if (!error) return ok('port', `${wanted} on ${host} is free`);
  const [message, remedy = ''] = explained(error);
  if (error.code === 'EADDRINUSE' && (await isGateway(host, wanted)))
    return ok('port', `a gateway listens on ${wanted} already`);
  return problem('port', message, remedy);
}

const tryToListen = (host: string, wanted: number) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(wanted, host, () => server.close(() => resolve(undefined)));
  });

async function isGateway(host: string, at: number): Promise<boolean> {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  const answer = await fetch(`http://${reached}:${at}/.well-known/oauth-authorization-server`, {
    signal: AbortSignal.timeout(3_000),
  }).catch(() => undefined);
  return answer?.ok === true;
}
