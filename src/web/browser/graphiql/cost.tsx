/** @jsxImportSource react */
import { useEffect, useState } from 'react';
import { costEvent } from './execute.ts';

/** What the last operation cost, of what one may cost. */
export function Cost() {
  const [cost, setCost] = useState('');
  useEffect(() => {
    const take = (event: Event) => setCost((event as CustomEvent<string>).detail);
    addEventListener(costEvent, take);
    return () => removeEventListener(costEvent, take);
  }, []);
  const [own, limit] = cost.split('/').map(Number);
  return (
    <span className="cost" role="status" title="The complexity of the last operation, and what one request may have">
      {own !== undefined && limit !== undefined && `Cost ${own.toLocaleString()} of ${limit.toLocaleString()}`}
    </span>
  );
}
