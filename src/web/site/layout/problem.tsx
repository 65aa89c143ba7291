import { Layout, type Site } from './layout.tsx';

interface ProblemProps {
  readonly site: Site;
  readonly title: string;
  readonly says: string;
  /** The id of the request in the log. */
  readonly requestId?: string;
  /** The address of the link to start again. */
  readonly again?: string;
  /** The text of that link. */
  readonly linkLabel?: string;
}

/** A page that explains an error. */
export function Problem({ site, title, says, requestId, again, linkLabel = 'Start again' }: ProblemProps) {
  return (
    <Layout site={site} title={title}>
      <h1>{title}</h1>
      <p class="lead">{says}</p>
      {requestId && (
        <p>
          If you report this to the operator, include the request id: <code>{requestId}</code>
        </p>
      )}
      <p>
        <a href={again ?? '/'}>{again ? linkLabel : 'Go to the start page'}</a>
      </p>
    </Layout>
  );
}
