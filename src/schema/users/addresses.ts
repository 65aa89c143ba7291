/** How an address is kept: one mailbox is one row, whatever its case. */
export const normalAddress = (given: string): string => given.trim().toLowerCase();

/** Why something can't be an e-mail address; nothing where it can. */
export function addressProblems(address: string): string[] {
  if (address === '') return ["can't be blank"];
  return /^[^@\s]+@[^@\s]+$/.test(address) && address.length <= 255 ? [] : ['is invalid'];
}
