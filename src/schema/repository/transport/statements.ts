import { statement } from '../../../database/index.ts';

/** How git reaches the projects of the tree that a project is in: `http`, `ssh`, or null for both. $1 project. */
export const findProtocol = statement<{ protocol: 'http' | 'ssh' | 'all' | null }>(
  'find_git_protocol_of_project',
  `select root.attributes->>'enabledGitAccessProtocol' as protocol
     from projects p join namespaces n on n.id = p.namespace_id join namespaces root on root.id = n.ancestry[1]
    where p.id = $1::int`,
);
