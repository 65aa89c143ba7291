import { isGenerated } from './crypto.ts';
import { loadEstimator } from './estimator.ts';

/** Why a password is easy to guess: it is among the common ones, or made of what is known of the person. */
export type Guessable = 'common' | 'personal';

/** The score of zxcvbn from which a password is taken: it withstands a million guesses. */
const leastScore = 2;

/** Characters that are judged. What begins with so many that are easy to guess is refused, and a longer text costs no more time. */
const judged = 32;

/**
 * Whether a password is easy to guess, looked up without a network. Passwords that this process generated are not judged.
 * @param known what everyone knows of the person and of the instance: names, addresses
 */
export async function guessable(password: string, known: readonly string[]): Promise<Guessable | null> {
  if (isGenerated(password)) return null;
  const words = wordsOf(known);
  if (isMadeOf(words, password)) return 'personal';
  const estimator = await loadEstimator();
  const { score, sequence } = estimator.check(password.slice(0, judged), words);
  if (score >= leastScore) return null;
  return sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? 'personal' : 'common';
}

/** Characters that a password has besides the known words, at least. */
const leastBesides = 4;

/** Whether a password is known words one after the other, with hardly anything besides: zxcvbn takes three of them for a passphrase. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const text = password.toLowerCase();
  const rest = words.toSorted((one, other) => other.length - one.length).reduce((left, word) => left.replaceAll(word, ' '), text);
  return rest !== text && rest.replaceAll(/[\s._@:/+-]/g, '').length < leastBesides;
}

/** What people make passwords of: each text, its parts, and its parts without what separates them. */
function wordsOf(known: readonly string[]): string[] {
  const words = known.flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
    return [text, ...parts, parts.join('')];
  });
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 2);
}
