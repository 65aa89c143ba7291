import { escapedHtml } from '../values/text/html.ts';
import { mailLook } from '../values/mail-look.ts';

/** A mail to a person. */
export interface Message {
  /** For the log: the kind of message, without its content. */
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The parts of a message. */
export interface Letter {
  readonly kind: string;
  readonly subject: string;
  /** One paragraph each. */
  readonly says: readonly string[];
  /** What the person can do, on a line of its own. */
  readonly link?: { readonly label: string; readonly url: string };
  /** Paragraphs after the link. */
  readonly after?: readonly string[];
}

/** Renders a letter as plain text and as simple HTML with the same content. Its end names the instance. */
export function toMessage({ kind, subject, says, link, after: afterwards = [] }: Letter): Message {
  const paragraph = (text: string) => `<p>${escapedHtml(text)}</p>`;
  const after = [...afterwards, ...(link ? [`This message is from Causeway at ${new URL(link.url).host}.`] : [])];
  return {
    kind,
    subject,
    text: [...says, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after].join('\n\n') + '\n',
    html: documentOf(subject, [
      ...says.map(paragraph),
      ...(link ? [`<p><a href="${escapedHtml(link.url)}">${escapedHtml(link.label)}</a></p>`] : []),
      ...after.map(paragraph),
    ]),
  };
}

/** A whole document, as that of notifications: without a language and a colour scheme, readers guess both. */
const documentOf = (subject: string, paragraphs: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><title>${escapedHtml(subject)}</title></head><body style="${mailLook.body}">
${paragraphs.join('\n')}
</body></html>`;
