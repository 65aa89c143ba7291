import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pagesAround } from '../../site/records/paging.ts';
import { seeOther, type Visit } from '../../site/visit.ts';
import { codePath } from '../code/addresses.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { found } from '../code/found.ts';
import { locator, type Located } from '../code/locate.ts';
import { archivePage } from './archive.ts';
import { FilePage, type ShownFile } from './file-view.tsx';
import { FolderPage } from './folder-view.tsx';
import { readRoot, refFields, refsIn, type RefData } from '../code/refs.ts';
import { BlamePage, type Blamed } from './blame-view.tsx';
import { entriesOnPage, folderFields, type Folder } from './folder.ts';
import type { Highlighter } from './highlighter.ts';
import { shownBytes } from './lines.tsx';
import { rawAnswer, rawFields, type RawFile } from './raw.ts';

/** Lines on a page of blame. */
const blamedLines = 1_000;

interface FolderData extends RefData {
  readonly tree: Folder;
}
interface FileData extends RefData {
  readonly file: ShownFile;
  readonly commits: { readonly nodes: readonly ShownCommit[] };
}

interface FileText extends RefData {
  readonly file: Pick<ShownFile, 'name' | 'rawTextBlob'>;
}

/** Pages of folders and files. */
export function filePages(schema: GraphQLSchema, highlight: Highlighter): PlaceRoute[] {
  const locate = locator(schema);
  const compile = <Data,>(variables: string, fields: string) =>
    compileOperation<{ repository: Data }>(
      schema,
      `query ($project: ID!${variables}) { repository(project: $project) { ${fields} } }`,
    );
  const at = ', $ref: String!, $path: String!';
  const rootOf = readRoot(schema);
  const readFolder = compile<FolderData>(
    `${at}, $first: Int, $last: Int, $before: String, $after: String`,
    `tree(ref: $ref, path: $path) { ${folderFields} } ${refFields}`,
  );
  const readFile = compile<FileData>(
    at,
    `file(ref: $ref, path: $path) { name path size mode rawTextBlob(upTo: ${shownBytes}) }
     commits(ref: $ref, path: $path, first: 1) { nodes { ${commitFields} } } ${refFields}`,
  );
  const readText = compile<FileText>(
    at,
    `file(ref: $ref, path: $path) { name rawTextBlob(upTo: ${shownBytes}) } ${refFields}`,
  );
  const readBlame = compile<{ readonly file: { readonly blame: readonly Blamed[] } }>(
    `${at}, $from: Int!, $to: Int!`,
    `file(ref: $ref, path: $path) { blame(fromLine: $from, toLine: $to) { startLine lines commit { ${commitFields} } } }`,
  );
  const readRaw = compile<{ readonly file: RawFile }>(at, `file(ref: $ref, path: $path) { ${rawFields} }`);
  const hasFile = compile<object>(at, 'file(ref: $ref, path: $path) { oid }');
  const hasFolder = compile<object>(at, 'tree(ref: $ref, path: $path) { entries(first: 1) { nodes { sha } } }');

  const inPlace = ({ fullPath }: PlaceHead, { sha, path }: Located) => ({ project: fullPath, ref: sha, path });

  async function folder(visit: Visit, place: PlaceHead) {
    const located = await locate(visit, place);
    const query = readQuery(visit.exchange);
    const variables = inPlace(place, located);
    const data = await found(
      readFolder.execute(visit.context, { ...variables, ...pageArguments(query, entriesOnPage) }),
    );
    if (!data) {
      const isFile = located.path !== '' && (await found(hasFile.execute(visit.context, variables)));
      return isFile ? seeOther(codePath(place, 'blob', located.ref, located.path)) : null;
    }
    const { tree } = data.repository;
    return toAnswer(
      <FolderPage
        site={visit.site}
        place={place}
        at={located}
        folder={tree}
        refs={refsIn(data.repository)}
        pages={pagesAround(codePath(place, 'tree', located.ref, located.path), query, tree.entries.pageInfo)}
      />,
    );
  }

  async function file(visit: Visit, place: PlaceHead) {
    const located = await locate(visit, place);
    const variables = inPlace(place, located);
    const data = await found(readFile.execute(visit.context, variables));
    if (!data) {
      const isFolder = await found(hasFolder.execute(visit.context, variables));
      return isFolder ? seeOther(codePath(place, 'tree', located.ref, located.path)) : null;
    }
    const { file: shown, commits } = data.repository;
    const plain = readQuery(visit.exchange).plain !== undefined;
    return toAnswer(
      <FilePage
        site={visit.site}
        place={place}
        at={located}
        file={shown}
        lastCommit={commits.nodes[0] ?? null}
        refs={refsIn(data.repository)}
        plain={plain}
        lines={shown.rawTextBlob === null ? [] : await highlight(shown.name, shown.rawTextBlob)}
      />,
    );
  }

  async function blame(visit: Visit, place: PlaceHead) {
    const located = await locate(visit, place);
    const variables = inPlace(place, located);
    const text = await found(readText.execute(visit.context, variables));
    if (!text) return null;
    const { name, rawTextBlob } = text.repository.file;
    const lines = rawTextBlob === null ? [] : await highlight(name, rawTextBlob);
    const page = Math.max(1, Number(/^\d{1,6}$/.exec(readQuery(visit.exchange).page ?? '1')?.[0] ?? 1));
    const from = (page - 1) * blamedLines + 1;
    const pages = lines.length / blamedLines;
    const blamed = rawTextBlob
      ? (await readBlame.execute(visit.context, { ...variables, from, to: from + blamedLines - 1 })).repository.file
          .blame
      : rawTextBlob === null
        ? null
        : [];
    const own = codePath(place, 'blame', located.ref, located.path);
    return toAnswer(
      <BlamePage
        site={visit.site}
        place={place}
        at={located}
        name={name}
        refs={refsIn(text.repository)}
        blamed={blamed}
        lines={lines}
        pages={{
          before: page > 1 ? `${own}?page=${page - 1}` : null,
          after: page < pages ? `${own}?page=${page + 1}` : null,
        }}
      />,
    );
  }

  return [
    {
      path: '/tree',
      name: 'repository',
      of: 'project',
      async get(visit, place) {
        const rootRef = await rootOf(visit, place);
        return seeOther(rootRef === null ? `/${place.fullPath}` : codePath(place, 'tree', rootRef));
      },
    },
    { path: '/tree/*', name: 'folder', of: 'project', get: folder },
    { path: '/blob/*', name: 'file', of: 'project', get: file },
    { path: '/blame/*', name: 'blame', of: 'project', get: blame },
    {
      path: '/raw/*',
      name: 'raw file',
      of: 'project',
      async get(visit, place) {
        const located = await locate(visit, place);
        const data = await found(readRaw.execute(visit.context, inPlace(place, located)));
        return data ? await rawAnswer(visit.exchange, data.repository.file) : null;
      },
    },
    archivePage(schema),
    {
      path: '/refs/switch',
      name: 'another revision',
      of: 'project',
      get({ exchange }, place) {
        const { to, ref = '', path = '' } = readQuery(exchange);
        const page = to === 'blob' || to === 'commits' || to === 'blame' ? to : 'tree';
        return seeOther(ref.trim() === '' ? below(place, '/tree') : codePath(place, page, ref.trim(), path));
      },
    },
  ];
}
