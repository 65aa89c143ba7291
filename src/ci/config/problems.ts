/** Where something is written. */
export interface Place {
  /** The path of an included file; undefined for the project's own configuration. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number;
}

/** An error or a warning about a configuration. */
export interface Problem {
  /** A sentence in the words that clients know. */
  readonly message: string;
  /** Where it is written; undefined for what is about the whole. */
  readonly place?: Place | undefined;
}

/** What ends the reading of a configuration at once: nothing behind it makes sense. */
export class Unreadable extends Error {
  readonly place: Place | undefined;

  constructor(message: string, place?: Place) {
    super(message);
    this.place = place;
  }
}

/** The sentence for something that exists elsewhere and isn't supported here, with the line where it is written. */
export function unsupported(name: string, place: Place, why: string): string {
  return `${withLine({ message: `${name} is not supported`, place })}: ${why}`;
}

/** The text of a problem with its line, where that is known. */
export function withLine({ message, place }: Problem): string {
  if (!place) return message;
  return place.file === undefined
    ? `${message} (line ${place.line})`
    : `${message} (${place.file}, line ${place.line})`;
}
