import type { RestRequest } from './rest-client.ts';

export type Values = Readonly<Record<string, string | number | boolean | null>>;

/** The values as text, for encodings that have only text. Null is empty. */
const asText = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? '' : String(value)]));

/** The ways in which a client sends parameters. */
export const encodings = {
  query: (values: Values) => ({ query: asText(values) }),
  form: (values: Values) => ({ form: asText(values) }),
  multipart: (values: Values) => ({ multipart: asText(values) }),
  JSON: (values: Values) => ({ json: values }),
} satisfies Record<string, (values: Values) => RestRequest>;

export type Encoding = keyof typeof encodings;
