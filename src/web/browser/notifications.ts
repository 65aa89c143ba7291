/**
 * Says what the choices in a form of notification settings will do: what each place inherits now, what a changed
 * setting was, what loses its level to a setting above, and how many changes a press saves. Asks before they are lost.
 */

import './zone.ts';

const form = document.querySelector<HTMLFormElement>('form:has([data-setting])')!;
const save = form.querySelector<HTMLButtonElement>('button.primary')!;
const saveText = save.textContent;
// A group's page has a form of one setting, without these.
const undo = form.querySelector<HTMLButtonElement>('[data-undo]');
const unsaved = form.querySelector<HTMLElement>('[data-unsaved]');
const email = form.querySelector<HTMLSelectElement>('[name=email]');
const storedEmail = form.querySelector<HTMLInputElement>('[name="was.email"]')?.value;
let leaving = false;

/** The controls of one setting. */
interface Row {
  readonly key: string;
  readonly box: HTMLElement;
  readonly level: HTMLSelectElement;
  readonly events: readonly HTMLInputElement[];
  readonly below: HTMLInputElement | undefined;
  /** The level and the events that are stored. */
  readonly stored: { readonly level: string; readonly events: ReadonlySet<string> };
  /** Says what a changed setting was. */
  readonly was: HTMLElement;
  /** Says that a setting is lost. No status: one choice may do that to many, and is announced once. */
  readonly loses: HTMLElement;
}

const rows = [...form.querySelectorAll<HTMLElement>('[data-setting]')].map((box): Row => {
  const key = box.dataset.setting!;
  const [level = '', ...events] = control<HTMLInputElement>(`was.${key}`)!.value.split(' ');
  const [was, loses] = [document.createElement('p'), document.createElement('p')];
  was.className = loses.className = 'was';
  was.setAttribute('role', 'status');
  box.append(was, loses);
  return {
    key,
    box,
    was,
    loses,
    level: control<HTMLSelectElement>(`level.${key}`)!,
    events: [...form.querySelectorAll<HTMLInputElement>(`[name^="on.${key}."]`)],
    below: control<HTMLInputElement>(`below.${key}`) ?? undefined,
    stored: { level, events: new Set(events) },
  };
});
const rowOf = new Map(rows.map((row) => [row.box.closest('.place')!, row]));
const globalRow = rows.find(({ key }) => key === 'global');

function control<Control extends Element>(name: string): Control | null {
  return form.querySelector<Control>(`[name="${name}"]`);
}

const eventOf = ({ name }: HTMLInputElement) => name.slice(name.lastIndexOf('.') + 1);
const labelOf = (select: HTMLSelectElement, level = select.value) =>
  [...select.options].find(({ value }) => value === level)?.text ?? level;

const above = (place: Element) => place.closest('li')?.parentElement?.closest('li')?.querySelector('.place') ?? null;
const placeOf = ({ box }: Row) => box.closest<HTMLElement>('.place')!;

/** Whether a setting above takes everything below: a group's, or the global one. */
function isTaken(place: Element): boolean {
  for (let group = above(place); group; group = above(group)) if (rowOf.get(group)!.below?.checked) return true;
  return globalRow?.below?.checked === true;
}

/** Whether a place loses its level on saving. A level that is changed is saved after that, and stays. */
const isLost = (row: Row) =>
  row !== globalRow && row.stored.level !== 'GLOBAL' && row.level.value === row.stored.level && isTaken(placeOf(row));

/** What a setting was, if it is changed. */
function before({ level, events, below, stored }: Row): string | undefined {
  const count = events.filter((box) => box.checked !== stored.events.has(eventOf(box))).length;
  const said = [
    ...(level.value !== stored.level ? [`Was ${labelOf(level, stored.level)}`] : []),
    ...(level.value === stored.level && count > 0 ? [count === 1 ? '1 event changed' : `${count} events changed`] : []),
    ...(below?.checked ? ['Applies to everything below'] : []),
  ];
  return said.length === 0 ? undefined : said.join('. ');
}

/** What a place inherits, by the choices on the page; undefined where the page doesn't hold what decides. */
function inherited(place: Element): string | undefined {
  const { from } = rowOf.get(place)!.box.dataset;
  // A group that isn't on the page, and has a level of its own. It may lose it.
  const elsewhere =
    from === undefined || form.querySelector(`.place[data-path="${CSS.escape(from)}"]`) || isBelowTaken(from)
      ? undefined
      : from;
  for (let group = above(place); group; group = above(group)) {
    const { path = '', name } = (group as HTMLElement).dataset;
    // It is nearer than this one.
    if (elsewhere !== undefined && elsewhere.length > path.length) return undefined;
    const row = rowOf.get(group)!;
    if (row.level.value !== 'GLOBAL' && !isLost(row)) return `${labelOf(row.level)}, from ${name}`;
  }
  if (elsewhere !== undefined || !globalRow) return undefined;
  return `${labelOf(globalRow.level)}, your global level`;
}

/** Whether a group with this path is below a setting that takes everything below. */
const isBelowTaken = (path: string) =>
  globalRow?.below?.checked === true ||
  rows.some((row) => row.below?.checked && path.startsWith(`${placeOf(row).dataset.path}/`));

/** What the server said that places inherit. */
const saidAtFirst = new Map(rows.map(({ box, key }) => [box, document.getElementById(`why-${key}`)?.textContent]));

function update(): void {
  const said = rows.map((row) => ({ row, text: before(row) }));
  for (const { row, text } of said) {
    const place = placeOf(row);
    const loses = isLost(row);
    place.classList.toggle('changed', text !== undefined || loses);
    if (row.was.textContent !== (text ?? '')) row.was.textContent = text ?? '';
    const gets = inherited(place) ?? saidAtFirst.get(row.box) ?? '';
    row.loses.textContent = loses ? `Loses ${labelOf(row.level)}: it will be ${gets}` : '';
    const why = document.getElementById(`why-${row.key}`);
    if (why) why.textContent = gets;
  }
  const changed = said.filter(({ text }) => text !== undefined).length + (email && email.value !== storedEmail ? 1 : 0);
  if (unsaved) {
    save.textContent = changed > 0 ? `Save ${changed === 1 ? '1 change' : `${changed} changes`}` : saveText;
    unsaved.hidden = changed === 0;
  }
  if (undo) undo.hidden = changed === 0;
}

undo?.addEventListener('click', () => {
  for (const { level, events, below, stored } of rows) {
    level.value = stored.level;
    for (const box of events) box.checked = stored.events.has(eventOf(box));
    if (below) below.checked = false;
  }
  if (email) email.value = storedEmail!;
  update();
  save.focus();
});
form.addEventListener('change', update);
// After Back, a browser may fill in earlier choices.
addEventListener('pageshow', () => {
  leaving = false;
  update();
});
form.addEventListener('submit', () => (leaving = true));
addEventListener('beforeunload', (event) => {
  if (unsaved && !unsaved.hidden && !leaving) event.preventDefault();
});
update();
