import type { TestGateway } from '../../support/gateway.ts';
import { newKey } from '../../ssh/support/gateway.ts';
import type { Code } from '../../repository/support/code.ts';
import { newReported } from './reports.ts';

/** Environments, deployments and deploy keys of all kinds, in a project that `fillWithCode` filled. @returns an environment, and a key */
export async function fillWithEnvironments(
  { rest, tokens }: TestGateway,
  { path }: Code,
): Promise<{ environment: number; key: number }> {
  const token = tokens.maintainer;
  const send = async (method: 'GET' | 'POST', to: string, json?: object) => {
    const { status, body, text } = await rest(method, `${path}/${to}`, { token, ...(json && { json }) });
    if (status >= 300) throw new Error(`${to}: ${status} ${text}`);
    return body as { readonly id: number; readonly environment: { readonly id: number } };
  };
  const { id: sha } = await send('GET', 'repository/commits/main');
  const name = 'review/a-branch-with-a-name-that-is-long-enough-to-need-several-lines-on-a-phone';
  await send('POST', 'environments', {
    name,
    external_url: 'https://a-branch-with-a-name-that-is-long-enough-to-need-several-lines.example.com/harbour',
  });
  await send('POST', 'environments', { name: 'staging', description: 'Where we look at it first.' });
  const deployed = { environment: 'production', sha, ref: 'main', tag: false };
  for (const status of ['failed', 'success', 'canceled', 'running'])
    await send('POST', 'deployments', { ...deployed, status });
  const { environment } = await send('POST', 'deployments', { ...deployed, environment: 'gone', status: 'success' });
  await send('POST', `environments/${environment.id}/stop`);
  let key = 0;
  for (const [title, can_push] of [
    ['Build machine in the harbour, behind the third crane', false],
    ['Mirror', true],
  ] as const)
    key = (await send('POST', 'deploy_keys', { title, can_push, key: newKey().public })).id;
  const last = await send('POST', 'deployments', { ...deployed, status: 'success' });
  return { environment: last.environment.id, key };
}

/** A project, and requests about its environments: the maintainer reads, a developer writes. */
export async function newEnvironments(gateway: TestGateway) {
  const { rest, tokens } = gateway;
  const { maintainer, developer } = tokens;
  const project = await newReported(gateway);
  return {
    project,
    make: (json: Record<string, unknown>, { on = project, as = developer } = {}) =>
      rest('POST', `${on.path}/environments`, { token: as, json }),
    get: (id: number, on = project) => rest('GET', `${on.path}/environments/${id}`, { token: maintainer }),
    put: (id: number, json: Record<string, unknown>) =>
      rest('PUT', `${project.path}/environments/${id}`, { token: developer, json }),
    stop: (id: number, json = {}) =>
      rest('POST', `${project.path}/environments/${id}/stop`, { token: developer, json }),
  };
}
