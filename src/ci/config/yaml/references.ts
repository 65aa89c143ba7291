import { Unreadable } from '../problems.ts';
import { deepest, tooBig } from './limits.ts';
import { isList, isMapping, Mapping, Reference, type Value } from './values.ts';

const written = (path: readonly string[]) => `!reference [${path.map((name) => JSON.stringify(name)).join(', ')}]`;

/** Replaces `!reference` by what it names. Each place is looked at once, however often it is named. */
class Resolver {
  private readonly root: Mapping;
  private readonly done = new Map<object, Value>();
  private readonly underway = new Set<object>();
  private readonly byPath = new Map<string, Value>();
  private readonly pathsUnderway = new Set<string>();

  constructor(root: Mapping) {
    this.root = root;
  }

  resolve(value: Value, depth: number): Value {
    if (value instanceof Reference) return this.follow(value, depth);
    if (!isMapping(value) && !isList(value)) return value;
    if (depth > 2 * deepest) throw new Unreadable(tooBig);
    const known = this.done.get(value);
    if (known !== undefined) return known;
    if (this.underway.has(value)) throw new Unreadable('A !reference is part of a circular chain');
    this.underway.add(value);
    let resolved: Value;
    if (isList(value)) resolved = value.map((item) => this.resolve(item, depth + 1));
    else {
      const mapping = new Mapping(value.place);
      for (const [name, entry] of value.entries)
        mapping.entries.set(name, { value: this.resolve(entry.value, depth + 1), place: entry.place });
      resolved = mapping;
    }
    this.underway.delete(value);
    this.done.set(value, resolved);
    return resolved;
  }

  private follow({ path, place }: Reference, depth: number): Value {
    const key = JSON.stringify(path);
    const known = this.byPath.get(key);
    if (known !== undefined) return known;
    if (this.pathsUnderway.has(key)) throw new Unreadable(`${written(path)} is part of a circular chain`, place);
    this.pathsUnderway.add(key);
    let found: Value | undefined = this.root;
    for (const name of path) {
      if (found instanceof Reference) found = this.follow(found, depth + 1);
      found = isMapping(found) ? found.get(name) : undefined;
    }
    if (found === undefined) throw new Unreadable(`${written(path)} could not be found`, place);
    let value: Value;
    try {
      value = this.resolve(found, depth + 1);
    } catch (error) {
      if (error instanceof Unreadable && !error.place) throw new Unreadable(error.message, place);
      throw error;
    }
    this.pathsUnderway.delete(key);
    this.byPath.set(key, value);
    return value;
  }
}

/**
 * Resolves all references of a configuration.
 * @throws Unreadable for one that names nothing, or itself
 */
export const resolveReferences = (root: Mapping): Mapping => new Resolver(root).resolve(root, 1) as Mapping;
