import { createContext } from 'preact';
import type { Fields } from './fields.ts';

/** A draft: the fields of an interrupted form, to be shown in it again. */
export class Restoring {
  /** Whether a form of the page has taken the fields. */
  taken = false;
  readonly #action: string;
  readonly #fields: Fields;

  constructor({ action, fields }: { readonly action: string; readonly fields: Fields }) {
    this.#action = action;
    this.#fields = fields;
  }

  /** Returns the fields if the draft is of the form with this action. */
  take(action: string): Fields | undefined {
    if (action !== this.#action) return undefined;
    this.taken = true;
    return this.#fields;
  }
}

/** A form that was sent, to the page that shows it again. */
export interface SentForm {
  readonly action: string;
  readonly fields: Fields;
}

/** The draft of this page. */
export const OnPage = createContext<Restoring | undefined>(undefined);
/** The form that this page answers. */
export const Sent = createContext<SentForm | undefined>(undefined);
/** The restored fields of the surrounding form. */
export const InForm = createContext<Fields | undefined>(undefined);
