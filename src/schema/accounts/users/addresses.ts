/** The form in which an address is stored: one mailbox is one row, whatever its case. */
export const normalAddress = (given: string): string => given.trim().toLowerCase();

/**
 * The form of an address. It excludes characters that a mail server reads as something else than part of the
 * address (RFC 5322 §3.2.3: mail would go to another mailbox than the stored one), and invisible characters.
 */
const form = /^[^@\s()<>[\]:;,\\"\p{C}]+@[^@\s()<>[\]:;,\\"\p{C}]+$/u;

/** Why a text can't be an e-mail address; empty if it can. */
export function addressProblems(address: string): string[] {
  if (address === '') return ["can't be blank"];
  return form.test(address) && address.length <= 255 ? [] : ['is invalid'];
}
