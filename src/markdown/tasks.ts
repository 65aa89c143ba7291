import type MarkdownIt from 'markdown-it';

/** Task lists: items that begin with `[ ]` or `[x]`, shown as checkboxes that can't be pressed. */

export interface Tasks {
  readonly count: number;
  readonly completed: number;
}

const box = /^\[([ xX])\](?=\s|$)/;

/** Adds task lists to a parser of Markdown. */
export function addTasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'tasks', (state) => {
    const { tasks } = state.env as { tasks: { count: number; completed: number } };
    for (const [index, token] of state.tokens.entries()) {
      const item = state.tokens[index - 2];
      const first = token.children?.[0];
      if (token.type !== 'inline' || item?.type !== 'list_item_open' || first?.type !== 'text') continue;
      const found = box.exec(first.content);
      if (found === null) continue;
      const completed = found[1] !== ' ';
      tasks.count += 1;
      if (completed) tasks.completed += 1;
      first.content = first.content.slice(found[0].length);
      const checkbox = new state.Token('checkbox', 'input', 0);
      checkbox.meta = completed;
      token.children!.unshift(checkbox);
      item.attrJoin('class', 'task-list-item');
    }
  });
  markdown.renderer.rules.checkbox = (tokens, index) =>
    `<input type="checkbox" class="task-list-item-checkbox" disabled${tokens[index]!.meta ? ' checked' : ''}>`;
}
