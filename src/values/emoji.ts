/** The names of emoji, as clients know them from two tables. They are loaded when the first one is needed. */

let named: Promise<ReadonlyMap<string, string>> | undefined;

async function load(): Promise<ReadonlyMap<string, string>> {
  const tables = await Promise.all([
    import('emojibase-data/en/shortcodes/joypixels.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }),
  ]);
  return new Map(
    tables.flatMap((table) =>
      Object.entries(table.default).flatMap(([code, names]) =>
        [names].flat().map((name): [string, string] => [name, characters(code)]),
      ),
    ),
  );
}

/** `1F468-200D-1F4BB` as text. */
const characters = (code: string) => String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16)));

const emoji = () => (named ??= load());

/** Whether a text is the name of an emoji, without colons. */
export const isEmojiName = async (name: string): Promise<boolean> => (await emoji()).has(name);

/** The emoji of a name; undefined if it has none. */
export const emojiNamed = async (name: string): Promise<string | undefined> => (await emoji()).get(name);

/** The name of what a person typed: a name, a name between colons, or the emoji itself. Other texts are unchanged. */
export async function emojiNameOf(typed: string): Promise<string> {
  const text = typed.trim().replace(/^:(.+):$/, '$1');
  if (/^[\w+-]*$/.test(text)) return text;
  const plain = withoutVariant(text);
  for (const [name, characters] of await emoji()) if (withoutVariant(characters) === plain) return name;
  return text;
}

/** Keyboards add a mark after some emoji: it asks for their colours. */
const withoutVariant = (text: string) => text.replaceAll('\u{FE0F}', '');
