import type { IncomingHttpHeaders } from 'node:http';

/** The ways in which a gateway tells that it can't just now. */
export type Dialect = 'REST' | 'OAuth' | 'GraphQL' | 'page';

/** Words that only a defect shows to a client. */
const inside = /\n\s+at |node_modules|\.[jt]sx?:\d+|prisma|postgres|ECONN|SQLSTATE|terminat|pg_|insert into|violates/i;

const json = (text: string): Record<string, unknown> => {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** Whether a 503 says so as its door does. */
const unavailable: Readonly<Record<Dialect, (text: string, type: string) => boolean>> = {
  REST: (text) => json(text).message === '503 Service Unavailable',
  OAuth: (text) => json(text).error === 'temporarily_unavailable',
  GraphQL: (text) =>
    (json(text).errors as { extensions?: { code?: string } }[] | undefined)?.every(
      ({ extensions }) => extensions?.code === 'UNAVAILABLE',
    ) === true,
  page: (text, type) => type.startsWith('text/html') && text.includes('<h1'),
};

/**
 * What is wrong with an answer that isn't the wanted one; undefined where it is a
 * 503 in the words of its door, and says when to come again.
 */
export function wrongIn(
  dialect: Dialect,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
): string | undefined {
  const shown = `${dialect} ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  if (inside.test(text)) return `shows its inside: ${shown}`;
  // GraphQL over HTTP: part of an answer may be there, so the errors say it.
  if (dialect === 'GraphQL' && status === 200 && unavailable.GraphQL(text, '')) return undefined;
  if (status !== 503) return `isn't 503: ${shown}`;
  if (!unavailable[dialect](text, headers['content-type'] ?? '')) return `in other words: ${shown}`;
  return headers['retry-after'] === undefined ? `without Retry-After: ${shown}` : undefined;
}
