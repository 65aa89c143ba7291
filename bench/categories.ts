import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A CPU profile as `--cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Microseconds of the monotonic clock. */
  readonly startTime: number;
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

/** The parts of a request's time, in the order of the picture. */
export const categories = [
  'node:http and system calls',
  'route and parameters',
  'token and policy',
  'executor and resolvers',
  'PostgreSQL client',
  'rendering',
  'answer',
  'log, metrics, traces',
  'garbage collection',
  'everything else',
] as const;
export type Category = (typeof categories)[number];

/** The category of a function, by its source file: the first match. */
const rules: readonly (readonly [RegExp, Category])[] = [
  [/^node:_?http/, 'node:http and system calls'],
  [/\/node_modules\/(pg|pg-[\w-]+|postgres-[\w-]+|split2|pgpass)\//, 'PostgreSQL client'],
  [/\/node_modules\/(pino|sonic-boom|thread-stream|prom-client|@opentelemetry\/[\w-]+)\//, 'log, metrics, traces'],
  [
    /\/node_modules\/(graphql|graphql-[\w-]+|@graphql-[\w-]+\/[\w-]+|@envelop\/[\w-]+|@pothos\/[\w-]+|dataloader)\//,
    'executor and resolvers',
  ],
  [/\/node_modules\/(find-my-way|qs|proxy-addr)\//, 'route and parameters'],
  [/\/src\/database\/statements\/(tokens|oauth\/)/, 'token and policy'],
  [/\/src\/(auth|oauth|policy|context|instance-settings|limits?)\b/, 'token and policy'],
  [/\/src\/database\//, 'PostgreSQL client'],
  [/\/src\/(schema|operation|execution|graphql)\b/, 'executor and resolvers'],
  [/\/src\/observability\//, 'log, metrics, traces'],
  [/\/src\/rest\/records\//, 'rendering'],
  [/\/src\/http\/(answer|exchange|headers)/, 'answer'],
  [/\/src\/(http|rest|web)\//, 'route and parameters'],
];

/** V8's names for samples that aren't functions. */
const special = new Map<string, Category | null>([
  ['(idle)', null],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'node:http and system calls'],
]);

/**
 * The share of each category in the time in which the server was busy. Node's own functions count for their caller,
 * except its HTTP: a hash belongs to the token, a write to PostgreSQL's socket to the client.
 * @param from and `to`, microseconds of the monotonic clock
 */
export function sharesOf(profile: CpuProfile, from: number, to: number): Map<Category, number> {
  const assigned = categoriesOf(profile);
  const spent = new Map<Category, number>(categories.map((category) => [category, 0]));
  let [all, at] = [0, profile.startTime];
  profile.samples.forEach((id, i) => {
    at += profile.timeDeltas[i]!;
    const category = assigned.get(id);
    if (at < from || at > to || !category) return;
    // A sample lasts until the next one.
    const lasted = profile.timeDeltas[i + 1] ?? 0;
    spent.set(category, spent.get(category)! + lasted);
    all += lasted;
  });
  return new Map([...spent].map(([category, time]) => [category, time / all]));
}

/** The category of each node; null for idle. */
function categoriesOf({ nodes }: CpuProfile): Map<number, Category | null> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const assigned = new Map<number, Category | null>();
  const fileOf = originals();
  const visit = ({ id, callFrame, children = [] }: ProfileNode, above: Category): void => {
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    const named = special.get(functionName);
    const file = fileOf(url, lineNumber, columnNumber);
    const own = rules.find(([pattern]) => pattern.test(file))?.[1];
    // Node's own files and native code (no file) count for their caller.
    const category = own ?? (file === '' || file.startsWith('node:') ? above : 'everything else');
    assigned.set(id, named === undefined ? category : named);
    for (const child of children) visit(byId.get(child)!, category);
  };
  visit(nodes[0]!, 'node:http and system calls');
  return assigned;
}

/** Finds the source file of code in a bundle, by the bundle's source map. */
function originals(): (url: string, line: number, column: number) => string {
  const maps = new Map<string, SourceMap | undefined>();
  return (url, line, column) => {
    if (!url.startsWith('file:')) return url;
    if (!maps.has(url)) maps.set(url, mapOf(fileURLToPath(url)));
    const entry = maps.get(url)?.findEntry(line, column);
    return entry && 'originalSource' in entry ? `/${entry.originalSource}` : url;
  };
}

function mapOf(file: string): SourceMap | undefined {
  if (file.includes('/node_modules/') && !file.includes('/.cache/')) return undefined;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, inline] =
    /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text.slice(-50_000_000)) ?? [];
  const map = inline
    ? Buffer.from(inline, 'base64').toString()
    : existsSync(`${file}.map`)
      ? readFileSync(`${file}.map`, 'utf8')
      : undefined;
  return map === undefined ? undefined : new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]);
}
