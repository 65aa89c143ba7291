import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import { isKnown, keyFingerprint, isSignedBy, type Application } from '../context.ts';

/** The only user name: the key says who it is. */
const userName = 'git';
const methods = ['publickey'] as const;

/** How one connection proves whose it is. */
export class Authentication {
  readonly #application: Application;
  readonly #most: number;
  #refused = 0;
  /** The key that was asked about, and is someone's. */
  #offered: Buffer | undefined;
  #proved: Buffer | undefined;

  /** @param most keys that may be tried */
  constructor(application: Application, most: number) {
    this.#application = application;
    this.#most = most;
  }

  /** The fingerprint of the key that was proved. */
  get key(): Buffer | undefined {
    return this.#proved;
  }

  /**
   * Decides over one attempt.
   * @returns whether the client may try again
   * @throws Unavailable
   */
  async decide(attempt: AuthContext): Promise<boolean> {
    // How clients learn the methods.
    if (attempt.method === 'none') return this.#refuse(attempt, 0);
    if (attempt.method !== 'publickey' || attempt.username !== userName) return this.#refuse(attempt);
    const print = keyFingerprint(attempt.key.data);
    if (!this.#offered?.equals(print)) {
      if (!(await isKnown(this.#application, print))) return this.#refuse(attempt);
      this.#offered = print;
    }
    if (attempt.signature) {
      if (!(await proves(attempt))) return this.#refuse(attempt);
      this.#proved = print;
    }
    attempt.accept();
    return true;
  }

  #refuse(attempt: AuthContext, counts = 1): boolean {
    this.#refused += counts;
    attempt.reject([...methods]);
    return this.#refused < this.#most;
  }
}

const proves = ({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): Promise<boolean> =>
  isSignedBy(key.data, { signed: blob!, signature: signature!, hash: hashAlgo });
