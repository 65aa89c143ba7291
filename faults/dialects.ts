import type { IncomingHttpHeaders } from 'node:http';

/** The forms in which a gateway answers that it is unavailable. */
export type Dialect = 'REST' | 'OAuth' | 'GraphQL' | 'page';

/** Words that must not appear in a response. */
const inside = /\n\s+at |node_modules|\.[jt]sx?:\d+|prisma|postgres|ECONN|SQLSTATE|terminat|pg_|insert into|violates/i;

const json = (text: string): Record<string, unknown> => {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** Whether the body of a 503 has the form of its door. */
const unavailable: Readonly<Record<Dialect, (text: string, type: string) => boolean>> = {
  REST: (text) => json(text).message === '503 Service Unavailable',
  OAuth: (text) => json(text).error === 'temporarily_unavailable',
  GraphQL: (text) =>
    (json(text).errors as { extensions?: { code?: string } }[] | undefined)?.every(
      ({ extensions }) => extensions?.code === 'UNAVAILABLE',
    ) === true,
  page: (text, type) => type.startsWith('text/html') && text.includes('<h1'),
};

/** What is wrong with an unexpected response; undefined for a 503 in the form of its door with Retry-After. */
export function wrongIn(
  dialect: Dialect,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
): string | undefined {
  const shown = `${dialect} ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  if (inside.test(text)) return `shows internals: ${shown}`;
  // GraphQL over HTTP: a partial result is 200, and the errors report the failure.
  if (dialect === 'GraphQL' && status === 200 && unavailable.GraphQL(text, '')) return undefined;
  if (status !== 503) return `isn't 503: ${shown}`;
  if (!unavailable[dialect](text, headers['content-type'] ?? '')) return `in another form: ${shown}`;
  return headers['retry-after'] === undefined ? `without Retry-After: ${shown}` : undefined;
}
