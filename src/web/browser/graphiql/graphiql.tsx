/** @jsxImportSource react */
import { GraphiQL } from 'graphiql';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { examples } from '../../documentation/examples.ts';
import { makeTabsAccessible } from './accessible-tabs.ts';
import { Cost } from './cost.tsx';
import { useAccessibleEditors } from './editors.ts';
import { ExamplesMenu, withComment } from './examples-menu.tsx';
import { execute } from './execute.ts';
import { showExplorer } from '../explorer.ts';
import { ShareMenu } from './share-menu.tsx';
import { TokenField } from './token-field.tsx';

const header = document.getElementById('controls')!;

/** The page's own controls: rendered in the header, with access to GraphiQL's state. */
function Controls() {
  useAccessibleEditors();
  return createPortal(
    <>
      <ExamplesMenu />
      <ShareMenu />
      <Cost />
      <TokenField />
    </>,
    header,
  );
}

const root = document.getElementById('graphiql')!;
makeTabsAccessible(root);

createRoot(root).render(
  <GraphiQL
    fetcher={execute}
    defaultTabs={[{ query: withComment(examples[0]!) }]}
    defaultQuery=""
    forcedTheme="system"
    // A typed header could be a credential, and the history would store it.
    isHeadersEditorEnabled={false}
    shouldPersistHeaders={false}
    showPersistHeadersSettings={false}
  >
    <GraphiQL.Logo>{null}</GraphiQL.Logo>
    <Controls />
  </GraphiQL>,
);

void showExplorer({ within: document.getElementById('explorer')! });
