import MarkdownIt from 'markdown-it';

/** Commands in a text (GitLab's quick actions): lines such as `/close` or `/label ~bug`. */

export interface Command {
  /** In lower case, without the slash. */
  readonly name: string;
  /** What follows on its line, trimmed; empty if nothing does. */
  readonly argument: string;
}

const commandLine = /^\/(?<name>[a-z_]+)(?:[ \t]+(?<argument>.*?))?[ \t]*$/i;
const blocks = new MarkdownIt({ html: true });

/**
 * Separates the commands of a text from the rest of it. A line that begins with a known command is one, but not in
 * code, in a quotation and in HTML. Lines with unknown words stay.
 */
export function splitCommands(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly text: string; readonly commands: readonly Command[] } {
  if (!/^\//m.test(text)) return { text, commands: [] };
  const lines = text.split(/\r\n|\n|\r/);
  const kept: string[] = [];
  const commands: Command[] = [];
  const excluded = excludedLines(text);
  for (const [index, line] of lines.entries()) {
    const { name = '', argument = '' } = commandLine.exec(line)?.groups ?? {};
    if (name === '' || excluded.has(index) || !isKnown(name.toLowerCase())) kept.push(line);
    else commands.push({ name: name.toLowerCase(), argument });
  }
  return commands.length === 0 ? { text, commands } : { text: kept.join('\n').trim(), commands };
}

/** The numbers of the lines that stand in code, in a quotation or in HTML. */
function excludedLines(text: string): ReadonlySet<number> {
  const excluded = new Set<number>();
  for (const { type, map } of blocks.parse(text, {}))
    if (map && ['fence', 'code_block', 'html_block', 'blockquote_open'].includes(type))
      for (let line = map[0]; line < map[1]; line++) excluded.add(line);
  return excluded;
}
