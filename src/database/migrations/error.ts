/** Why the database can't be migrated, and what an operator can do about it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}
