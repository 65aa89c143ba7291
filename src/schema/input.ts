import { Prisma } from '../database/client/client.ts';
import { InvalidFields, type DomainError } from '../errors.ts';

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

/** What makes a name read as another one, or break out of its line: control characters, line ends, and marks that turn the direction of what follows. */
const control = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Messages for a text of one line that must be there and not too long. */
export function textProblems(value: string, most = 255): string[] {
  if (value.trim() === '') return ["can't be blank"];
  if (control.test(value)) return ["can't contain control characters"];
  return value.length > most ? [`is too long (maximum is ${most} characters)`] : [];
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
