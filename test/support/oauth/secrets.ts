import type { TestGateway } from '../gateway.ts';

/** Collects secrets that pass through a gateway, and searches texts for them. */
export interface SecretKeeper {
  /** @param what kind of secret it is. @returns the secret */
  keep(what: string, secret: string): string;
  /** The kinds of collected secrets. */
  kinds(): Set<string>;
  /** The secrets in a text, plain or encoded. */
  found(text: string): string[];
}

export function secretKeeper(): SecretKeeper {
  const secrets = new Map<string, string>();
  return {
    keep(what, secret) {
      secrets.set(`${what} ${secrets.size}`, secret);
      return secret;
    },
    kinds: () => new Set([...secrets.keys()].map((what) => what.replace(/ \d+$/, ''))),
    found: (text) =>
      [...secrets].filter(([, secret]) => forms(secret).some((form) => text.includes(form))).map(([what]) => what),
  };
}

/** The encodings in which a secret might be stored. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const bare = secret.replace(/^cw[a-z]+_/, '');
  return [
    ...new Set([
      secret,
      bare,
      encodeURIComponent(secret),
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      Buffer.from(bare).toString('hex'),
    ]),
  ];
}

/** Every row of every table, as text. */
export async function everyRow(gateway: Pick<TestGateway, 'sql'>): Promise<string> {
  const tables = await gateway.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => gateway.sql<{ row: string }>(`select t::text as row from "${name}" t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
