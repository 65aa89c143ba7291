/** A field that a form declares. */
export interface Control {
  readonly name: string;
  /** Of an input; else `textarea` or `select`. */
  readonly type: string;
  /** What can be chosen, where that is given. */
  readonly options: readonly string[];
}

/** A form as a page shows it, with what it would send if a person changed nothing. */
export interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly controls: readonly Control[];
  /** What its button says. */
  readonly button: string;
}

/** The forms of a page that are sent by POST. */
export function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)].map(([, action, inner]) => {
    const all = entriesOf(inner!);
    return {
      action: unescape(action!),
      fields: Object.fromEntries(all.flatMap(({ name, sent }) => (sent === undefined ? [] : [[name, sent]]))),
      controls: controlsOf(all),
      button: textOf(/<button(?![^>]*\sform=)[^>]*>(.*?)<\/button>/s.exec(inner!)?.[1] ?? ''),
    };
  });
}

/** A field, or one choice of it. */
interface Entry extends Control {
  /** Undefined: it isn't ticked. */
  readonly sent: string | undefined;
}

function entriesOf(html: string): Entry[] {
  const entries: Entry[] = [];
  for (const [, tag, attributes = '', content = ''] of html.matchAll(
    /<(input|textarea)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>(?:([^<]*)<\/textarea>)?/g,
  )) {
    const attribute = (name: string) => new RegExp(`\\s${name}(?:="([^"]*)")?(?=\\s|$)`).exec(attributes);
    const name = attribute('name')?.[1];
    // Some belong to another form than the one that they stand in.
    if (name === undefined || attribute('form')) continue;
    const type = tag === 'textarea' ? tag : (attribute('type')?.[1] ?? 'text');
    const isChoice = type === 'checkbox' || type === 'radio';
    const value = unescape(
      tag === 'textarea' ? content : (attribute('value')?.[1] ?? (type === 'checkbox' ? 'on' : '')),
    );
    entries.push({
      name: unescape(name),
      type,
      options: isChoice ? [value] : [],
      sent: isChoice && !attribute('checked') ? undefined : value,
    });
  }
  for (const [, name, options] of html.matchAll(/<select name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const values = [...options!.matchAll(/<option (?:selected value|value)="([^"]*)"/g)].map(([, value]) =>
      unescape(value!),
    );
    const sent = unescape(
      /<option (?:selected value|value)="([^"]*)"(?: selected)?>/.exec(selectedOf(options!))?.[1] ?? '',
    );
    entries.push({ name: unescape(name!), type: 'select', options: values, sent });
  }
  return entries;
}

/** The option that a person sees: the one that is selected, else the first. */
const selectedOf = (options: string) => /<option [^>]*\bselected\b[^>]*>/.exec(options)?.[0] ?? options;

/** With the choices of one field together. */
function controlsOf(entries: readonly Entry[]): Control[] {
  const controls = new Map<string, Control>();
  for (const { name, type, options } of entries) {
    controls.set(name, { name, type, options: [...(controls.get(name)?.options ?? []), ...options] });
  }
  return [...controls.values()];
}

/** Where the links of a page lead, within the gateway. */
export const linksOf = (html: string): string[] =>
  [...html.matchAll(/\shref="(\/(?!\/)[^"#]*)/g)].map(([, href]) => unescape(href!));

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const unescape = (html: string) => html.replace(/&(lt|gt|quot|amp);/g, (_entity, name: string) => entities[name]!);
/** What stands there as a person reads it. */
export const textOf = (html: string) =>
  unescape(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
