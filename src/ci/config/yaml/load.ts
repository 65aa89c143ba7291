import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Document,
  type ParsedNode,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import { Unreadable, type Place } from '../problems.ts';
import { deepest, largest, tooBig } from './limits.ts';
import { schema } from './schema.ts';
import { Mapping, Reference, isList, isMapping, type Value } from './values.ts';

/** Levels of the parser's stack for one level of nesting; a few more are its own. */
const deepestStack = deepest + 8;

/**
 * The tokens of a text. The parser is stopped as soon as it nests too deeply: the composer, which recurses, would
 * otherwise exhaust the stack, and with it the process.
 */
function* tokensOf(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > deepestStack) throw new Unreadable(tooBig);
  }
  yield* parser.end();
}

function compose(text: string, lines: LineCounter): Document.Parsed<ParsedNode, boolean>[] {
  const composer = new Composer({
    ...schema,
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokensOf(text, lines))];
}

/** What an anchor names, and what each of its aliases costs. */
interface Anchored {
  readonly value: Value;
  readonly size: number;
  /** Levels below the anchor. */
  readonly height: number;
}

/** Turns the nodes of one document into values, within the limits of size and depth after aliases. */
class Reader {
  private readonly file: string | undefined;
  private readonly lines: LineCounter;
  private readonly anchors = new Map<string, Anchored | undefined>();
  private size = 0;
  private reached = 0;

  constructor(file: string | undefined, lines: LineCounter) {
    this.file = file;
    this.lines = lines;
  }

  private placeAt(offset: number): Place {
    return { file: this.file, line: this.lines.linePos(offset).line };
  }

  private placeOf(node: ParsedNode): Place {
    return this.placeAt(node.range[0]);
  }

  private spend(size: number, depth: number): void {
    this.size += size;
    if (depth > this.reached) this.reached = depth;
    if (this.size > largest || depth > deepest) throw new Unreadable(tooBig);
  }

  read(node: ParsedNode | null, depth: number): Value {
    if (node === null) return null;
    if (isAlias(node)) return this.readAlias(node.source, node, depth);
    const { anchor } = node;
    if (anchor === undefined) return this.readNode(node, depth);
    const before = this.size;
    const outer = this.reached;
    this.reached = depth;
    this.anchors.set(anchor, undefined);
    const value = this.readNode(node, depth);
    this.anchors.set(anchor, { value, size: this.size - before, height: this.reached - depth });
    this.reached = Math.max(outer, this.reached);
    return value;
  }

  private readAlias(name: string, node: ParsedNode, depth: number): Value {
    const anchored = this.anchors.get(name);
    if (!anchored) {
      const why = this.anchors.has(name) ? 'refers to itself' : 'is unknown';
      throw new Unreadable(`(<unknown>): alias *${name} ${why}`, this.placeOf(node));
    }
    this.spend(anchored.size, depth + anchored.height);
    return anchored.value;
  }

  private readNode(node: ParsedNode, depth: number): Value {
    if (isMap(node)) return this.readMapping(node, depth);
    if (isSeq(node)) return this.readList(node, depth);
    if (!isScalar(node)) return null;
    const { value, source } = node;
    if (typeof value === 'string') {
      this.spend(value.length + 1, depth);
      return value;
    }
    this.spend((source?.length ?? 0) + 1, depth);
    // `y` and `n` are words to clients, and a number that JavaScript can't hold is kept as it was written.
    if (typeof value === 'boolean') return source !== undefined && source.length === 1 ? source : value;
    if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? source! : value;
    if (value === null || value === undefined) return null;
    return source ?? String(value);
  }

  private readList(node: YAMLSeq.Parsed, depth: number): Value {
    this.spend(1, depth);
    const items = node.items.map((item) => this.read(item as ParsedNode, depth + 1));
    if (node.tag !== '!reference') return items;
    const place = this.placeOf(node);
    const path = items.filter((item) => typeof item === 'string');
    if (path.length === 0 || path.length < items.length)
      throw new Unreadable('(<unknown>): !reference must be a list of names', place);
    return new Reference(path, place);
  }

  private readMapping(node: YAMLMap.Parsed, depth: number): Value {
    this.spend(1, depth);
    const mapping = new Mapping(this.placeOf(node));
    const { entries } = mapping;
    const merged: Value[] = [];
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : isAlias(key) ? this.readAlias(key.source, key, depth + 1) : null;
      const place = key ? this.placeOf(key as ParsedNode) : mapping.place;
      if (typeof name !== 'string') throw new Unreadable('(<unknown>): a key must be a string', place);
      if (isScalar(key) && key.anchor !== undefined)
        this.anchors.set(key.anchor, { value: name, size: name.length, height: 0 });
      this.spend(name.length + 1, depth);
      const read = this.read(value as ParsedNode | null, depth + 1);
      if (name === '<<' && isScalar(key) && key.type === 'PLAIN') merged.push(...this.merges(read, place));
      else entries.set(name, { value: read, place });
    }
    for (const source of merged) {
      if (!isMapping(source)) continue;
      for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry);
      this.spend(source.entries.size, depth);
    }
    return mapping;
  }

  /** What `<<` merges: a mapping, or several, the first of which wins. */
  private merges(value: Value, place: Place): readonly Value[] {
    const sources = isList(value) ? value : [value];
    if (!sources.every(isMapping))
      throw new Unreadable('(<unknown>): << must name a mapping, or a list of them', place);
    return sources;
  }
}

/** The text of a syntax error. Clients look for its beginning. */
function syntaxError(error: YAMLParseError, file: string | undefined, lines: LineCounter): Unreadable {
  const { line, col } = lines.linePos(error.pos[0]);
  const detail = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return new Unreadable(
    `(<unknown>): did not find expected key while parsing: ${detail} at line ${line} column ${col}`,
    { file, line },
  );
}

/**
 * Reads one file.
 * @param file its path, if it is an included one
 * @throws Unreadable: broken YAML, or too much of it, also after aliases
 */
export function loadYaml(text: string, file?: string): Value {
  if (text.length > largest || Buffer.byteLength(text) > largest) throw new Unreadable(tooBig);
  const lines = new LineCounter();
  const [document, second] = compose(text, lines);
  if (!document) return null;
  const [error] = document.errors;
  if (error) throw syntaxError(error, file, lines);
  const [warning] = document.warnings;
  if (warning) throw syntaxError(warning as unknown as YAMLParseError, file, lines);
  if (second) {
    const place = { file, line: lines.linePos(second.range[0]).line };
    throw new Unreadable('(<unknown>): only one YAML document is supported, without a header `spec`', place);
  }
  return new Reader(file, lines).read(document.contents, 1);
}
