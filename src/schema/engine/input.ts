import { Prisma } from '../../database/client/client.ts';
import { InvalidFields, type DomainError } from '../../errors.ts';
import { tooLong } from '../../values/text/lengths.ts';

/** Collects the problems of an input, to report all of them at once. */
export class Problems {
  readonly #fields: Record<string, string[]> = {};

  /** Adds messages for a field; an empty list is fine. */
  add(field: string, messages: readonly string[]): void {
    if (messages.length > 0) (this.#fields[field] ??= []).push(...messages);
  }

  /** Adds that a text is too long, if it is. */
  bound(field: string, text: string | null | undefined, longest: number): void {
    if ((text?.length ?? 0) > longest) this.add(field, [tooLong(longest)]);
  }

  /** Throws if there are problems. @throws InvalidFields */
  refuse(): void {
    if (Object.keys(this.#fields).length > 0) throw new InvalidFields(this.#fields);
  }
}

const taken = (field: string) => new InvalidFields({ [field]: ['has already been taken'] });

/**
 * Runs a write that may violate a unique key because of a concurrent one.
 * @param fields the input field to blame, by table
 * @param refusal makes the error, if it isn't InvalidFields
 * @throws InvalidFields, or what `refusal` returns
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
