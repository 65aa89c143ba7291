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
 * @param textOf the text that replaces a line, for words that aren't commands but stand for something
 */
export function splitCommands(
  text: string,
  isKnown: (name: string) => boolean,
  textOf: (line: Command) => string | undefined = () => undefined,
): { readonly text: string; readonly commands: readonly Command[] } {
  if (!/^\//m.test(text)) return { text, commands: [] };
  const lines = text.split(/\r\n|\n|\r/);
  const kept: string[] = [];
  const commands: Command[] = [];
  const excluded = excludedLines(text);
  for (const [index, line] of lines.entries()) {
    const { name = '', argument = '' } = commandLine.exec(line)?.groups ?? {};
    const command = { name: name.toLowerCase(), argument };
    if (name === '' || excluded.has(index)) kept.push(line);
    else if (isKnown(command.name)) commands.push(command);
    else kept.push(textOf(command) ?? line);
  }
  const rest = kept.join('\n');
  return { text: commands.length > 0 ? rest.trim() : rest === lines.join('\n') ? text : rest, commands };
}

/** The numbers of the lines that stand in code, in a quotation or in HTML. */
function excludedLines(text: string): ReadonlySet<number> {
  const excluded = new Set<number>();
  for (const { type, map } of blocks.parse(text, {}))
    if (map && ['fence', 'code_block', 'html_block', 'blockquote_open'].includes(type))
      for (let line = map[0]; line < map[1]; line++) excluded.add(line);
  return excluded;
}
