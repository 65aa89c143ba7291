/** `$NAME`, `${NAME}`, `%NAME%`, and `$$`, which stands for a dollar. */
const written = /\$\$|\$(\w+)|\$\{(\w+)\}|%(\w+)%/g;

/**
 * Puts values of variables in place of their names. Names without a value stay as they are.
 * @param valueOf the value of a name; undefined if there is none
 */
export function expandText(text: string, valueOf: (name: string) => string | undefined): string {
  if (!text.includes('$') && !text.includes('%')) return text;
  return text.replace(written, (whole, plain?: string, braced?: string, percent?: string) => {
    const name = plain ?? braced ?? percent;
    return name === undefined ? whole : (valueOf(name) ?? whole);
  });
}
