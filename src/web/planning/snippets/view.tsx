import type { ComponentChildren } from 'preact';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { visibilities } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { sizeOf } from '../../repository/code/sizes.ts';
import { Lines } from '../../repository/files/lines.tsx';
import type { AssetName } from '../../site/layout/assets.ts';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { Ago } from '../../site/records/day.tsx';
import type { PagesAround } from '../../site/records/paging.ts';
import { Badge, Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { Awards } from '../awards/awards.tsx';
import { Markdown } from '../markdown.tsx';
import { Conversation, mayComment } from '../notes/conversation.tsx';
import type { TypedBelow } from '../notes/host.ts';
import type { AroundThreads } from '../notes/page.ts';
import { snippetPath, type FoundSnippet, type ListedSnippet, type SnippetFile } from './snippets.ts';

export const mySnippetsPath = '/dashboard/snippets';
export const snippetsPath = (place: PlaceHead): string => below(place, '/snippets');
export const newSnippetPath = (place: PlaceHead | undefined): string =>
  place ? below(place, '/snippets/new') : '/-/snippets/new';

export interface AroundProps {
  readonly site: Site;
  /** The project that the page is below; undefined for personal snippets. */
  readonly place: PlaceHead | undefined;
  readonly title: string;
  /** Assets that the page of a project needs besides the common stylesheet. */
  readonly load?: readonly AssetName[];
}

/** The layout of the project, or that of pages outside of places. */
export function Around({ place, load, children, ...page }: AroundProps & { readonly children: ComponentChildren }) {
  return place ? (
    <PlaceLayout {...page} place={place} current="snippets" load={load ?? []}>
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
  readonly mayCreate: boolean;
  readonly pages: PagesAround;
}

/** The snippets of a project, or those of the visitor. */
export function SnippetList({ site, place, title, snippets, mayCreate, pages }: SnippetListProps) {
  return (
    <Around site={site} place={place} title={place ? `${title} · ${place.name}` : title}>
      <h1>{title}</h1>
      <p class="lead">A snippet is one or several files of text, beside any repository.</p>
      {mayCreate ? (
        <p class="decision">
          <a class="button primary" href={newSnippetPath(place)}>
            New snippet
          </a>
        </p>
      ) : (
        <WhyNone site={site} place={place} />
      )}
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

/** Why the viewer can't create one. */
export const whyNoSnippet = (place: PlaceHead | undefined): string => {
  if (!place) return 'External users create no snippets of their own.';
  return place.archived
    ? 'This project is archived, so its snippets can’t be changed.'
    : 'You need at least the Reporter role to create snippets in this project.';
};

const WhyNone = ({ site, place }: Pick<AroundProps, 'site' | 'place'>) => (
  <p class="hint">
    {site.visitor ? (
      whyNoSnippet(place)
    ) : (
      <>
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to create a snippet.
      </>
    )}
  </p>
);

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

interface SnippetPageProps extends Omit<AroundProps, 'title' | 'load'>, AroundThreads {
  readonly snippet: FoundSnippet;
  readonly files: readonly ShownFile[];
  /** Whether a script follows the links to comments that the page leaves out. */
  readonly scripts: boolean;
  readonly typed?: TypedBelow | undefined;
}

/** A snippet with its files; of a project, with what people said about it. */
export function SnippetPage(props: SnippetPageProps) {
  const { site, place, snippet, files, scripts, typed } = props;
  const { id, title, description, descriptionHtml } = snippet;
  const list = place ? snippetsPath(place) : site.visitor && mySnippetsPath;
  return (
    <Around
      site={site}
      place={place}
      title={`${typed ? 'Error: ' : ''}${title} ($${id})`}
      load={scripts ? ['comments.js'] : []}
    >
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
      {snippet.userPermissions.updateSnippet && !place?.archived && (
        <div class="decision">
          <a class="button" href={snippetPath(snippet, '/edit')}>
            Edit
          </a>
          <a class="button danger" href={snippetPath(snippet, '/delete')}>
            Delete
          </a>
        </div>
      )}
      {description && descriptionHtml && (
        <section class="described" aria-label="Description">
          <Markdown html={descriptionHtml} />
        </section>
      )}
      <h2>{files.length === 1 ? '1 file' : `${files.length} files`}</h2>
      {files.map((file, index) => (
        <File file={file} anchor={`file-${index + 1}`} prefix={index === 0 ? '' : `file-${index + 1}-`} />
      ))}
      {place && <Discussion {...props} place={place} />}
    </Around>
  );
}

/** Emoji for a snippet of a project, and comments on it. */
function Discussion({ site, place, snippet, earlier, later, typed }: SnippetPageProps & { readonly place: PlaceHead }) {
  const of = {
    path: snippetPath(snippet),
    threads: snippet.discussions.nodes,
    userPermissions: snippet.userPermissions,
    isSimple: true,
    hint: 'As Markdown.',
  };
  return (
    <>
      <Awards
        site={site}
        awards={snippet.awardEmoji.nodes}
        of="the snippet"
        action={snippetPath(snippet, '/award')}
        mayAward={mayComment(site, place, of)}
        draft={typed?.award}
      />
      <Conversation site={site} place={place} of={of} earlier={earlier} later={later} draft={typed?.comment} />
    </>
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
