import { expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newProject } from './support/project.ts';

/** The first write gives the folder of repositories and the database their mark, also if others write at the same moment. */
test('the first commits of an instance, all at once through two gateways, are all made', async () => {
  const one = await testGateway();
  const other = await testGateway({}, one);
  const token = one.tokens.maintainer;
  const projects = await Promise.all(Array.from({ length: 16 }, () => newProject(one)));
  const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }];
  const answers = await Promise.all(
    projects.map(({ id }, turn) =>
      (turn % 2 === 0 ? one : other).rest('POST', `/api/v4/projects/${id}/repository/commits`, {
        token,
        json: { branch: 'main', commit_message: 'First', actions },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(projects.map(() => 201));
});
