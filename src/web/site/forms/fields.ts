import {
  header,
  isObject,
  parseForm,
  readBodyParameters,
  SentFile,
  Unreadable,
  type Exchange,
  type Parameters,
} from '../../../http/index.ts';

/** The fields of a form or a query string: texts, each at most once. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The lists of a query string: `issue[label_ids][]=1&issue[label_ids][]=2`. */
type Lists = Readonly<Record<string, readonly string[] | undefined>>;

/** @throws Unreadable */
export function readQuery({ query }: Exchange): Fields {
  return textsOf(parseForm(query, 'refuse'));
}

/** The members of an object of the query string, by which GitLab’s links fill in a form: `issue[title]=x`. @throws Unreadable */
export function readMembers({ query }: Exchange, name: string): { texts: Fields; lists: Lists } {
  const members = parseForm(query, 'refuse')[name];
  if (!isObject(members)) return { texts: {}, lists: {} };
  const lists = Object.entries(members).map(([key, value]) => [key, isTexts(value) ? value : undefined]);
  return { texts: textsOf(members), lists: Object.fromEntries(lists) as Lists };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Whether a text is one of the names of a table. */
export const isKey = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key);

/** A path with parameters, without those that are empty. */
export function withQuery(path: string, parameters: Fields): string {
  const set = Object.entries(parameters).filter((one): one is [string, string] => Boolean(one[1]));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** The files of a form by the names of their fields; those left empty are absent. */
export type Files = Readonly<Record<string, SentFile | undefined>>;

/**
 * @param takesFiles whether the form may have files
 * @throws Unreadable if the body isn't a form
 */
export async function readForm(exchange: Exchange, takesFiles: boolean): Promise<{ fields: Fields; files: Files }> {
  const mediaType = header(exchange, 'content-type')?.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded' && !(takesFiles && mediaType === 'multipart/form-data'))
    throw new Unreadable(415, 'Forms must be sent as application/x-www-form-urlencoded.');
  const sent = await readBodyParameters(exchange, 'refuse');
  const files = Object.entries(sent).filter(([, value]) => value instanceof SentFile);
  return { fields: textsOf(sent), files: Object.fromEntries(files) as Files };
}

/** Keeps texts only: no page sends lists or objects. */
function textsOf(parameters: Parameters): Fields {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => typeof value === 'string')) as Fields;
}

/** The names of the checked boxes that begin with a prefix, without the prefix. */
export function ticked(form: Fields, prefix: string): string[] {
  return Object.keys(form).flatMap((name) =>
    name.startsWith(prefix) && form[name] === 'on' ? [name.slice(prefix.length)] : [],
  );
}

/**
 * The fields of a form that the person edited: they differ from what the page showed, which the form sends in
 * `was.<name>`. Only these are written, so that the form doesn't overwrite what others changed in the meantime.
 */
export function edited<Name extends string>(form: Fields, names: readonly Name[]): { [N in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => ((form[name] ?? '') === form[`was.${name}`] ? [] : [[name, form[name] ?? '']])),
  ) as { [N in Name]?: string };
}

/** The hidden fields that `edited` compares with. */
export const carryShown = (shown: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(shown).map(([name, value]) => [`was.${name}`, value]));

/**
 * CSRF protection: whether the browser reports that a POST comes from another site.
 * Pages can't set either header. `Origin: null` comes from a sender that hides its origin.
 */
export function isForeign(exchange: Exchange, baseUrl: string): boolean {
  const site = header(exchange, 'sec-fetch-site');
  const origin = header(exchange, 'origin');
  return (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== new URL(baseUrl).origin);
}
