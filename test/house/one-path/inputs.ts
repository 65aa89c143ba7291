/** What is sent to a route: the place, the other parameters of the path, and the rest of them. */
export interface Input {
  readonly id?: string;
  /** Parameters of the path, besides `id`. */
  readonly path?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The inputs for each of some routes. `unreadable`: inputs that REST refuses before it runs an operation. */
export type Inputs = Record<string, { readonly readable: readonly Input[]; readonly unreadable?: readonly Input[] }>;

export const ofPlaces = (ids: string[], all: Input['values'][]): Input[] =>
  ids.flatMap((id) => all.map((values) => ({ id, values })));
export const none: Input[] = [{ values: {} }];
export const groups = ['demo', 'demo/platform', 'hidden', 'nothing'];
export const projects = ['demo/storefront', 'demo/platform/api', 'hidden/project', 'nothing/here'];
