/**
 * A text of people as HTML that the schema has made safe. Its headings come below those of the page, so that the page
 * keeps one outline, and its checkboxes say what they mean.
 * @param html from the schema; nothing else may be shown so
 */
export function Markdown({ html }: { readonly html: string }) {
  const fitted = html
    .replaceAll(
      /<(\/?)h([1-6])(?=[\s>])/g,
      (_tag, slash: string, level: string) => `<${slash}h${Math.min(Number(level) + 2, 6)}`,
    )
    .replaceAll(/<input type="checkbox"[^>]*>/g, (tag) =>
      tag.replace('<input', `<input aria-label="${tag.includes(' checked') ? 'Done' : 'Not done'}"`),
    );
  return <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: fitted }} />;
}
