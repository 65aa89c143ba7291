import { once } from '../../../values/once.ts';

/**
 * Finds a call of the API reference by words of its path and summary, else of its parameters and what is said of them. The key
 * `/` leads to the field.
 */

interface Call {
  readonly tag: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly lowered: string;
  /** The same with its parameters. */
  readonly whole: string;
}

const most = 12;

/** Keys that move the focus between the field and the calls below it. */
const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1 };

/** The paths of an OpenAPI document. */
export interface Paths {
  readonly [path: string]: {
    readonly [method: string]: {
      readonly operationId: string;
      readonly summary: string;
      readonly tags: readonly string[];
      readonly parameters?: readonly object[];
      readonly requestBody?: object;
    };
  };
}

/** The texts that a part of the document holds: names, descriptions and values. */
const textsOf = (part: unknown): string => JSON.stringify(part ?? '');

/** @param open shows a call */
export function findCalls(paths: Paths, open: (tag: string, operation: string) => void): void {
  const box = document.getElementById('find-call')!;
  const input = box.querySelector('input')!;
  const results = box.querySelector('ul')!;
  // The texts are large, and most visitors look for nothing.
  const calls = once(() =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, summary, tags, parameters, requestBody }]): Call => {
        const lowered = `${method} ${path} ${summary}`.toLowerCase();
        const whole = `${lowered} ${textsOf(parameters)} ${textsOf(requestBody)}`.toLowerCase();
        return { tag: tags[0]!, operation: operationId, method, path, summary, lowered, whole };
      }),
    ),
  );

  /** Those that are named so, then those that only have such parameters. */
  const matching = (words: readonly string[]) => {
    const [named, others] = (['lowered', 'whole'] as const).map((text) =>
      calls().filter((call) => words.every((word) => call[text].includes(word))),
    ) as [Call[], Call[]];
    return [...new Set([...named, ...others])];
  };

  function show(): void {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : matching(words);
    const links = found.slice(0, most).map(({ tag, operation, method, path, summary }) => {
      const link = document.createElement('a');
      link.href = `#/${encodeURIComponent(tag)}/${operation}`;
      const badge = part('b', method.toUpperCase());
      badge.dataset.method = method;
      link.append(badge, ' ', part('code', path), ' ', part('span', summary));
      link.addEventListener('click', () => {
        input.value = '';
        show();
        open(tag, operation);
      });
      return link;
    });
    const said = words.length > 0 && found.length === 0 ? ['No call matches.'] : [];
    if (found.length > most) said.push(`${found.length - most} more; add a word.`);
    results.replaceChildren(
      ...[...links, ...said].map((content) => {
        const item = document.createElement('li');
        item.append(content);
        return item;
      }),
    );
  }

  input.addEventListener('input', show);
  box.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const step = steps[event.key];
    if (event.key === 'Enter' && event.target === input) links[0]?.click();
    else if (step !== undefined && links.length > 0) {
      const stops = [input, ...links];
      stops[stops.indexOf(event.target as HTMLInputElement) + step]?.focus();
    } else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (key === 'Escape' && target === input) {
      input.value = '';
      return show();
    }
    if (key !== '/' || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    input.focus();
  });
  box.hidden = false;
}

function part(name: 'b' | 'code' | 'span', text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
