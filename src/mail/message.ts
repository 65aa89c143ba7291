/** What a person is told by mail. */
export interface Message {
  /** For the log: which message it is, and nothing of what it says. */
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message in its parts. */
export interface Letter {
  readonly kind: string;
  readonly subject: string;
  /** Each a paragraph. */
  readonly says: readonly string[];
  /** What the person may do, in a line of its own. */
  readonly link?: { readonly label: string; readonly url: string };
  /** Said after the link. */
  readonly after?: readonly string[];
}

/** Sets a letter as plain text and as simple HTML, which say the same. */
export function toMessage({ kind, subject, says, link, after = [] }: Letter): Message {
  const paragraph = (text: string) => `<p>${escape(text)}</p>`;
  return {
    kind,
    subject,
    text: [...says, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after].join('\n\n') + '\n',
    html: [
      ...says.map(paragraph),
      ...(link ? [`<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`] : []),
      ...after.map(paragraph),
    ].join('\n'),
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
