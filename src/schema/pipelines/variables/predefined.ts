import type { Context } from '../../../context.ts';
import { readRef, readTag } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import type { Repository } from '../../../git/repository.ts';

/** Variables that the gateway sets, both for rules and for jobs. */

export function variablesOfServer({ baseUrl, reportedVersion, revision }: Context) {
  const { hostname, port, protocol, host } = new URL(baseUrl);
  const [major, minor, patch] = reportedVersion.split(/[.-]/);
  return {
    CI_SERVER_URL: baseUrl,
    CI_SERVER_HOST: hostname,
    CI_SERVER_FQDN: host,
    CI_SERVER_PORT: port || (protocol === 'https:' ? '443' : '80'),
    CI_SERVER_PROTOCOL: protocol.slice(0, -1),
    CI_SERVER_NAME: 'GitLab',
    CI_SERVER_VERSION: reportedVersion,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: revision,
    CI_API_V4_URL: `${baseUrl}/api/v4`,
    CI_API_GRAPHQL_URL: `${baseUrl}/api/graphql`,
  };
}

/** When a commit was made, with its zone, as git writes it. */
export function timestampOf({ committer: { seconds, zone } }: Commit): string {
  const [sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d{2})(\d{2})$/.exec(zone)?.slice(1) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = (seconds + offset * 60) * 1000;
  // At the end of time, a commit may claim a moment that a zone moves beyond it.
  if (Math.abs(local) > 8.64e15) return new Date(seconds * 1000).toISOString();
  return new Date(local).toISOString().replace(/\.\d+Z$/, `${sign}${hours}:${minutes}`);
}

/** What an annotated tag says; empty for another tag; undefined if it is gone. */
export async function messageOfTag(git: Repository, name: string): Promise<string | undefined> {
  const id = await readRef(git, `refs/tags/${name}`);
  if (id === undefined) return undefined;
  return (await readTag(git, id))?.message.trimEnd() ?? '';
}
