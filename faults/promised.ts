/** A promise, what was observed, and whether it was kept. */
export interface Promised {
  readonly promise: string;
  readonly seen: string;
  readonly kept: boolean;
}

export const promised = (promise: string, seen: string, kept: boolean): Promised => ({ promise, seen, kept });

export const rounded = (milliseconds: number): string => `${Math.round(milliseconds).toLocaleString('en')} ms`;
