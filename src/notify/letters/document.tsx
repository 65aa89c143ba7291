import { render } from 'preact-render-to-string';
import { mailLook } from '../../values/mail-look.ts';

/** What is shown of one thing that happened. */
export interface Part {
  /** In a digest: what happened, in one sentence, and its page. */
  readonly heading: { readonly happened: string; readonly url: string } | null;
  /** Label and value. */
  readonly facts: readonly (readonly [string, string])[];
  /** A text of a person: as they wrote it, and as safe HTML. */
  readonly body: { readonly text: string; readonly html: () => string } | null;
  /** Said after a body that isn't whole. */
  readonly shortened: string | null;
}

/** A message as it is shown: the same parts in text and in HTML. */
export interface Shown {
  readonly language: string;
  readonly subject: string;
  /** What happened, in one sentence. */
  readonly happened: string;
  /** What it is about. */
  readonly title: string;
  readonly url: string;
  readonly parts: readonly Part[];
  /** Said after parts that aren't all. */
  readonly more: string | null;
  /** Why the person gets it. */
  readonly why: string;
  /** Label and URL: to the item, to unsubscribe, to the settings. */
  readonly links: readonly (readonly [string, string])[];
}

/** A line of its own that consists of this separates the footer (RFC 3676 §4.3). A text that has one would end there. */
const separator = /^-- $/gm;

/** The paragraphs of a part. */
const paragraphsOf = ({ heading, facts, body, shortened }: Part): string[] => [
  ...(heading ? [`* ${heading.happened}\n${heading.url}`] : []),
  ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
  ...(body ? [body.text.replace(separator, '--')] : []),
  ...(shortened === null ? [] : [shortened]),
];

export function toText({ happened, title, url, parts, more, why, links }: Shown): string {
  return [
    happened,
    `${title}\n${url}`,
    ...parts.flatMap(paragraphsOf),
    ...(more === null ? [] : [more]),
    `-- \n${[why, ...links.map(([label, link]) => `${label}: ${link}`)].join('\n')}\n`,
  ].join('\n\n');
}

const PartView = ({ heading, facts, body, shortened }: Part) => (
  <>
    {heading && (
      <>
        <hr />
        <p>
          <a href={heading.url}>{heading.happened}</a>
        </p>
      </>
    )}
    {facts.length > 0 && (
      <ul>
        {facts.map(([label, value]) => (
          <li>
            {label}: <bdi>{value}</bdi>
          </li>
        ))}
      </ul>
    )}
    {body && <div dangerouslySetInnerHTML={{ __html: body.html() }} />}
    {shortened !== null && <p>{shortened}</p>}
  </>
);

export function toHtml({ language, subject, happened, title, url, parts, more, why, links }: Shown): string {
  return `<!doctype html>${render(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={mailLook.body}>
        <p>{happened}</p>
        <p>
          <a href={url}>
            <bdi>{title}</bdi>
          </a>
        </p>
        {parts.map((part) => (
          <PartView {...part} />
        ))}
        {more !== null && <p>{more}</p>}
        <hr />
        <p>{why}</p>
        <p>
          {links.map(([label, link], index) => (
            <>
              {index > 0 && ' · '}
              <a href={link}>{label}</a>
            </>
          ))}
        </p>
      </body>
    </html>,
  )}`;
}
