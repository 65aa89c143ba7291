import type MarkdownIt from 'markdown-it';
import { escapedHtml } from '../values/text/html.ts';

/** References in a text: `#1`, `group/project#1`, `~label`, `~"two words"`, `%milestone`, `$1`, `@user`, `:emoji:`. */

type ReferenceKind = 'issue' | 'mergeRequest' | 'snippet' | 'label' | 'milestone' | 'user';

export interface Reference {
  readonly kind: ReferenceKind;
  /** What it names: a number, a title, a username or the full path of a group. */
  readonly name: string;
  /** The full path of a project, or its last part, if the reference begins with it. */
  readonly project: string | null;
  /** The reference as it was written. */
  readonly text: string;
  /** Whether a line begins with it. A person who is mentioned so is addressed. */
  readonly isFirst: boolean;
}

/** Where a reference leads. */
interface Target {
  readonly url: string;
  /** What a browser shows over the link. */
  readonly title: string;
}

/** What a text is shown with. */
export interface Surroundings {
  /** The target of a reference; undefined if the reader doesn't see one, and the reference stays text. */
  readonly target?: (reference: Reference) => Target | undefined;
  /** The character of an emoji's name; undefined if there is none, and `:name:` stays text. */
  readonly emoji?: (name: string) => string | undefined;
  /** Where a link or a picture of the text leads in a page. */
  readonly address?: AddressOf;
}

/** Replaces the address of a link or a picture. */
export type AddressOf = (url: string, of: 'link' | 'picture') => string;

type Token = ReturnType<MarkdownIt['parse']>[number];
type State = Parameters<Parameters<MarkdownIt['core']['ruler']['push']>[1]>[0];

const signs: Readonly<Record<string, ReferenceKind>> = {
  '#': 'issue',
  '!': 'mergeRequest',
  $: 'snippet',
  '~': 'label',
  '%': 'milestone',
  '@': 'user',
};

const path = String.raw`\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){0,20}`;
const numbered = String.raw`(?<project>${path})?(?<sign>[#!$])(?<number>[1-9]\d{0,9})(?![\w])`;
const titled = String.raw`(?<titledProject>\w[\w.-]{0,254}\/${path})?(?<titledSign>[~%])(?:"(?<quoted>[^"\n]{1,255})"|(?<word>[^\s"'~%,;:.!?()[\]{}<>/\\]{1,255}))`;
// A name doesn't end in a full stop: that one ends the sentence.
const person = String.raw`@(?<user>\w(?:[\w./-]{0,253}[\w-])?)`;
const emoji = String.raw`:(?<emoji>[\w+-]{1,60}):`;
const pattern = new RegExp(String.raw`(?<![\w/.@&#~%$:-])(?:${person}|${numbered}|${titled}|${emoji})`, 'gu');

/** Adds references to a parser of Markdown. They aren't sought in code, in links and after a backslash. */
export function addReferences(markdown: MarkdownIt): void {
  // Before texts are joined: a character after a backslash is a token of its own until then.
  markdown.core.ruler.before('text_join', 'references', (state) => {
    for (const token of state.tokens) if (token.children !== null) token.children = referred(token.children, state);
  });
  markdown.renderer.rules.reference = (tokens, index, _options, env) => link(tokens[index]!, env);
  markdown.renderer.rules.named_emoji = (tokens, index, _options, env) => picture(tokens[index]!, env);
}

/** The parts of a line, with tokens in place of the references in its texts. */
function referred(children: readonly Token[], state: State): Token[] {
  const parts: Token[] = [];
  let depth = 0;
  for (const [index, token] of joined(children).entries()) {
    if (token.type === 'link_open') depth += 1;
    if (token.type === 'link_close') depth -= 1;
    if (token.type !== 'text' || depth > 0) parts.push(token);
    else {
      const before = parts.at(-1)?.type;
      const starts = index === 0 || before === 'softbreak' || before === 'hardbreak';
      parts.push(...split(token, starts, state));
    }
  }
  return parts;
}

/** Joins adjacent texts: a letter that could have begun emphasis separates them. */
function joined(children: readonly Token[]): Token[] {
  const parts: Token[] = [];
  for (const token of children) {
    const last = parts.at(-1);
    if (token.type === 'text' && last?.type === 'text') last.content += token.content;
    else parts.push(token);
  }
  return parts;
}

function split(token: Token, startsLine: boolean, state: State): Token[] {
  const { content } = token;
  const parts: Token[] = [];
  let end = 0;
  const plain = (until: number) => {
    if (until <= end) return;
    const text = new state.Token('text', '', 0);
    text.content = content.slice(end, until);
    parts.push(text);
  };
  for (const match of content.matchAll(pattern)) {
    plain(match.index);
    end = match.index + match[0].length;
    const isFirst = startsLine && content.slice(0, match.index).trim() === '';
    parts.push(tokenOf(match, isFirst, state));
  }
  if (end === 0) return [token];
  plain(content.length);
  return parts;
}

function tokenOf(match: RegExpMatchArray, isFirst: boolean, state: State): Token {
  const groups = match.groups!;
  if (groups.emoji !== undefined) {
    const token = new state.Token('named_emoji', '', 0);
    token.content = groups.emoji;
    return token;
  }
  const reference: Reference = {
    kind: signs[groups.user === undefined ? (groups.sign ?? groups.titledSign)! : '@']!,
    name: (groups.user ?? groups.number ?? groups.quoted ?? groups.word)!,
    project: groups.project ?? groups.titledProject ?? null,
    text: match[0],
    isFirst,
  };
  (state.env as { references: Reference[] }).references.push(reference);
  const token = new state.Token('reference', '', 0);
  token.content = match[0];
  token.meta = reference;
  return token;
}

/** The names that clients of GitLab know. */
const wireKinds: Readonly<Record<ReferenceKind, string>> = {
  issue: 'issue',
  mergeRequest: 'merge_request',
  snippet: 'snippet',
  label: 'label',
  milestone: 'milestone',
  user: 'user',
};

function link({ content, meta }: Token, { surroundings }: { surroundings: Surroundings }): string {
  const reference = meta as Reference;
  const target = surroundings.target?.(reference);
  if (target === undefined) return escapedHtml(content);
  const kind = wireKinds[reference.kind];
  return `<a href="${escapedHtml(target.url)}" data-reference-type="${kind}" title="${escapedHtml(target.title)}" class="gfm gfm-${kind}">${escapedHtml(content)}</a>`;
}

function picture({ content }: Token, { surroundings }: { surroundings: Surroundings }): string {
  const character = surroundings.emoji?.(content);
  if (character === undefined) return escapedHtml(`:${content}:`);
  return `<gl-emoji title="${escapedHtml(content)}" data-name="${escapedHtml(content)}">${escapedHtml(character)}</gl-emoji>`;
}
