/**
 * The fixed surroundings of every git process: nothing of the gateway's own environment, of the person it runs as or
 * of a repository's configuration decides what git executes (contract S5 to S8, S23).
 */

/** The whole environment; no other variable reaches git, except those in `mayBeAdded`. */
export const environment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_SSH_COMMAND: 'false',
  GIT_PROXY_COMMAND: 'false',
  GIT_PROTOCOL_FROM_USER: '0',
  // Names no protocol: nothing is fetched from anywhere.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  // Refs below refs/replace would show other objects than those that were asked for.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
};

/** Variables that a job may add, and the only values that they may have. */
export const mayBeAdded: Readonly<Record<string, RegExp>> = {
  GIT_PROTOCOL: /^[a-z0-9=.:]{1,64}$/,
  // An archive without some paths, each of which says that it is literal.
  GIT_LITERAL_PATHSPECS: /^0$/,
  // Fetching from another repository of the same storage, or from the instance that is imported.
  GIT_ALLOW_PROTOCOL: /^(?:file|https|http)$/,
  // A credential for that instance: arguments can be seen by everybody on the machine.
  GIT_CONFIG_COUNT: /^1$/,
  GIT_CONFIG_KEY_0: /^http\.https?:\/\/[^\s/@]+\/\.extraHeader$/,
  GIT_CONFIG_VALUE_0: /^Authorization: Basic [A-Za-z0-9+/]+=*$/,
  // What git gives to the hooks of a push, so that questions about it see the objects in quarantine.
  GIT_QUARANTINE_PATH: /^\/.*\/objects\/(?:tmp_objdir-)?incoming-[A-Za-z0-9]+$/,
  GIT_OBJECT_DIRECTORY: /^\/.*\/objects\/(?:tmp_objdir-)?incoming-[A-Za-z0-9]+$/,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: /^\/[^:"]*\/objects$/,
};

/** The configuration that repeats, before the command, what must not depend on the repository's own file. */
const configuration: Readonly<Record<string, string>> = {
  'core.bare': 'true',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.alternateRefsCommand': 'true',
  'core.sshCommand': 'false',
  'core.askPass': 'true',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.logAllRefUpdates': 'false',
  'core.filesRefLockTimeout': '2000',
  'core.packedRefsTimeout': '5000',
  'core.bigFileThreshold': '50m',
  'core.quotePath': 'false',
  'core.fsync': 'committed,reference,loose-object',
  'credential.helper': '',
  'diff.renames': 'true',
  'diff.renameLimit': '1000',
  'diff.noprefix': 'false',
  'diff.mnemonicPrefix': 'false',
  'diff.algorithm': 'default',
  'diff.context': '3',
  'diff.interHunkContext': '0',
  'diff.orderFile': '/dev/null',
  'diff.submodule': 'short',
  'fetch.recurseSubmodules': 'false',
  'gc.auto': '0',
  'log.mailmap': 'false',
  'log.showSignature': 'false',
  'mailmap.blob': '',
  'mailmap.file': '/dev/null',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'pack.windowMemory': '100m',
  'protocol.version': '2',
  'receive.autogc': 'false',
  'receive.fsckObjects': 'true',
  'submodule.recurse': 'false',
  'transfer.fsckObjects': 'true',
};

/** `-c name=value` for each. @param further replaces or adds values for one command */
export const configured = (further: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({ ...configuration, ...further }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
