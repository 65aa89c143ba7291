import { Broken } from '../errors.ts';

/** An entry of a tree. */
export interface TreeEntry {
  /** As git writes it, six digits: `040000`, `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly type: 'tree' | 'blob' | 'commit';
  readonly name: string;
  readonly id: string;
}

/** An entry whose name is kept byte for byte, as latin1. */
export interface RawEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

/** The entries of a tree object, in git's order, with names byte for byte. @throws Broken for a damaged tree */
export function parseTree(content: Buffer): RawEntry[] {
  const entries: RawEntry[] = [];
  // Decoded at once, since that costs most by the call.
  const [text, hex] = [content.toString('latin1'), content.toString('hex')];
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(' ', at);
    const end = text.indexOf('\0', space);
    if (space < 0 || end < 0 || end + 21 > text.length) throw new Broken('A tree is damaged.');
    const mode = text.slice(at, space);
    entries.push({
      mode: mode.length === 6 ? mode : mode.padStart(6, '0'),
      name: text.slice(space + 1, end),
      id: hex.slice(2 * end + 2, 2 * end + 42),
    });
    at = end + 21;
  }
  return entries;
}

/** The type that a mode stands for. */
export const typeOf = (mode: string): TreeEntry['type'] =>
  mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';

/** The entry as people see it; bytes that are not UTF-8 become U+FFFD. */
export const shown = ({ mode, name, id }: RawEntry): TreeEntry => ({
  mode,
  type: typeOf(mode),
  name: /[\x80-\xff]/.test(name) ? Buffer.from(name, 'latin1').toString() : name,
  id,
});

/** Who made something, and when. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly seconds: number;
  /** The offset of their clock, as `+0300`. */
  readonly zone: string;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** As stored, with its final line feed. */
  readonly message: string;
  /** The kind of its signature, which isn’t checked; undefined for an unsigned one. */
  readonly signature: SignatureKind | undefined;
}

/** What something is signed with: OpenPGP, a certificate, or an SSH key. */
export type SignatureKind = 'PGP' | 'X509' | 'SSH';

const signatures: readonly [begins: string, kind: SignatureKind][] = [
  ['-----BEGIN PGP SIGNATURE-----', 'PGP'],
  ['-----BEGIN PGP MESSAGE-----', 'PGP'],
  ['-----BEGIN SIGNED MESSAGE-----', 'X509'],
  ['-----BEGIN SSH SIGNATURE-----', 'SSH'],
];

/** The kind of a signature by its first line; undefined for something else. */
const signatureKind = (text: string) => signatures.find(([begins]) => text.startsWith(begins))?.[1];

export interface Tag {
  readonly id: string;
  /** What it points to. */
  readonly target: string;
  readonly targetType: string;
  readonly name: string;
  /** Undefined for a few very old tags. */
  readonly tagger: Person | undefined;
  /** With its signature, which git keeps as the last lines. */
  readonly message: string;
  readonly signature: SignatureKind | undefined;
}

const personLine = /^(?<name>[^<]*?) ?<(?<email>[^>]*)>(?: (?<seconds>-?\d+) (?<zone>[+-]\d{4}))?/;

/** A person of a header line. What is missing or damaged is empty, or the beginning of 1970. */
function parsePerson(line: string): Person {
  const found = personLine.exec(line)?.groups;
  const seconds = Number(found?.seconds ?? 0);
  return {
    name: found?.name ?? '',
    email: found?.email ?? '',
    seconds: Number.isSafeInteger(seconds) && Math.abs(seconds) < 8.64e12 ? seconds : 0,
    zone: found?.zone ?? '+0000',
  };
}

interface Header {
  /** In their order; continued lines are joined. */
  readonly fields: readonly (readonly [string, string])[];
  readonly message: Buffer;
  readonly encoding: string;
}

/** What is before the first empty line, and what is behind it. */
function parseHeader(content: Buffer): Header {
  const end = content.indexOf('\n\n');
  const head = content.subarray(0, end < 0 ? content.length : end);
  const message = content.subarray(end < 0 ? content.length : end + 2);
  const fields = fieldsOf(head.toString());
  const encoding = fields.find(([name]) => name === 'encoding')?.[1] ?? 'utf-8';
  return { fields: encoding === 'utf-8' ? fields : fieldsOf(decode(head, encoding)), message, encoding };
}

function fieldsOf(head: string): [string, string][] {
  const fields: [string, string][] = [];
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ');
    const last = fields.at(-1);
    if (space === 0 && last) last[1] += `\n${line.slice(1)}`;
    else fields.push(space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]);
  }
  return fields;
}

/** Text in the encoding that a commit names; unknown encodings are read as UTF-8. */
function decode(bytes: Buffer, encoding: string): string {
  if (encoding === 'utf-8') return bytes.toString();
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

/** A commit object. @throws Broken for a damaged one */
export function parseCommit(id: string, content: Buffer): Commit {
  const { fields, message, encoding } = parseHeader(content);
  const parents: string[] = [];
  let tree: string | undefined;
  let author = '';
  let committer = '';
  let signature: SignatureKind | undefined;
  for (const [name, value] of fields) {
    if (name === 'parent') parents.push(value);
    else if (name === 'tree') tree ??= value;
    else if (name === 'author') author ||= value;
    else if (name === 'committer') committer ||= value;
    else if (name.startsWith('gpgsig')) signature ??= signatureKind(value);
  }
  if (!tree) throw new Broken('A commit is damaged.');
  return {
    id,
    tree,
    parents,
    author: parsePerson(author),
    committer: parsePerson(committer),
    message: decode(message, encoding),
    signature,
  };
}

/** An annotated tag. @throws Broken for a damaged one */
export function parseTag(id: string, content: Buffer): Tag {
  const { fields, message } = parseHeader(content);
  const first = (name: string) => fields.find(([field]) => field === name)?.[1];
  const target = first('object');
  if (!target) throw new Broken('A tag is damaged.');
  const tagger = first('tagger');
  const text = message.toString();
  const signed = text.search(/^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----$/m);
  return {
    id,
    target,
    targetType: first('type') ?? 'commit',
    name: first('tag') ?? '',
    tagger: tagger === undefined ? undefined : parsePerson(tagger),
    message: text,
    signature: signed < 0 ? undefined : signatureKind(text.slice(signed)),
  };
}
