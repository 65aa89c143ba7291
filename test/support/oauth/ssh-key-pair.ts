import ssh from 'ssh2';

export type KeyType = 'ed25519' | 'rsa' | 'ecdsa';

/** A new key pair, in the forms of OpenSSH. One of 256 of those of `ssh2` can't be read: another one is made then. */
export function sshKeyPair(type: KeyType = 'ed25519', { bits = 2_048, comment = '' } = {}) {
  let made;
  do made = ssh.utils.generateKeyPairSync(type as 'rsa', { bits: type === 'ecdsa' ? 256 : bits, comment });
  while (ssh.utils.parseKey(made.private) instanceof Error);
  return made;
}
