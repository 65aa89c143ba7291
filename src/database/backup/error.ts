import { OperatorError } from '../../errors.ts';

/** Why a backup can't be made or restored. */
export class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}
