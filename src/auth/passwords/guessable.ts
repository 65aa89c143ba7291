import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { strengthOf, type Guessable } from '../../values/text/passwords.ts';
import { isGenerated } from '../keys/crypto.ts';

/** zxcvbn, loaded when a person first chooses a password: its lists need about 7 MB and a tenth of a second. */
let estimator: Promise<ZxcvbnFactory> | undefined;

async function load(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  const { dictionary, adjacencyGraphs: graphs } = common.default;
  return new core.default.ZxcvbnFactory({ dictionary, graphs });
}

/**
 * Why a password is easy to guess; null if it isn't. Works offline. Passwords that this process generated aren't
 * checked.
 * @param known public facts about the person and the instance: names, addresses
 */
export async function guessable(password: string, known: readonly string[]): Promise<Guessable | null> {
  if (isGenerated(password)) return null;
  estimator ??= load();
  return strengthOf(await estimator, password, known).why;
}
