import { InvalidFields } from '../../../errors.ts';
import { tooLong } from '../../../values/text/lengths.ts';

/** What a script says of a status besides its state. */
export interface Said {
  readonly ref?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly targetUrl?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly coverage?: number | null | undefined;
}

const longest = 255;
/** A number beyond this is no share of lines, and sums of such would overflow. */
const mostCoverage = 1_000_000;
const schemes = 'is blocked: Only allowed schemes are http, https';

function problemOfAddress(address: string): string | undefined {
  if (address.length > longest) return tooLong(longest);
  if (!/^https?:\/\//i.test(address)) return schemes;
  return URL.canParse(address) ? undefined : 'is blocked: URI is invalid';
}

/** @throws InvalidFields */
export function checkSaid(said: Said): void {
  const problems: Record<string, string[]> = {};
  for (const field of ['ref', 'name', 'description'] as const)
    if ((said[field]?.length ?? 0) > longest) problems[field] = [tooLong(longest)];
  const address = said.targetUrl ? problemOfAddress(said.targetUrl) : undefined;
  if (address) problems.targetUrl = [address];
  if (Math.abs(said.coverage ?? 0) > mostCoverage) problems.coverage = ['is invalid'];
  if (Object.keys(problems).length > 0) throw new InvalidFields(problems);
}
