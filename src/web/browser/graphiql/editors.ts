import { useEditorContext } from '@graphiql/react';
import { useEffect } from 'react';

/** Names the editors for screen readers, and lets the tab key leave them. */
export function useAccessibleEditors(): void {
  const { queryEditor, variableEditor, responseEditor } = useEditorContext({ nonNull: true });
  useEffect(() => {
    const editors = { Query: queryEditor, Variables: variableEditor, Result: responseEditor };
    for (const [name, editor] of Object.entries(editors)) {
      editor?.setOption('screenReaderLabel', name);
      // Otherwise keyboard users can't leave the first editor (WCAG 2.1.2).
      editor?.addKeyMap({ Tab: false, 'Shift-Tab': false });
    }
  }, [queryEditor, variableEditor, responseEditor]);
}
