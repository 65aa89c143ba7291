import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { isGenerated } from './crypto.ts';

/** Why a password is easy to guess: it is a common one, or consists of known facts about the person. */
export type Guessable = 'common' | 'personal';

/** The least zxcvbn score that is accepted: the password withstands a million guesses. */
const leastScore = 2;

/** How many characters are checked: a limit, since the time grows with the length. */
const checkedLength = 32;

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
  const words = wordsOf(known);
  if (isMadeOf(words, password)) return 'personal';
  estimator ??= load();
  const { score, sequence } = (await estimator).check(password.slice(0, checkedLength), words);
  if (score >= leastScore) return null;
  return sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? 'personal' : 'common';
}

/** Minimum number of characters besides the known words. */
const leastBesides = 4;

/** Whether a password is little more than known words in a row. zxcvbn would accept three of them as a passphrase. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const text = password.toLowerCase();
  const rest = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ' '), text);
  return rest !== text && rest.replaceAll(/[\s._@:/+-]/g, '').length < leastBesides;
}

/** The words to look for: each text, its parts, and its parts joined. */
function wordsOf(known: readonly string[]): string[] {
  const words = known.flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
    return [text, ...parts, parts.join('')];
  });
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 2);
}
