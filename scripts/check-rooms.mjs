// Checks the import law of `rooms.mjs`: allowed imports between rooms, no import cycles (type-only ones included),
// SQL only in statement files, and statements imported only by their own subject, other statements and jobs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { composition, free, late, mayImport, sqlFiles } from './rooms.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = /^src\/(database\/client\/|schema\/engine\/prisma-types\.ts)/;
const sql = /`\s*(select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\()/i;

/** Every source of the gateway, by its path below the project. Browser scripts are a separate bundle. */
export function readSources() {
  const names = readdirSync(join(root, 'src'), { recursive: true }).map((name) =>
    posix.join('src', name.replaceAll('\\', '/')),
  );
  const sources = names.filter(
    (name) => /\.tsx?$/.test(name) && !generated.test(name) && !name.startsWith('src/web/browser/'),
  );
  return new Map(sources.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

/** The room of a file: its first folder or file name below `src`, or `statements`. */
export function roomOf(path) {
  if (/^src\/schema\/.*\/statements(\/|\.ts)/.test(path)) return 'statements';
  return path.split('/')[1].replace(/\.tsx?$/, '');
}

/** The subject of a file of `src/schema`: `src/schema/<area>/<subject>`. */
const subjectOf = (path) => path.split('/').slice(0, 4).join('/');

/**
 * Returns the violations of the import law as sentences.
 *
 * @param {Map<string, string>} sources text by path
 * @returns {string[]}
 */
export function breaches(sources) {
  const found = [];
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const [path, text] of sources) {
    const { module } = parseSync(path, text);
    const specifiers = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
      ),
    ];
    const room = roomOf(path);
    const whileRunning = module.dynamicImports
      .map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
      .filter((specifier) => /^['"`]\./.test(specifier));
    if (late.includes(room)) specifiers.push(...whileRunning.map((specifier) => specifier.slice(1, -1)));
    const relative = [...new Set(specifiers)].filter((specifier) => specifier.startsWith('.'));
    imports.set(
      path,
      relative.map((specifier) => posix.join(posix.dirname(path), specifier)),
    );
    if (!composition.includes(room)) {
      if (!late.includes(room))
        for (const specifier of whileRunning)
          found.push(`${path} imports ${specifier} while running: only composition and the command line may`);
      if (!(room in mayImport) && !free.includes(room)) found.push(`${path}: the room ${room} has no line in the law`);
      for (const target of imports.get(path)) {
        const other = roomOf(target);
        if (other !== room && !free.includes(other) && !mayImport[room]?.includes(other))
          found.push(`${path} imports ${target}: ${room} may not import ${other}`);
        const owned =
          other === 'statements' && !['statements', 'jobs'].includes(room) && subjectOf(path) !== subjectOf(target);
        if (owned) found.push(`${path} imports ${target}: statements belong to their subject, call a function of it`);
      }
    }
    if (sql.test(text) && !sqlFiles.test(path))
      found.push(`${path} has SQL: it goes into the statements of the subject`);
  }
  return [...found, ...namedTwice(sources), ...cycles(imports).map((cycle) => `import cycle: ${cycle.join(' → ')}`)];
}

const named =
  /\b(?:statement|readByIds|projectStatement|groupStatement)(?:<(?:[^<>()]|<[^<>]*>)*>)?\(\s*'(?<name>[a-z_0-9]+)'/g;

/** Names of statements that two statements have: a connection would run the first for both. */
function namedTwice(sources) {
  const places = new Map();
  const found = [];
  for (const [path, text] of sources)
    for (const { groups } of text.matchAll(named)) {
      const { name } = groups;
      if (places.has(name)) found.push(`${path} names a statement ${name}, as ${places.get(name)} does`);
      else places.set(name, path);
    }
  return found;
}

/** Import cycles: the strongly connected components (Tarjan) with more than one file. */
function cycles(imports) {
  const found = [];
  const order = new Map();
  const low = new Map();
  const stack = [];
  const visit = (path) => {
    order.set(path, order.size);
    low.set(path, order.get(path));
    stack.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path), low.get(next)));
    }
    if (low.get(path) !== order.get(path)) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1) found.push(component);
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = breaches(readSources());
  for (const breach of found) console.error(breach);
  if (found.length > 0) process.exitCode = 1;
}
