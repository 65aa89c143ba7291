/** The rules for passwords that people choose: the gateway decides by them, and scripts of its pages say what it will decide. */

/** Minimum and maximum length of a password, in characters. */
export const passwordLength = { least: 8, most: 128 };

/** Why a password is easy to guess: it is a common one, or consists of known facts about the person. */
export type Guessable = 'common' | 'personal';

/** How hard it is to guess a password. */
export interface Strength {
  /** Why it is refused; null if it isn't. */
  readonly why: Guessable | null;
  /** From 0 to 4, as zxcvbn has it. */
  readonly score: number;
}

/** zxcvbn. */
interface Estimator {
  check(
    password: string,
    words: string[],
  ): {
    readonly score: number;
    readonly sequence: readonly { readonly pattern: string; readonly dictionaryName?: unknown }[];
  };
}

/** The least zxcvbn score that is accepted: the password withstands a million guesses. */
const leastScore = 2;

/** How many characters are checked: a limit, since the time grows with the length. */
const checkedLength = 32;

/** @param known public facts about the person and the instance: names, addresses */
export function strengthOf(estimator: Estimator, password: string, known: readonly string[]): Strength {
  const words = wordsOf(known);
  if (isMadeOf(words, password)) return { why: 'personal', score: 0 };
  const { score, sequence } = estimator.check(password.slice(0, checkedLength), words);
  if (score >= leastScore) return { why: null, score };
  return { why: sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? 'personal' : 'common', score };
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
