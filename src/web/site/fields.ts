import { header, parseForm, readBodyParameters, Unreadable, type Exchange, type Parameters } from '../../http/index.ts';

/** What a form or a query string carries: texts, each once. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** @throws Unreadable */
export function readQuery({ query }: Exchange): Fields {
  return textsOf(parseForm(query, 'refuse'));
}

/** @throws Unreadable for whatever isn't the form of a page */
export async function readForm(exchange: Exchange): Promise<Fields> {
  const mediaType = header(exchange, 'content-type')?.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new Unreadable(415, 'A form of a page is sent urlencoded.');
  return textsOf(await readBodyParameters(exchange, 'refuse'));
}

/** Lists and objects, which no page of ours sends, are left out. */
function textsOf(parameters: Parameters): Fields {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => typeof value === 'string')) as Fields;
}

/** The boxes that were ticked, of those whose names begin with this; without that. */
export function ticked(form: Fields, prefix: string): string[] {
  return Object.keys(form).flatMap((name) =>
    name.startsWith(prefix) && form[name] === 'on' ? [name.slice(prefix.length)] : [],
  );
}

/**
 * The fields of a form that a person edited: those that differ from what the page showed, which comes back in `was.<name>`.
 * Only these are written, so that an untouched form changes nothing, not even what others changed since.
 */
export function edited<Name extends string>(form: Fields, names: readonly Name[]): { [N in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => ((form[name] ?? '') === form[`was.${name}`] ? [] : [[name, form[name] ?? '']])),
  ) as { [N in Name]?: string };
}

/** What a form carries for `edited`. */
export const carryShown = (shown: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(shown).map(([name, value]) => [`was.${name}`, value]));

/**
 * Whether a POST comes from a page that isn't ours, as far as the browser tells.
 * Neither header can be set by a page; `Origin: null` is what hidden senders have.
 */
export function isForeign(exchange: Exchange, baseUrl: string): boolean {
  const site = header(exchange, 'sec-fetch-site');
  const origin = header(exchange, 'origin');
  return (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== new URL(baseUrl).origin);
}
