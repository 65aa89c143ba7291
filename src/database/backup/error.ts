/** Why a backup can't be made or restored, and what an operator can do about it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}
