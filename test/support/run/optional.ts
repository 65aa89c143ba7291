/**
 * Checks for a program that some tests need. If it isn't installed, a warning is printed and the tests are skipped; if
 * `TEST_REQUIRE` names it, that is an error.
 * @param remedy how to install it
 * @returns whether it is installed
 * @throws Error when it is required and missing
 */
export function optional(name: string, found: boolean, remedy: string): boolean {
  if (found) return true;
  if (process.env.TEST_REQUIRE?.split(',').includes(name)) throw new Error(remedy);
  console.warn(`${remedy} Its tests are left out.`);
  return false;
}
