/** @jsxImportSource react */
import { GraphiQL } from 'graphiql';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { examples } from '../documentation/examples.ts';
import { keepTabsAccessible } from './accessible-tabs.ts';
import { useAccessibleEditors } from './editors.ts';
import { ExamplesMenu, withComment } from './examples-menu.tsx';
import { execute } from './execute.ts';
import { TokenField } from './token-field.tsx';

const header = document.getElementById('controls')!;

/** What the page adds to GraphiQL: it stands in the header, and needs GraphiQL's state. */
function Controls() {
  useAccessibleEditors();
  return createPortal(
    <>
      <ExamplesMenu />
      <TokenField />
    </>,
    header,
  );
}

const root = document.getElementById('graphiql')!;
keepTabsAccessible(root);

createRoot(root).render(
  <GraphiQL
    fetcher={execute}
    defaultTabs={[{ query: withComment(examples[0]!) }]}
    defaultQuery=""
    forcedTheme="system"
    // A header typed there could be a credential, and the history would keep it.
    isHeadersEditorEnabled={false}
    shouldPersistHeaders={false}
    showPersistHeadersSettings={false}
  >
    <GraphiQL.Logo>{null}</GraphiQL.Logo>
    <Controls />
  </GraphiQL>,
);
