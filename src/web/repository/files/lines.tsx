interface LinesProps {
  /** Safe HTML. */
  readonly lines: readonly string[];
  /** The name of the file. */
  readonly name: string;
}

/** The lines of a text with their numbers, which are anchors: `#L10`. Copying takes no numbers along. */
export function Lines({ lines, name }: LinesProps) {
  // One text, not an element each: a file has thousands of lines.
  const html = lines
    .map(
      (line, index) =>
        `<span class="line" id="L${index + 1}"><a class="number" href="#L${index + 1}" tabindex="-1">${index + 1}</a><span>${line}\n</span></span>`,
    )
    .join('');
  return (
    <pre class="source" tabIndex={0} role="region" aria-label={`Lines of ${name}`}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}
