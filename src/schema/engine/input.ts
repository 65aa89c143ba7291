import { Prisma } from '../../database/client/client.ts';
import { InvalidFields, type DomainError } from '../../errors.ts';

/** Collects what is wrong with an input, so that all of it is said at once. */
export class Problems {
  readonly #fields: Record<string, string[]> = {};

  /** Notes messages for a field; none is fine too. */
  add(field: string, messages: readonly string[]): void {
    if (messages.length > 0) (this.#fields[field] ??= []).push(...messages);
  }

  /** @throws InvalidFields when anything was noted */
  refuse(): void {
    if (Object.keys(this.#fields).length > 0) throw new InvalidFields(this.#fields);
  }
}

const taken = (field: string) => new InvalidFields({ [field]: ['has already been taken'] });

/**
 * Runs a write whose unique keys may clash with another that came first.
 * @param fields which input field to blame, by the table that refused
 * @param refusal how that is said
 * @throws InvalidFields, or what the refusal is
 */
export async function unlessTaken<T>(
  fields: Record<string, string>,
  write: () => Promise<T>,
  refusal: (field: string) => DomainError = taken,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      const field = fields[String(error.meta?.modelName)];
      if (field) throw refusal(field);
    }
    throw error;
  }
}
