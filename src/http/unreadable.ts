/** A request whose text can't be read. `status` says how to answer it. */
export class Unreadable extends Error {
  readonly status: 400 | 413 | 415;
  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}
