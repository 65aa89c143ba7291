import { Layout, type Site } from './layout.tsx';

interface ProblemProps {
  readonly site: Site;
  readonly title: string;
  readonly says: string;
  /** By which the operator finds the request in the log. */
  readonly requestId?: string;
  /** Where to begin anew. */
  readonly again?: string;
  /** What the link there says. */
  readonly onward?: string;
}

/** A page that isn't the one asked for, and says why. */
export function Problem({ site, title, says, requestId, again, onward = 'Begin anew' }: ProblemProps) {
  return (
    <Layout site={site} title={title}>
      <h1>{title}</h1>
      <p class="lead">{says}</p>
      {requestId && (
        <p>
          If you tell the operator, name this request: <code>{requestId}</code>
        </p>
      )}
      <p>
        <a href={again ?? '/'}>{again ? onward : 'Go to the start page'}</a>
      </p>
    </Layout>
  );
}
