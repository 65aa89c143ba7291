import { createContext } from 'preact';
import type { Fields } from './fields.ts';

/** What was typed into a form that is shown again. */
export class Restoring {
  /** Whether the form was on the page. */
  taken = false;
  readonly #action: string;
  readonly #fields: Fields;

  constructor({ action, fields }: { readonly action: string; readonly fields: Fields }) {
    this.#action = action;
    this.#fields = fields;
  }

  /** The fields for the form that is sent there. */
  take(action: string): Fields | undefined {
    if (action !== this.#action) return undefined;
    this.taken = true;
    return this.#fields;
  }
}

/** What is to be restored on this page. */
export const OnPage = createContext<Restoring | undefined>(undefined);
/** What was typed into the form around. */
export const InForm = createContext<Fields | undefined>(undefined);
