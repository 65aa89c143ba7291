/** How people reach git over SSH. */
export interface SshService {
  readonly port: number;
  /** Undefined: at the host of the gateway's address, on `port`. */
  readonly reachedAt: { readonly host: string; readonly port: number } | undefined;
}

/** The port that SSH has unless one is named (RFC 4253 §4.1). */
const usualPort = 22;

/**
 * The address of a repository for git over SSH: `git@host:path.git`, or a URL where the port must be named.
 * @param service undefined if it isn't served
 * @param baseUrl the address of the gateway
 * @returns null if it isn't served
 */
export function sshAddress(service: SshService | undefined, baseUrl: string, fullPath: string): string | null {
  if (!service || !URL.canParse(baseUrl)) return null;
  const { host, port } = service.reachedAt ?? { host: new URL(baseUrl).hostname, port: service.port };
  // In the short form, a colon ends the host, as those of IPv6 would.
  if (port === usualPort && !host.includes(':')) return `git@${host}:${fullPath}.git`;
  return `ssh://git@${host}${port === usualPort ? '' : `:${port}`}/${fullPath}.git`;
}
