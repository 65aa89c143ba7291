/** Emoji, by the names that clients know from two tables. The tables are loaded when the first name is asked. */

export interface Emoji {
  /** The first of its names: that of the version 4 API. */
  readonly name: string;
  readonly character: string;
}

let emoji: Promise<ReadonlyMap<string, Emoji>> | undefined;

const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));

async function load(): Promise<ReadonlyMap<string, Emoji>> {
  const tables = await Promise.all([
    import('emojibase-data/en/shortcodes/joypixels.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }),
  ]);
  const byName = new Map<string, Emoji>();
  const byCode = new Map<string, Emoji>();
  for (const table of tables) {
    for (const [code, given] of Object.entries<string | string[]>(table.default)) {
      const names = [given].flat();
      const one = byCode.get(code) ?? { name: names[0]!, character: characterOf(code) };
      byCode.set(code, one);
      // The first table decides where both have a name for different emoji.
      for (const name of names) if (!byName.has(name)) byName.set(name, one);
    }
  }
  return byName;
}

/** The emoji with a name, without colons; undefined if there is none. */
export const emojiNamed = async (name: string): Promise<Emoji | undefined> => (await (emoji ??= load())).get(name);

/** The name of what a person typed: a name, a name between colons, or the emoji itself. Other texts are unchanged. */
export async function emojiNameOf(typed: string): Promise<string> {
  const text = typed.trim().replace(/^:(.+):$/, '$1');
  if (/^[\w+-]*$/.test(text)) return text;
  const plain = withoutVariant(text);
  for (const [name, { character }] of await (emoji ??= load())) if (withoutVariant(character) === plain) return name;
  return text;
}

/** Keyboards add a mark after some emoji: it asks for their colours. */
const withoutVariant = (text: string) => text.replaceAll('\u{FE0F}', '');

/** The version of Unicode that an emoji came with: `6.0`. */
export async function unicodeVersionOf({ character }: Emoji): Promise<string> {
  const { default: versions } = await import('emojibase-data/versions/unicode.json', { with: { type: 'json' } });
  const code = [...character].map((one) => one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')).join('-');
  const found = Object.entries<readonly string[]>(versions).find(([, codes]) => codes.includes(code));
  return Number(found?.[0] ?? 6).toFixed(1);
}
