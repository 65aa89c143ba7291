/** @jsxImportSource react */
import { DropdownMenu, useEditorContext } from '@graphiql/react';
import { flushSync } from 'react-dom';
import { examples, type Example } from '../../documentation/examples.ts';

/** Characters that fit on a line when the editor takes half of a laptop's screen. */
const lineLength = 48;

/** An example as the editor shows it: a comment, then the operation. */
export function withComment({ comment, query }: Example): string {
  const lines = comment.match(new RegExp(`\\S.{0,${lineLength - 1}}(?=\\s|$)`, 'g')) ?? [];
  return `${lines.map((line) => `# ${line}\n`).join('')}${query}`;
}

/** Opens an example in a new tab, or switches to the tab that has it. */
export function ExamplesMenu() {
  const { tabs, addTab, changeTab, queryEditor, variableEditor } = useEditorContext({ nonNull: true });

  function open(example: Example): void {
    const query = withComment(example);
    const already = tabs.findIndex((tab) => tab.query === query);
    // GraphiQL fills the editors when it changes tabs, so set them after that.
    flushSync(() => (already >= 0 ? changeTab(already) : addTab()));
    queryEditor?.setValue(query);
    variableEditor?.setValue('');
    // Otherwise GraphiQL sends the previous tab's operation name until it has parsed this query.
    if (queryEditor) queryEditor.operationName = null;
  }

  return (
    <DropdownMenu>
      <DropdownMenu.Button className="examples">Examples</DropdownMenu.Button>
      <DropdownMenu.Content className="examples-list" align="start">
        {examples.map((example) => (
          <DropdownMenu.Item key={example.name} onSelect={() => open(example)}>
            <b>{example.name}</b>
            <span>{example.comment}</span>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}
