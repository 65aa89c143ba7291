// How pg converts values before it sends them; its types leave the module out.
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
