/**
 * What a test uses where it is installed. Where it isn't, that is said, and the
 * tests are left out; where `TEST_REQUIRE` names it, its absence is a failure.
 * @param remedy what to do about its absence
 * @returns whether it is there
 * @throws Error where it is required and missing
 */
export function optional(name: string, found: boolean, remedy: string): boolean {
  if (found) return true;
  if (process.env.TEST_REQUIRE?.split(',').includes(name)) throw new Error(remedy);
  console.warn(`${remedy} Its tests are left out.`);
  return false;
}
