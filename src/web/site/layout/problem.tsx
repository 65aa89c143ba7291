import { comingBackTo, signInPath } from '../return-to.ts';
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
  /** Whether people who sign in may see more. */
  readonly signIn?: boolean;
}

/** A page that explains an error. */
export function Problem({
  site,
  title,
  says,
  requestId,
  again,
  linkLabel = 'Start again',
  signIn = false,
}: ProblemProps) {
  const { within } = site;
  return (
    <Layout site={site} title={title}>
      <h1>{title}</h1>
      <p class="lead">{says}</p>
      {requestId && (
        <p>
          If you report this to the operator, include the request id: <code>{requestId}</code>
        </p>
      )}
      <p class="ways">
        {again ? (
          <a href={again}>{linkLabel}</a>
        ) : within ? (
          <a href={within.path}>
            Go to <bdi>{within.name}</bdi>
          </a>
        ) : (
          <a href="/">Go to the start page</a>
        )}
        {signIn && <a href={comingBackTo(signInPath, site.path)}>Sign in</a>}
      </p>
    </Layout>
  );
}
