import { storedToken } from './token.ts';

interface Parameters {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

/**
 * Posts an operation to the path of this page.
 * @throws Error when what comes back isn't a GraphQL answer
 */
export async function execute(parameters: Parameters) {
  // The schema is there for everyone; a token that has expired shouldn't hide it.
  const token = parameters.operationName === 'IntrospectionQuery' ? '' : storedToken();
  const response = await fetch(location.pathname, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(parameters),
  });
  if (!/json/.test(response.headers.get('content-type') ?? '')) {
    throw new Error(`The gateway answered with ${response.status} ${response.statusText}.`);
  }
  return await response.json();
}
