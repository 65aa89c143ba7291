import { allLicenses, type License } from '../templates/licenses.ts';

/** Recognizes the licence in a text by the words that it shares with the known ones. */

/** A share of the words: above it, a text is a licence with another title or another holder of the copyright. */
const alike = 0.96;

/** The words of a text, without who has the copyright and without what was to be filled in. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .replaceAll(/^[^\w\n]*(?:copyright|\(c\)|©).*$/gm, '')
      .replaceAll(/[<{[][a-z ]{1,60}[>}\]]/g, '')
      .match(/[\p{L}\p{N}]+/gu),
  );

/** The share of the words of two texts that both have: Sørensen and Dice. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both++;
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size);
}

/** Made on first use; most gateways never use it. */
let known: Promise<readonly { readonly license: License; readonly words: ReadonlySet<string> }[]> | undefined;

const knownLicenses = () =>
  (known ??= allLicenses().then((all) => all.map((license) => ({ license, words: wordsOf(license.content) }))));

/** The licence that a text is; undefined for a text that is none of the known ones. */
export async function recognize(text: string): Promise<License | undefined> {
  const words = wordsOf(text);
  let best: { readonly license: License; readonly share: number } | undefined;
  for (const { license, words: others } of await knownLicenses()) {
    const share = likeness(words, others);
    if (share >= alike && share > (best?.share ?? 0)) best = { license, share };
  }
  return best?.license;
}
