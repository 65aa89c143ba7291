import { OperatorError } from '../../errors.ts';

/** Why the gateway's own PostgreSQL can't be used. */
export class EmbeddedPostgresError extends OperatorError {
  override readonly name = 'EmbeddedPostgresError';
}
