import { stringify } from 'yaml';
import { schema } from './schema.ts';
import { isList, isMapping, type Value } from './values.ts';

function plain(value: Value): unknown {
  if (isMapping(value)) return new Map([...value.entries].map(([name, entry]) => [name, plain(entry.value)]));
  return isList(value) ? value.map(plain) : value;
}

/** A value as YAML, without anchors: what is shared is written out. */
export const writeYaml = (value: Value): string =>
  `---\n${stringify(plain(value), { ...schema, aliasDuplicateObjects: false, lineWidth: 0 })}`;
