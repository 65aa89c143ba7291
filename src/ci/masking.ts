/** What stands in a log where something secret was. */
const masked = '[MASKED]';

/** Values that are shorter aren’t masked: a log would be full of them. */
const shortest = 4;

/**
 * Replaces secret values in bytes that come in pieces, also where a value begins in one piece and ends in the next. It
 * works on bytes, so that a value in any encoding is found as it was sent. Of several values that begin at the same byte
 * the longest is replaced.
 */
export class Masker {
  readonly #pattern: RegExp | undefined;
  /** Bytes of the longest value. */
  readonly #longest: number = 0;
  /** What may be the beginning of a value. */
  #kept = '';

  constructor(values: Iterable<string>) {
    const found = [...new Set([...values].flatMap(formsOf))].sort((one, other) => other.length - one.length);
    if (found.length === 0) return;
    this.#longest = found[0]!.length;
    this.#pattern = new RegExp(found.map(literally).join('|'), 'g');
  }

  /** What can be shown of everything so far, and wasn’t yet. */
  push(piece: Uint8Array): Buffer {
    if (!this.#pattern) return Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    return this.#take(this.#kept + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1'), false);
  }

  /** The rest. */
  end(): Buffer {
    return this.#take(this.#kept, true);
  }

  #take(text: string, isAll: boolean): Buffer {
    const pattern = this.#pattern;
    if (!pattern) return Buffer.alloc(0);
    // A value that begins here or later may go on in the next piece.
    const decided = isAll ? text.length : Math.max(0, text.length - this.#longest + 1);
    const shown: string[] = [];
    let at = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match && match.index < decided; match = pattern.exec(text)) {
      shown.push(text.slice(at, match.index), masked);
      at = pattern.lastIndex;
    }
    const until = Math.max(at, decided);
    shown.push(text.slice(at, until));
    this.#kept = text.slice(until);
    return Buffer.from(shown.join(''), 'latin1');
  }
}

/** A value as a log may have it: whole, and each of its lines where it has several. */
function formsOf(value: string): string[] {
  const lines = /[\r\n]/.test(value) ? value.split(/[\r\n]+/) : [];
  return [value, ...lines]
    .filter((form) => form.trim().length >= shortest)
    .map((form) => Buffer.from(form).toString('latin1'));
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
