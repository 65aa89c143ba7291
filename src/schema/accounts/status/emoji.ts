/** The names of emoji, as clients know them from two tables. They are loaded when the first status is set. */

let names: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const tables = await Promise.all([
    import('emojibase-data/en/shortcodes/joypixels.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }),
  ]);
  return new Set(tables.flatMap((table) => Object.values(table.default).flat()));
}

/** Whether a text is the name of an emoji, without colons. */
export async function isEmojiName(name: string): Promise<boolean> {
  return (await (names ??= load())).has(name);
}
