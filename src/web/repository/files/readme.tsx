import { readMarkdown } from '../../../markdown/markdown.ts';
import { Markdown } from '../../planning/markdown.tsx';
import { codePath, type CodeOf } from '../code/addresses.ts';

/** A file that says what a folder is. */
export interface Readme {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Null if it is no text, or too long to be shown. */
  readonly rawTextBlob: string | null;
}

/** Bytes of a text that is rendered as Markdown. */
const most = 256 * 1024;

export const readmeFields = `name path size rawTextBlob(upTo: ${most})`;

const isMarkdown = (name: string): boolean => /\.(?:md|markdown|mkdn?|mdown)$/i.test(name);

/** Whether a file is shown as the text that it means. */
export const isRendered = ({ name, size }: { readonly name: string; readonly size: number }): boolean =>
  isMarkdown(name) && size <= most;

interface FileAt {
  readonly of: CodeOf;
  readonly ref: string;
  readonly path: string;
}

/** Stands before anchors in texts of people, so that none has a name of the page's own. */
const ofPeople = 'user-content-';

/** Gives headings the anchors that links within a text name: `#how-to-build`. @param html safe */
function withAnchors(html: string): string {
  const used = new Map<string, number>();
  return html.replaceAll(/<h([1-6])>(.*?)<\/h\1>/gs, (_heading, level: string, content: string) => {
    const text = content.replaceAll(/<[^>]*>|&\w+;/g, '').toLowerCase();
    const name = text
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const times = used.get(name) ?? 0;
    used.set(name, times + 1);
    const id = `${ofPeople}${name}${times > 0 ? `-${times}` : ''}`;
    return name === '' ? `<h${level}>${content}</h${level}>` : `<h${level} id="${id}">${content}</h${level}>`;
  });
}

/** Where links and pictures of a file lead: to pages of the same revision, if they name files beside it. */
function addressIn({ of, ref, path }: FileAt): (url: string, kind: 'link' | 'picture') => string {
  const folder = path.split('/').slice(0, -1).map(encodeURIComponent).join('/');
  const base = new URL(`http://repository/${folder === '' ? '' : `${folder}/`}`);
  return (url, kind) => {
    if (url.startsWith('#')) return url.length > 1 ? `#${ofPeople}${url.slice(1)}` : url;
    // With a scheme, of another host, or of the page itself.
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/|\?|\\)/i.test(url.trim()) || !URL.canParse(url, base)) return url;
    const { host, pathname, hash } = new URL(url, base);
    if (host !== base.host) return url;
    const page = codePath(of, kind === 'picture' ? 'raw' : 'blob', ref);
    return pathname === '/' ? codePath(of, 'tree', ref) + hash : page + pathname.replace(/\/$/, '') + hash;
  };
}

interface RenderedProps {
  readonly of: CodeOf;
  /** The revision. */
  readonly at: string;
  readonly file: Readme;
}

/** The README of a folder. */
export function ReadmePanel({ of, at, file }: RenderedProps) {
  return (
    <section class="panel readme" aria-labelledby="readme">
      <h2 id="readme">
        <a href={codePath(of, 'blob', at, file.path)}>
          <bdi>{file.name}</bdi>
        </a>
      </h2>
      <RenderedText of={of} at={at} file={file} />
    </section>
  );
}

/** A text file as it means: Markdown as HTML, anything else as it is. */
export function RenderedText({ of, at, file: { name, path, rawTextBlob } }: RenderedProps) {
  if (rawTextBlob === null) return <p class="empty">This file is too long to be shown here.</p>;
  if (rawTextBlob.trim() === '') return <p class="empty">It is empty.</p>;
  if (!isMarkdown(name)) return <pre class="plain">{rawTextBlob}</pre>;
  return <Markdown html={withAnchors(readMarkdown(rawTextBlob).html({ address: addressIn({ of, ref: at, path }) }))} />;
}
