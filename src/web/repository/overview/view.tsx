import { tokensPath } from '../../access/personal-access-tokens/view.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { branchesPath, codePath, tagsPath, type CodeOf } from '../code/addresses.ts';
import { LastCommit } from '../code/commit-line.tsx';
import { Entries } from '../files/entries.tsx';
import { ReadmePanel } from '../files/readme.tsx';
import type { CodeOverview } from './read.ts';

interface CodePanelProps {
  readonly site: Site;
  readonly place: CodeOf;
  readonly code: CodeOverview;
  /** Whether the role of the viewer lets them write to it. */
  readonly writes: boolean;
}

/** The files of the default branch on the page of a project, or how to begin. */
export function CodePanel({ site, place, code, writes }: CodePanelProps) {
  const { rootRef, folder } = code;
  if (rootRef === null) return <EmptyRepository site={site} place={place} code={code} writes={writes} />;
  return (
    <section class="code-overview" aria-labelledby="code">
      <div class="panel-head">
        <h2 id="code">Files</h2>
        <span class="file-ways">
          <a href={codePath(place, 'tree', rootRef)}>
            Branch <bdi>{rootRef}</bdi>
          </a>
          <a href={branchesPath(place)}>Branches</a>
          <a href={tagsPath(place)}>Tags</a>
        </span>
      </div>
      <CloneAddress site={site} place={place} code={code} />
      {folder === null ? (
        <p class="empty">The files can’t be shown now.</p>
      ) : (
        <>
          <div class="folder">
            <div class="folder-head">
              {folder.lastCommit && <LastCommit of={place} commit={folder.lastCommit} />}
              <a href={codePath(place, 'commits', rootRef)}>History</a>
            </div>
            {folder.entries.nodes.length === 0 ? (
              <p class="empty">There is no file.</p>
            ) : (
              <Entries of={place} at={{ ref: rootRef, path: '' }} entries={folder.entries.nodes} />
            )}
          </div>
          {folder.entries.pageInfo.hasNextPage && (
            <p>
              <a href={codePath(place, 'tree', rootRef)}>All files</a>
            </p>
          )}
          {folder.readme && <ReadmePanel of={place} at={rootRef} file={folder.readme} />}
        </>
      )}
    </section>
  );
}

const cloneAddress = ({ baseUrl }: Site, { fullPath }: CodeOf) => `${baseUrl}/${fullPath}.git`;

function CloneAddress({ site, place, code: { overSsh } }: Pick<CodePanelProps, 'site' | 'place' | 'code'>) {
  const addresses = [overSsh && ['SSH', overSsh], ['HTTP', cloneAddress(site, place)]] as const;
  return (
    <>
      {addresses.map(
        (address) =>
          address && (
            <div class="field">
              <label>
                <span>Clone over {address[0]}</span>
                <input class="technical" type="text" value={address[1]} readOnly />
              </label>
            </div>
          ),
      )}
    </>
  );
}

/** What to do with a repository without a branch. */
function EmptyRepository({ site, place, code, writes }: CodePanelProps) {
  const { firstBranch, overSsh } = code;
  const address = overSsh ?? cloneAddress(site, place);
  const folder = place.fullPath.slice(place.fullPath.lastIndexOf('/') + 1);
  return (
    <section class="code-overview" aria-labelledby="code">
      <h2 id="code">The repository is empty</h2>
      <CloneAddress site={site} place={place} code={code} />
      {writes ? (
        <>
          {overSsh ? (
            <p>
              git takes one of <a href="/profile/keys">your SSH keys</a>. Over HTTP, it asks for your username, and for{' '}
              <TokenForGit /> as the password.
            </p>
          ) : (
            <p>
              git asks for your username, and for <TokenForGit /> as the password.
            </p>
          )}
          <Commands
            title="Begin a new repository"
            lines={[
              `git clone ${address}`,
              `cd ${folder}`,
              `git switch --create ${firstBranch}`,
              'touch README.md',
              'git add README.md',
              'git commit -m "Add a README"',
              `git push --set-upstream origin ${firstBranch}`,
            ]}
          />
          <Commands
            title="Push a folder"
            lines={[
              'cd existing_folder',
              `git init --initial-branch=${firstBranch}`,
              `git remote add origin ${address}`,
              'git add .',
              'git commit -m "Initial commit"',
              `git push --set-upstream origin ${firstBranch}`,
            ]}
          />
          <Commands
            title="Push a repository"
            lines={[
              'cd existing_repo',
              'git remote rename origin old-origin',
              `git remote add origin ${address}`,
              'git push --set-upstream origin --all',
              'git push --set-upstream origin --tags',
            ]}
          />
        </>
      ) : (
        <p>Nothing was pushed to it yet.</p>
      )}
    </section>
  );
}

/** Leads to the form of a token that pushes. */
const TokenForGit = () => (
  <>
    <a href={`${tokensPath}/new?name=git&scopes=write_repository`}>an access token</a> with the scope{' '}
    <code>write_repository</code>
  </>
);

export function Commands({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <>
      <h3>{title}</h3>
      <pre class="command" tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
}
