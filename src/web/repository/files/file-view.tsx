import type { ComponentChildren } from 'preact';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { codePath } from '../code/addresses.ts';
import { LastCommit, type ShownCommit } from '../code/commit-line.tsx';
import { CodeHeading, type RefNames } from '../code/heading.tsx';
import type { Located } from '../code/locate.ts';
import { sizeOf } from '../code/sizes.ts';
import { Lines } from './lines.tsx';
import { pictureType } from './raw.ts';
import { isRendered, RenderedText } from './readme.tsx';

/** A file as its page shows it. */
export interface ShownFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mode: string | null;
  /** Null if it is no text, or too long to be shown. */
  readonly rawTextBlob: string | null;
}

interface FilePageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly at: Located;
  readonly file: ShownFile;
  readonly lastCommit: ShownCommit | null;
  readonly refs: RefNames;
  /** Whether a text is shown as it was written, although it means something else. */
  readonly plain: boolean;
  /** Its lines as safe HTML. */
  readonly lines: readonly string[];
}

/** A file at a revision. */
export function FilePage(props: FilePageProps) {
  const { site, place, at, file, lastCommit, refs, plain } = props;
  const { ref, path } = at;
  const own = codePath(place, 'blob', ref, path);
  const isText = file.rawTextBlob !== null;
  return (
    <PlaceLayout site={site} place={place} title={`${path} at ${ref} · ${place.name}`} current="code">
      <h1 class="code-title">
        <bdi>{file.name}</bdi>
      </h1>
      <CodeHeading of={place} at={at} page="blob" refs={refs} />
      <div class="folder">
        <div class="folder-head">
          {lastCommit && <LastCommit of={place} commit={lastCommit} />}
          <a href={codePath(place, 'commits', ref, path)}>History</a>
        </div>
        <div class="folder-head">
          <span class="file-facts">
            {sizeOf(file.size)}
            {file.mode === '120000' && ', a symbolic link'}
            {file.mode === '100755' && ', executable'}
          </span>
          <span class="file-ways">
            {isText && isRendered(file) && (
              <a href={plain ? own : `${own}?plain=1`}>{plain ? 'As a text' : 'Source'}</a>
            )}
            {isText && <a href={codePath(place, 'blame', ref, path)}>Blame</a>}
            <a href={codePath(place, 'raw', ref, path)}>Raw</a>
            <a href={`${codePath(place, 'raw', ref, path)}?inline=false`} download={file.name}>
              Download
            </a>
          </span>
        </div>
        <Content {...props} />
      </div>
    </PlaceLayout>
  );
}

function Content({ place, at: { ref, path }, file, plain, lines }: FilePageProps): ComponentChildren {
  if (pictureType(file.name) !== undefined && file.size > 0)
    return (
      <p class="picture">
        <img src={codePath(place, 'raw', ref, path)} alt={file.name} />
      </p>
    );
  if (file.size === 0) return <p class="empty">The file is empty.</p>;
  if (file.rawTextBlob === null)
    return <p class="empty">This file can’t be shown here: it isn’t text, or it is too long.</p>;
  if (isRendered(file) && !plain)
    return (
      <div class="rendered">
        <h2 class="hidden">Text</h2>
        <RenderedText of={place} at={ref} file={file} />
      </div>
    );
  return <Lines lines={lines} name={file.name} />;
}
