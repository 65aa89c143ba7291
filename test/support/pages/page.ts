/** A field that a form declares. */
export interface Control {
  readonly name: string;
  /** The type of an input; otherwise `textarea` or `select`. */
  readonly type: string;
  /** The values to choose from, if the field has any. */
  readonly options: readonly string[];
}

/** A form of a page, with the values that it sends if a person changes nothing. */
export interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly controls: readonly Control[];
  /** The label of its button. */
  readonly button: string;
}

/** The forms of a page that are sent by POST. */
export function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action, inner]) => {
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
  /** Undefined for an unticked checkbox. */
  readonly sent: string | undefined;
}

function entriesOf(html: string): Entry[] {
  const entries: Entry[] = [];
  for (const [, tag, attributes = '', content = ''] of html.matchAll(
    /<(input|textarea)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>(?:([^<]*)<\/textarea>)?/g,
  )) {
    const attribute = (name: string) => new RegExp(`\\s${name}(?:="([^"]*)")?(?=\\s|$)`).exec(attributes);
    const name = attribute('name')?.[1];
    // A field with a `form` attribute belongs to another form.
    if (name === undefined || attribute('form')) continue;
    const type = tag === 'textarea' ? tag : (attribute('type')?.[1] ?? 'text');
    const isChoice = type === 'checkbox' || type === 'radio';
    const value = unescape(
      // A browser drops the first line break.
      tag === 'textarea' ? content.replace(/^\n/, '') : (attribute('value')?.[1] ?? (type === 'checkbox' ? 'on' : '')),
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

/** The fields, with the choices of each merged. */
function controlsOf(entries: readonly Entry[]): Control[] {
  const controls = new Map<string, Control>();
  for (const { name, type, options } of entries) {
    controls.set(name, { name, type, options: [...(controls.get(name)?.options ?? []), ...options] });
  }
  return [...controls.values()];
}

/** The targets of a page's links within the gateway. */
export const linksOf = (html: string): string[] =>
  [...html.matchAll(/\shref="(\/(?!\/)[^"#]*)/g)].map(([, href]) => unescape(href!));

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const unescape = (html: string) => html.replace(/&(lt|gt|quot|amp);/g, (_entity, name: string) => entities[name]!);
/** The visible text. */
export const textOf = (html: string) =>
  unescape(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
