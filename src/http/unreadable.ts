/** A request that can't be read. `status` is the HTTP status of its answer. */
export class Unreadable extends Error {
  readonly status: 400 | 413 | 415;
  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}
