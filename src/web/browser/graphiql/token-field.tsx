/** @jsxImportSource react */
import { useState } from 'react';
import { storedToken, storeToken } from '../token.ts';

/** The field for the token of requests, with a link to create one. */
export function TokenField() {
  const [token, setToken] = useState(storedToken);

  function change(typed: string): void {
    // Pasted tokens often have spaces and line ends around them.
    const trimmed = typed.trim();
    setToken(trimmed);
    storeToken(trimmed);
  }

  return (
    <>
      <label className="token">
        <span>Token</span>
        <input
          type="password"
          value={token}
          onChange={({ target }) => change(target.value)}
          placeholder="Access token"
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <p className="token-hint">
        <a href="/profile/personal_access_tokens/new">Create a token</a>
      </p>
    </>
  );
}
