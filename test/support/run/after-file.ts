/**
 * What ends with a test file. Vitest's `afterAll` does nothing when it is called while hooks or tests run: it collects
 * the hooks of a file before. So what a hook or a test starts is named here, and `each-file.ts` ends it.
 */
const ends: (() => unknown)[] = [];

/** Runs something after all tests of the file: the latest first. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Runs all that was named since the last call, also when some of it fails. @throws AggregateError of what failed */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'what a test file started could not be ended');
}
