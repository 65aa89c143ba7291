import type { Expression } from '../expressions/parser.ts';
import { writtenPattern, type Patterns } from '../patterns/patterns.ts';
import { Fields } from '../jobs/fields.ts';
import { isList, isMapping } from '../yaml/values.ts';

/** What `only` or `except` says. */
export interface Policy {
  readonly refs?: readonly string[];
  readonly variables?: readonly Expression[];
  readonly changes?: readonly string[];
}

/** What holds for jobs without `rules` and `only`. */
export const defaultRefs = ['branches', 'tags'] as const;

/** Whether a pattern among refs, if it is one, can be compiled. */
function isRef(text: string, patterns: Patterns): boolean {
  const [ref] = splitRef(text);
  if (!ref.startsWith('/')) return text !== '';
  const written = writtenPattern(ref);
  return written !== null && patterns.regexp(written.pattern, written.flags) !== null;
}

/** `ref@group/project` as its two halves. */
export function splitRef(text: string): readonly [ref: string, project: string | undefined] {
  const at = text.startsWith('/') ? text.indexOf('@', text.lastIndexOf('/')) : text.lastIndexOf('@');
  const slash = text.startsWith('/') ? /^(\/.+\/[ismU]*)@([\w\-./]+)$/su.exec(text) : null;
  if (slash) return [slash[1]!, slash[2]];
  return text.startsWith('/') || at <= 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readRefs(fields: Fields, key: string): readonly string[] | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  const refs: unknown[] = typeof value === 'string' ? [value] : isList(value) ? value.flat(10) : [];
  if (
    refs.length === 0 ||
    !refs.every((ref): ref is string => typeof ref === 'string' && isRef(ref, fields.report.patterns))
  )
    return fields.refuseEntry(key, 'should be an array of strings or regular expressions using re2 syntax');
  return refs;
}

const keys = new Set(['refs', 'variables', 'changes']);

/** `only` or `except` of a job; undefined without it. */
export function readPolicy(job: Fields, key: 'only' | 'except'): Policy | undefined {
  const value = job.get(key);
  if (value === undefined) return undefined;
  if (!isMapping(value)) {
    const refs = readRefs(job, key);
    return refs && { refs };
  }
  const fields = new Fields(value, `${job.where}:${key}`, job.report);
  if (fields.has('kubernetes')) return fields.unsupported('kubernetes', 'there are no clusters');
  fields.allow(keys);
  const refs = readRefs(fields, 'refs') ?? (key === 'only' ? defaultRefs : undefined);
  const texts = fields.strings('variables');
  const variables = texts?.map((text) => fields.report.expression(text));
  if (variables?.includes(null)) return fields.refuse('variables', 'invalid expression syntax');
  const changes = fields.strings('changes');
  return {
    ...(refs && { refs }),
    ...(variables && { variables: variables as readonly Expression[] }),
    ...(changes && { changes }),
  };
}
