import { OperatorError } from '../../errors.ts';

/** Why the database can't be migrated. */
export class MigrationError extends OperatorError {
  override readonly name = 'MigrationError';
}
