/** @jsxImportSource react */
import { DropdownMenu, useEditorContext } from '@graphiql/react';
import { flushSync } from 'react-dom';
import { examples, type Example } from '../documentation/examples.ts';

/** As many characters fit beside each other where the editor has half a laptop's screen. */
const lineLength = 48;

/** An example as it stands in the editor: what it does, then the operation. */
export function withComment({ comment, query }: Example): string {
  const lines = comment.match(new RegExp(`\\S.{0,${lineLength - 1}}(?=\\s|$)`, 'g')) ?? [];
  return `${lines.map((line) => `# ${line}\n`).join('')}${query}`;
}

/** Opens an example in a tab of its own, or goes to the tab that has it. */
export function ExamplesMenu() {
  const { tabs, addTab, changeTab, queryEditor, variableEditor } = useEditorContext({ nonNull: true });

  function open(example: Example): void {
    const query = withComment(example);
    const already = tabs.findIndex((tab) => tab.query === query);
    // GraphiQL fills the editors itself when it changes tabs; only then can they be filled anew.
    flushSync(() => (already >= 0 ? changeTab(already) : addTab()));
    queryEditor?.setValue(query);
    variableEditor?.setValue('');
    // Else the operation of the tab before is asked for, until GraphiQL has read this one.
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
