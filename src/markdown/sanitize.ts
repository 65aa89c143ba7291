import sanitizeHtml from 'sanitize-html';
import type { AddressOf } from './references.ts';

/**
 * What HTML may contain that a page shows and someone else wrote: texts, tables, pictures and links, nothing that
 * runs, loads by itself from where the page's policy doesn't allow it, looks like a part of the page, or is an
 * anchor with a name of the page's own.
 */

const tags = `h1 h2 h3 h4 h5 h6 p br hr blockquote pre code kbd samp var a b strong i em u s del ins q cite dfn abbr
  mark small span sub sup ruby rp rt bdo ul ol li dl dt dd div img details summary table caption thead tbody tfoot tr th
  td input gl-emoji`;

/** The parser aligns cells by a style, which a page's policy refuses. */
const aligned: sanitizeHtml.Transformer = (tagName, { style, ...attribs }) => {
  const align = /^text-align:(left|right|center)$/.exec(style ?? '')?.[1];
  return { tagName, attribs: align === undefined ? attribs : { ...attribs, align } };
};

/** Links to other sites send no referrer. */
function external(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const leaves = /^https?:/i.test(attribs.href ?? '');
  return { tagName, attribs: leaves ? { ...attribs, rel: 'nofollow noreferrer noopener' } : attribs };
}

const options: sanitizeHtml.IOptions = {
  allowedTags: tags.split(/\s+/),
  allowedAttributes: {
    '*': ['title', 'dir', 'lang'],
    a: ['href', 'rel', 'data-reference-type', 'class'],
    img: ['src', 'alt', 'width', 'height'],
    code: ['class'],
    li: ['class'],
    ol: ['start'],
    th: ['align', 'colspan', 'rowspan'],
    td: ['align', 'colspan', 'rowspan'],
    details: ['open'],
    input: ['type', 'checked', 'disabled', 'class'],
    'gl-emoji': ['data-name'],
  },
  allowedClasses: {
    a: ['gfm', 'gfm-*'],
    code: ['language-*'],
    li: ['task-list-item'],
    input: ['task-list-item-checkbox'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    th: aligned,
    td: aligned,
    // Only checkboxes of task lists, which can't be pressed.
    input: (tagName, { checked, type, ...others }) => ({
      tagName: type === 'checkbox' ? tagName : 'span',
      attribs:
        type === 'checkbox'
          ? { type, disabled: '', class: others.class ?? '', ...(checked === undefined ? {} : { checked: '' }) }
          : {},
    }),
    a: external,
  },
};

/** The HTML without anything that isn't allowed. @param addressOf replaces the addresses of links and pictures */
export function sanitized(html: string, addressOf?: AddressOf): string {
  if (!addressOf) return sanitizeHtml(html, options);
  return sanitizeHtml(html, {
    ...options,
    transformTags: {
      ...options.transformTags,
      a: (tagName, { href, ...attribs }) =>
        external(tagName, href === undefined ? attribs : { ...attribs, href: addressOf(href, 'link') }),
      img: (tagName, { src, ...attribs }) => ({
        tagName,
        attribs: src === undefined ? attribs : { ...attribs, src: addressOf(src, 'picture') },
      }),
    },
  });
}

/**
 * The same for a mail: links lead somewhere from there, too, and pictures are links, since loading one shows its server who
 * read the mail, and when. @param base the URL that relative links are resolved against
 */
export function sanitizedForMail(html: string, base: string): string {
  const absolute = (url: string | undefined) =>
    url !== undefined && URL.canParse(url, base) ? new URL(url, base).href : '';
  return sanitizeHtml(html, {
    ...options,
    allowedAttributes: { ...options.allowedAttributes, '*': ['dir', 'lang'], a: ['href', 'rel'], img: [], input: [] },
    allowedClasses: {},
    transformTags: {
      th: aligned,
      td: aligned,
      a: (tagName, { href }): sanitizeHtml.Tag => ({
        tagName,
        attribs: href === undefined ? {} : { href: absolute(href), rel: 'noreferrer' },
      }),
      img: (_name, { src, alt }) => ({
        tagName: 'a',
        attribs: { href: absolute(src), rel: 'noreferrer' },
        text: alt || absolute(src),
      }),
      input: (_name, { type, checked }) => ({
        tagName: 'span',
        attribs: {},
        text: type === 'checkbox' ? (checked === undefined ? '☐' : '☑') : '',
      }),
    },
  });
}
