/** @jsxImportSource react */
import { useState } from 'react';
import { storedToken, storeToken } from './token.ts';

/** Where the token goes that requests carry. */
export function TokenField() {
  const [token, setToken] = useState(storedToken);

  function change(typed: string): void {
    // Pasted tokens bring spaces and line ends along.
    const trimmed = typed.trim();
    setToken(trimmed);
    storeToken(trimmed);
  }

  return (
    <label className="token">
      <span>Token</span>
      <input
        type="password"
        value={token}
        onChange={({ target }) => change(target.value)}
        placeholder="Personal access token or OAuth token"
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}
