import type { TestGateway } from '../../support/gateway.ts';

let made = 0;

/** A new project of the maintainer, in a namespace of their own. @returns its number and its path in the API */
export async function newProject(
  { rest, tokens }: TestGateway,
  attributes: Record<string, unknown> = {},
): Promise<{ id: number; path: string; fullPath: string }> {
  const name = `code-${++made}`;
  const { status, body } = await rest('POST', '/api/v4/projects', {
    token: tokens.maintainer,
    json: { name, ...attributes },
  });
  if (status !== 201) throw new Error(`No project: ${status} ${JSON.stringify(body)}`);
  const { id, path_with_namespace: fullPath } = body as { id: number; path_with_namespace: string };
  return { id, path: `/api/v4/projects/${id}`, fullPath };
}
