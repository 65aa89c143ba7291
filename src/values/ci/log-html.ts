import { AnsiUp } from 'ansi_up';
import { escapedHtml } from '../text/html.ts';

/** The log of a job as HTML, for pages and for clients: colours are classes. */

const sixteen = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].flatMap((name) => [
  `ansi-${name}`,
  `ansi-bright-${name}`,
]);

interface Colour {
  readonly class_name: string;
}

interface Fragment {
  readonly text: string;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly fg: Colour | null;
  readonly bg: Colour | null;
}

/** The classes of a colour; none for one that isn’t among the sixteen of terminals. */
const classOf = (colour: Colour | null, suffix: 'fg' | 'bg') =>
  colour && sixteen.includes(colour.class_name) ? [`${colour.class_name}-${suffix}`] : [];

/** A reader of the escape sequences of terminals. Pages allow no style attributes, so that everything is a class. */
function colours(): AnsiUp {
  const reader = new AnsiUp();
  return Object.assign(reader, {
    transform_to_html({ text, bold, faint, italic, underline, fg, bg }: Fragment): string {
      const classes = [
        ...(bold ? ['ansi-bold'] : []),
        ...(faint ? ['ansi-faint'] : []),
        ...(italic ? ['ansi-italic'] : []),
        ...(underline ? ['ansi-underline'] : []),
        ...classOf(fg, 'fg'),
        ...classOf(bg, 'bg'),
      ];
      return classes.length === 0
        ? escapedHtml(text)
        : `<span class="${classes.join(' ')}">${escapedHtml(text)}</span>`;
    },
    // Where a link leads is the job’s choice: its text is enough.
    process_hyperlink: ({ text }: { readonly text: string }): string => escapedHtml(text),
  });
}

const marker = /section_(start|end):\d+:([\w.-]+)(?:\[([^\]\r\n]*)\])?\r(?:.\[0K)?/g;

/** What a terminal shows of a line in the end: what comes after a carriage return is written over it. */
const finalOf = (line: string) => line.replace(/\r+$/, '').replace(/^[\s\S]*\r/, '');

/** Most lines that are shown. */
const mostLines = 20_000;

/** The lines of a text; what follows the last line break is one if there is something. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The last lines, without those that only mark where a section begins or ends.
 * @param text of the log, without what is secret
 */
export function summaryHtml(text: string, lastLines: number): string {
  const reader = colours();
  const shown = linesOf(text).flatMap((line) => {
    const final = finalOf(line.replaceAll(marker, ''));
    // All lines are read: a colour goes on until another one begins.
    const html = reader.ansi_to_html(final);
    return html === '' && line.search(marker) !== -1 ? [] : [html];
  });
  return `<span>${shown.slice(-lastLines).join('<br/>')}</span>`;
}

/**
 * The lines as items of a list: each by its number, and sections that can be folded.
 * @param text of the log, without what is secret
 */
export function logHtml(text: string): string {
  const reader = colours();
  const html: string[] = [];
  let open = 0;
  const lines = linesOf(text);
  for (const [index, line] of lines.slice(0, mostLines).entries()) {
    let begins = 0;
    let ends = 0;
    let folded = false;
    const shown = line.replaceAll(marker, (_all, kind: string, _name: string, options: string | undefined) => {
      if (kind === 'start') begins++;
      else ends++;
      folded ||= options?.includes('collapsed=true') ?? false;
      return '';
    });
    for (; ends > 0 && open > 0; ends--, open--) html.push('</ol></details></li>');
    const final = finalOf(shown);
    const number = index + 1;
    const content = reader.ansi_to_html(`${final}`);
    const link = `<a href="#L${number}" id="L${number}" aria-label="Line ${number}">${number}</a>`;
    if (begins > 0) {
      // A screen reader finds no link in what folds a section.
      const summary = `<summary><code>${content}</code></summary>`;
      html.push(`<li class="section">${link}<details${folded ? '' : ' open'}>${summary}<ol>`);
      open++;
    } else if (final !== '' || shown === line) html.push(`<li>${link}<code>${content}</code></li>`);
  }
  return html.join('') + '</ol></details></li>'.repeat(open);
}
