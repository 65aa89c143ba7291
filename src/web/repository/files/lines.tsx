interface LinesProps {
  /** Safe HTML. */
  readonly lines: readonly string[];
  /** The name of the file. */
  readonly name: string;
}

/** The lines of a text with their numbers, which are anchors: `#L10`. Copying takes no numbers along. */
export function Lines({ lines, name }: LinesProps) {
  // One text, not an element each: a file has thousands of lines.
  const html = lines.map((line, index) => numberedLine(index + 1, line)).join('');
  return (
    <pre class="source" tabIndex={0} role="region" aria-label={`Lines of ${name}`}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}

/** A line with its number, which is an anchor. @param html safe */
export const numberedLine = (number: number, html: string): string =>
  `<span class="line" id="L${number}"><a class="number" href="#L${number}" tabindex="-1">${number}</a><span>${html}\n</span></span>`;
