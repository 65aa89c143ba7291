import type { Report } from './report.ts';
import { isList, type Mapping } from './yaml/values.ts';

const first = '.pre';
const last = '.post';
const usual = ['build', 'test', 'deploy'];

/** The stages of a configuration, in order, with the two that every pipeline has. */
export function readStages(root: Mapping, report: Report): readonly string[] {
  const value = root.get('stages') ?? undefined;
  const names = value === undefined ? usual : isList(value) ? value.flat(10) : undefined;
  if (!names?.every((name) => typeof name === 'string')) {
    report.error('stages config should be an array of strings', root.placeOf('stages'));
    return [first, ...usual, last];
  }
  const inner = new Set(names as string[]);
  inner.delete(first);
  inner.delete(last);
  return [first, ...(inner.size > 0 ? inner : usual), last];
}
