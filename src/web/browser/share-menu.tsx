/** @jsxImportSource react */
import { DropdownMenu, useEditorContext } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { linkTo, sharedDocument } from './shared-document.ts';

/** What can be copied of the open document. */
const ways = {
  Link: (query: string, variables: string) => linkTo({ query, variables }),
  curl: (query: string, variables: string) =>
    [
      `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${addressOf()}`,
      `  -d '${bodyOf(query, variables).replaceAll("'", String.raw`'\\''`)}'`,
    ].join(' \\\n'),
  fetch: (query: string, variables: string) =>
    `await fetch(${JSON.stringify(addressOf())}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${bodyOf(query, variables)}),
}).then((response) => response.json());`,
};

const addressOf = () => `${location.origin}/api/graphql`;

/** The body of a request, as JSON. Variables that aren’t JSON are left out: GraphiQL says so itself. */
function bodyOf(query: string, variables: string): string {
  try {
    return JSON.stringify({ query, ...(variables.trim() !== '' && { variables: JSON.parse(variables) as unknown }) });
  } catch {
    return JSON.stringify({ query });
  }
}

/** Copies the open document; on a page that came with one, opens it first. */
export function ShareMenu() {
  const { queryEditor, variableEditor, addTab } = useEditorContext({ nonNull: true });
  const [said, say] = useState('');
  const isReady = queryEditor !== null && variableEditor !== null;

  useEffect(() => {
    if (!isReady || !sharedDocument) return;
    addTab();
    // GraphiQL fills the editors when it changes tabs, so set them after that.
    setTimeout(() => {
      queryEditor.setValue(sharedDocument!.query);
      variableEditor.setValue(sharedDocument!.variables);
    });
    // The link was followed once: it doesn’t come back with each change of the editors.
  }, [isReady]);

  async function copy(way: keyof typeof ways): Promise<void> {
    const text = ways[way](queryEditor?.getValue() ?? '', variableEditor?.getValue() ?? '');
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'The browser let nothing be copied');
    setTimeout(() => say(''), 3_000);
  }

  return (
    <>
      <DropdownMenu>
        <DropdownMenu.Button className="examples">Copy as</DropdownMenu.Button>
        <DropdownMenu.Content className="examples-list" align="start">
          {(Object.keys(ways) as (keyof typeof ways)[]).map((way) => (
            <DropdownMenu.Item key={way} onSelect={() => void copy(way)}>
              <b>{way}</b>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu>
      <span className="copied" role="status">
        {said}
      </span>
    </>
  );
}
