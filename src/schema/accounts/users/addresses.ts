/** How an address is kept: one mailbox is one row, whatever its case. */
export const normalAddress = (given: string): string => given.trim().toLowerCase();

/**
 * Without what a mail server would read as something else than a part of the address
 * (RFC 5322 §3.2.3: a message would go to another mailbox than the one that is kept),
 * and without what people can't see.
 */
const form = /^[^@\s()<>[\]:;,\\"\p{C}]+@[^@\s()<>[\]:;,\\"\p{C}]+$/u;

/** Why something can't be an e-mail address; nothing where it can. */
export function addressProblems(address: string): string[] {
  if (address === '') return ["can't be blank"];
  return form.test(address) && address.length <= 255 ? [] : ['is invalid'];
}
