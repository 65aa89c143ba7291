import MarkdownIt from 'markdown-it';
import { addReferences, type Reference, type Surroundings } from './references.ts';
import { sanitized, sanitizedForMail } from './sanitize.ts';
import { addTasks, type Tasks } from './tasks.ts';

/**
 * Markdown as people write it in issues, comments and snippets: CommonMark with tables, crossed-out text, task lists
 * and bare addresses as links. HTML in it is allowed where it can't do anything.
 */

const commonMark = new MarkdownIt({ html: true, linkify: true });
// Without this, `README.md` would be a link to a place in Moldova.
commonMark.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
addTasks(commonMark);
addReferences(commonMark);

/** Of one line: HTML in it is text. */
const oneLine = new MarkdownIt({ html: false, linkify: true });
oneLine.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
addReferences(oneLine);

/** A text that was read. */
export interface Markdown {
  /** What it refers to, in the order of the text, without what stands in code or in links. */
  readonly references: readonly Reference[];
  readonly tasks: Tasks;
  /** The text as HTML that is safe in a page. */
  html(surroundings?: Surroundings): string;
  /** The text as HTML for a mail: no reference is resolved, and nothing that it names is revealed. @param base URL of the text */
  mailHtml(base: string): string;
}

/** Reads a text. */
export const readMarkdown = (text: string): Markdown => read(commonMark, (found) => commonMark.parse(text, found));

/** Reads a text of one line, such as the description of a label: it has no paragraphs, headings or lists, and no HTML. */
export const readLine = (text: string): Markdown => read(oneLine, (found) => oneLine.parseInline(text, found));

function read(markdown: MarkdownIt, parse: (found: Found) => ReturnType<MarkdownIt['parse']>): Markdown {
  const found: Found = { references: [], tasks: { count: 0, completed: 0 } };
  const tokens = parse(found);
  const rendered = (surroundings: Surroundings) => markdown.renderer.render(tokens, markdown.options, { surroundings });
  return {
    ...found,
    html: (surroundings = {}) => sanitized(rendered(surroundings), surroundings.address),
    mailHtml: (base) => sanitizedForMail(rendered({}), base),
  };
}

/** What the rules of references and tasks find while a text is read. */
interface Found {
  readonly references: Reference[];
  readonly tasks: { count: number; completed: number };
}
