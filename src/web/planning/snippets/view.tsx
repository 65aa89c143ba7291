import type { ComponentChildren } from 'preact';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { visibilities } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { sizeOf } from '../../repository/code/sizes.ts';
import { Lines } from '../../repository/files/lines.tsx';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { Ago } from '../../site/records/day.tsx';
import type { PagesAround } from '../../site/records/paging.ts';
import { Badge, Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { Markdown } from '../markdown.tsx';
import { snippetPath, type FoundSnippet, type ListedSnippet, type SnippetFile } from './snippets.ts';

export const mySnippetsPath = '/dashboard/snippets';
export const snippetsPath = (place: PlaceHead): string => below(place, '/snippets');

interface AroundProps {
  readonly site: Site;
  /** The project that the page is below; undefined for personal snippets. */
  readonly place: PlaceHead | undefined;
  readonly title: string;
}

/** The layout of the project, or that of pages outside of places. */
function Around({ place, children, ...page }: AroundProps & { readonly children: ComponentChildren }) {
  return place ? (
    <PlaceLayout {...page} place={place} current="snippets">
      {children}
    </PlaceLayout>
  ) : (
    <Layout {...page} current={mySnippetsPath}>
      {children}
    </Layout>
  );
}

interface SnippetListProps extends AroundProps {
  readonly snippets: readonly ListedSnippet[];
  readonly pages: PagesAround;
}

/** The snippets of a project, or those of the visitor. */
export function SnippetList({ site, place, title, snippets, pages }: SnippetListProps) {
  return (
    <Around site={site} place={place} title={place ? `${title} · ${place.name}` : title}>
      <h1>{title}</h1>
      <p class="lead">A snippet is one or several files of text, beside any repository. The API creates them.</p>
      {snippets.length === 0 ? (
        <Nothing says="No snippets here." />
      ) : (
        <ul class="records">
          {snippets.map((snippet) => (
            <li>
              <a href={snippetPath(snippet)}>
                <bdi>{snippet.title}</bdi>
              </a>{' '}
              <Visibility snippet={snippet} />
              <p>
                <Origin snippet={snippet} />
                {!place && snippet.project && (
                  <>
                    {' '}
                    In{' '}
                    <a href={`/${snippet.project.fullPath}`}>
                      <bdi>{snippet.project.name}</bdi>
                    </a>
                    .
                  </>
                )}
              </p>
              <p>{countedFiles(snippet)}</p>
            </li>
          ))}
        </ul>
      )}
      <Pager of="snippets" {...pages} />
    </Around>
  );
}

/** The name of its only file, or how many there are. */
const countedFiles = ({ files }: ListedSnippet) =>
  files.length === 1 ? <bdi>{files[0]!.path}</bdi> : `${files.length} files`;

interface SnippetProps {
  readonly snippet: ListedSnippet;
}

/** Who sees it. */
const Visibility = ({ snippet: { visibility } }: SnippetProps) => (
  <Badge>{visibilities[visibility].split(':')[0]}</Badge>
);

/** Who created it, and when it last changed. */
function Origin({ snippet: { author, createdAt, updatedAt } }: SnippetProps) {
  return (
    <>
      Created <Ago at={createdAt} />
      {author && (
        <>
          {' '}
          by <PersonName person={author} />
        </>
      )}
      {updatedAt !== createdAt && (
        <>
          , changed <Ago at={updatedAt} />
        </>
      )}
      .
    </>
  );
}

/** A file as the page of its snippet shows it. */
export interface ShownFile extends SnippetFile {
  /** Its lines as safe HTML; null if the page shows enough already. */
  readonly lines: readonly string[] | null;
}

interface SnippetPageProps extends Omit<AroundProps, 'title'> {
  readonly snippet: FoundSnippet;
  readonly files: readonly ShownFile[];
}

/** A snippet with its files. */
export function SnippetPage({ site, place, snippet, files }: SnippetPageProps) {
  const { id, title, description, descriptionHtml } = snippet;
  const list = place ? snippetsPath(place) : site.visitor && mySnippetsPath;
  return (
    <Around site={site} place={place} title={`${title} ($${id})`}>
      <p class="kind">
        {list ? <a href={list}>Snippets</a> : 'Snippets'} › ${id}
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="standing">
        <span class="badges">
          <Visibility snippet={snippet} />
        </span>{' '}
        <Origin snippet={snippet} />
      </p>
      {description && descriptionHtml && (
        <section class="described" aria-label="Description">
          <Markdown html={descriptionHtml} />
        </section>
      )}
      <h2>{files.length === 1 ? '1 file' : `${files.length} files`}</h2>
      {files.map((file, index) => (
        <File file={file} anchor={`file-${index + 1}`} prefix={index === 0 ? '' : `file-${index + 1}-`} />
      ))}
    </Around>
  );
}

interface FileProps {
  readonly file: ShownFile;
  readonly anchor: string;
  /** Before the anchors of its lines: those of the first file are `#L10`, as on the page of a file. */
  readonly prefix: string;
}

function File({ file: { name, path, size, rawPath, text, lines }, anchor, prefix }: FileProps) {
  const of = <span class="hidden"> {path}</span>;
  return (
    <section class="folder diff" id={anchor} aria-labelledby={`${anchor}-name`}>
      <div class="folder-head">
        <h3 id={`${anchor}-name`}>
          <bdi>{path}</bdi>
        </h3>
        <span class="file-ways">
          <span class="file-facts">{sizeOf(size)}</span>
          <a href={rawPath}>Raw{of}</a>
          <a href={`${rawPath}?inline=false`} download={name}>
            Download{of}
          </a>
        </span>
      </div>
      {text === '' ? (
        <p class="empty">The file is empty.</p>
      ) : lines ? (
        <Lines lines={lines} name={path} prefix={prefix} />
      ) : (
        <p class="empty">
          It is too long to be shown here. <a href={rawPath}>Open the raw file{of}</a>
        </p>
      )}
    </section>
  );
}
