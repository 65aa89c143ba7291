// pg's conversion of values before sending. pg's types omit this module.
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
