/**
 * The parts of a backup besides the rows: named streams of bytes. Each is a line of JSON with its name, then chunks, each
 * after a line with its length, then a line `0`. The line `end` follows the last one.
 */

/** One stream of a backup. */
export interface Part {
  readonly name: string;
  /** To be read to its end before the next part. */
  readonly content: AsyncIterable<Buffer>;
}

/** The last line of the parts. */
const end = 'end';

/** The parts as bytes. */
export async function* framed(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  for await (const { name, content } of parts) {
    yield Buffer.from(`${JSON.stringify({ name })}\n`);
    for await (const chunk of content) {
      if (chunk.length === 0) continue;
      yield Buffer.from(`${chunk.length}\n`);
      yield chunk;
    }
    yield Buffer.from('0\n');
  }
  yield Buffer.from(`${end}\n`);
}

/** Where the bytes of parts are read from. */
interface Source {
  /** The next line, without its line feed. */
  line(): Promise<string>;
  /** So many of the next bytes. */
  bytes(length: number): AsyncGenerator<Buffer>;
  damaged(): Error;
}

/** The parts in bytes. What is left of a part is read before the next. @throws what `damaged` makes */
export async function* unframed(source: Source): AsyncGenerator<Part> {
  for (let line: string; (line = await source.line()) !== end;) {
    const content = chunks(source);
    yield { name: nameIn(line, source), content };
    for await (const _ of content);
  }
}

function nameIn(line: string, { damaged }: Source): string {
  try {
    const { name } = JSON.parse(line) as { name?: unknown };
    if (typeof name === 'string') return name;
  } catch {
    // Not JSON.
  }
  throw damaged();
}

async function* chunks(source: Source): AsyncGenerator<Buffer> {
  for (;;) {
    const length = await source.line();
    if (!/^\d{1,10}$/.test(length)) throw source.damaged();
    if (length === '0') return;
    yield* source.bytes(Number(length));
  }
}
