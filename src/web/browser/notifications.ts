/**
 * Says what the choices in a form of notification settings will do: what each place inherits now, what a changed
 * setting was, and how many changes a press saves. Asks before they are lost.
 */

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
}

const rows = [...form.querySelectorAll<HTMLElement>('[data-setting]')].map((box): Row => {
  const key = box.dataset.setting!;
  const [level = '', ...events] = control<HTMLInputElement>(`was.${key}`)!.value.split(' ');
  const was = document.createElement('p');
  was.className = 'was';
  was.setAttribute('role', 'status');
  box.append(was);
  return {
    key,
    box,
    was,
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

/** What a setting was, if it is changed. */
function before({ level, events, below, stored }: Row): string | undefined {
  if (level.value !== stored.level) return `Was ${labelOf(level, stored.level)}`;
  const count = events.filter((box) => box.checked !== stored.events.has(eventOf(box))).length;
  if (count > 0) return count === 1 ? '1 event changed' : `${count} events changed`;
  return below?.checked ? 'Applies to everything below' : undefined;
}

const above = (place: Element) => place.closest('li')?.parentElement?.closest('li')?.querySelector('.place');

/** What a place inherits, by the choices on the page; undefined where the page doesn't hold what decides. */
function inherited(place: Element): string | undefined {
  const from = rowOf.get(place)!.box.dataset.from;
  const isListed = from !== undefined && form.querySelector(`.place[data-path="${CSS.escape(from)}"]`) !== null;
  for (let group = above(place); group; group = above(group)) {
    const { path = '', name } = (group as HTMLElement).dataset;
    // A group that isn't on the page has a level of its own, nearer than this one.
    if (from !== undefined && !isListed && from.length > path.length) return undefined;
    const { level } = rowOf.get(group)!;
    if (level.value !== 'GLOBAL') return `${labelOf(level)}, from ${name}`;
  }
  if (from !== undefined && !isListed) return undefined;
  if (!globalRow) return undefined;
  const isDefault = globalRow.level.value === 'GLOBAL';
  return isDefault ? undefined : `${labelOf(globalRow.level)}, your global level`;
}

/** What the server said that places inherit. */
const saidAtFirst = new Map(rows.map(({ box, key }) => [box, document.getElementById(`why-${key}`)?.textContent]));

function update(): void {
  const said = rows.map((row) => ({ row, text: before(row) }));
  for (const { row, text } of said) {
    row.box.closest('.place')!.classList.toggle('changed', text !== undefined);
    if (row.was.textContent !== (text ?? '')) row.was.textContent = text ?? '';
    const why = document.getElementById(`why-${row.key}`);
    if (why) why.textContent = inherited(row.box.closest('.place')!) ?? saidAtFirst.get(row.box) ?? '';
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
