/** @jsxImportSource react */
import { DropdownMenu, useEditorContext, useSchemaStore } from '@graphiql/react';
import { parse, type GraphQLSchema } from 'graphql';
import { useEffect, useState } from 'react';
import { restCall, toCurl } from '../../documentation/rest-calls.ts';
import { linkTo, sharedDocument } from './shared-document.ts';

type Way = (query: string, variables: string, schema: GraphQLSchema | null | undefined) => string | null;

/** What can be copied of the open document; null if there is no such thing. */
const ways: Readonly<Record<'Link' | 'curl' | 'fetch' | 'REST call', Way>> = {
  Link: (query, variables) => linkTo({ query, variables }),
  curl: (query, variables) =>
    [
      `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${addressOf()}`,
      `  -d '${bodyOf(query, variables).replaceAll("'", String.raw`'\\''`)}'`,
    ].join(' \\\n'),
  fetch: (query, variables) =>
    `await fetch(${JSON.stringify(addressOf())}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${bodyOf(query, variables)}),
}).then((response) => response.json());`,
  'REST call': (query, variables, schema) => {
    try {
      const given = (variables.trim() === '' ? {} : JSON.parse(variables)) as Record<string, unknown>;
      const call = schema ? restCall(schema, parse(query), given) : null;
      return call && toCurl(call, location.origin);
    } catch {
      // The document or its variables have an error, which GraphiQL shows.
      return null;
    }
  },
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
  const { schema } = useSchemaStore();
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
    const text = ways[way](queryEditor?.getValue() ?? '', variableEditor?.getValue() ?? '', schema);
    const isCopied =
      text !== null &&
      (await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      ));
    if (text === null) say('No single REST call stands for it');
    else say(isCopied ? 'Copied' : 'The browser let nothing be copied');
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
