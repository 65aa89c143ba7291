import DataLoader from 'dataloader';
import type { Context } from '../../../context.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { readLine, readMarkdown, type Markdown } from '../../../markdown/markdown.ts';
import type { Reference } from '../../../markdown/references.ts';
import { variantOf } from '../../../policy/index.ts';
import { findTargets, type AskedReference, type TargetRow } from './statements.ts';

/** Texts of people as HTML, with links to what the reader sees. */

/** Where a text stands: what its references are relative to. */
export interface TextPlace {
  readonly projectId: number | null;
  /** The namespace of the project; or the group, of a text in a group. */
  readonly namespaceId: number | null;
}

/** Most references of a text that become links; further ones stay text. */
const maxReferences = 500;
/** Most references that one statement looks for. */
const maxAsked = 2_000;

type Asked = Omit<AskedReference, 'n'>;
type Target = Pick<TargetRow, 'path' | 'title'>;

const keyOf = ({ kind, project, namespace, path, name }: Asked) =>
  JSON.stringify([kind, project, namespace, path, name]);

const loaders = new WeakMap<Context, DataLoader<Asked, Target | undefined, string>>();

/** The targets of references: those of all texts that a request shows at once are read together. */
function loaderOf(context: Context): DataLoader<Asked, Target | undefined, string> {
  const known = loaders.get(context);
  if (known) return known;
  const { database, viewer } = context;
  const made = new DataLoader<Asked, Target | undefined, string>(
    async (all) => {
      const asked = all.map((one, n) => ({ n, ...one }));
      const rows = await database.rows(findTargets(variantOf(viewer), viewer), [
        JSON.stringify(asked),
        viewer.person?.id ?? null,
      ]);
      const found = new Map(rows.map((row) => [row.n, row]));
      return all.map((_one, n) => found.get(n));
    },
    { cacheKeyFn: keyOf, maxBatchSize: maxAsked },
  );
  loaders.set(context, made);
  return made;
}

const askedFor = ({ kind, project, name }: Reference, { projectId, namespaceId }: TextPlace): Asked => ({
  kind,
  project: projectId,
  namespace: namespaceId,
  path: project?.toLowerCase() ?? null,
  name: kind === 'user' ? name.toLowerCase() : name,
});

const emojiName = /:([\w+-]{1,60}):/g;

/** The characters of the emoji that a text names. */
async function emojiIn(text: string): Promise<ReadonlyMap<string, string>> {
  const names = new Set([...text.matchAll(emojiName)].map(([, name]) => name!));
  const found = await Promise.all([...names].map(async (name) => [name, (await emojiNamed(name))?.character] as const));
  return new Map(found.filter((one): one is [string, string] => one[1] !== undefined));
}

async function shown(context: Context, text: string, read: Markdown, place: TextPlace): Promise<string> {
  const targets = new Map<string, Target>();
  const unique = new Map(read.references.map((one) => [keyOf(askedFor(one, place)), askedFor(one, place)]));
  const [emoji] = await Promise.all([
    emojiIn(text),
    ...[...unique].slice(0, maxReferences).map(async ([key, asked]) => {
      const target = await loaderOf(context).load(asked);
      if (target) targets.set(key, target);
    }),
  ]);
  return read.html({
    target: (reference) => {
      const target = targets.get(keyOf(askedFor(reference, place)));
      if (!target) return undefined;
      const { path, title } = target;
      const query = reference.kind === 'label' ? encodeURIComponent(title) : '';
      return { url: `${context.baseUrl}${path}${query}`, title };
    },
    emoji: (name) => emoji.get(name),
  });
}

/** A text as HTML that is safe in a page. What the reader doesn't see stays text, without its title. */
export const htmlOf = (context: Context, text: string, place: TextPlace): Promise<string> =>
  shown(context, text, readMarkdown(text), place);

/** The same for a text of one line, such as a title: without paragraphs, headings and lists. */
export const lineHtmlOf = (context: Context, text: string, place: TextPlace): Promise<string> =>
  shown(context, text, readLine(text), place);
