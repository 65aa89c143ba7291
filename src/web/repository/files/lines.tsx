/** Bytes of a text that is shown. */
export const shownBytes = 512 * 1024;

interface LinesProps {
  /** Safe HTML. */
  readonly lines: readonly string[];
  /** The name of the file. */
  readonly name: string;
  /** Before the anchors, on a page with several files. */
  readonly prefix?: string;
}

/** The lines of a text with their numbers, which are anchors: `#L10`. Copying takes no numbers along. */
export function Lines({ lines, name, prefix }: LinesProps) {
  // One text, not an element each: a file has thousands of lines.
  const html = lines.map((line, index) => numberedLine(index + 1, line, prefix)).join('');
  return (
    <pre class="source" tabIndex={0} role="region" aria-label={`Lines of ${name}`}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}

/** A line with its number, which is an anchor. @param html safe */
export const numberedLine = (number: number, html: string, prefix = ''): string =>
  `<span class="line" id="${prefix}L${number}"><a class="number" href="#${prefix}L${number}" tabindex="-1">${number}</a><span>${html}\n</span></span>`;
