import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { plainGit } from '../git/support/engine.ts';
import { clone, gitUrl, workTree } from './support/clone.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens } = gateway;
const token = tokens.maintainer;

describe('a new project', () => {
  test('is cloned empty, and filled by the first push', async () => {
    const project = await newProject(gateway);
    const url = gitUrl(gateway, project, token);
    const empty = await clone(url);
    expect(empty).toMatchObject({
      code: 0,
      text: expect.stringContaining('You appear to have cloned an empty repository'),
    });
    const { commit, push } = workTree(url);
    const tip = commit('a.txt');
    const pushed = await push('main');
    expect(pushed, pushed.text).toMatchObject({ code: 0 });
    const full = await clone(url);
    expect(full).toMatchObject({ code: 0 });
    expect(plainGit(full.folder, ['rev-parse', 'HEAD'])).toBe(tip);
    const { body } = await rest('GET', `${project.path}/repository/commits/main`, { token });
    expect(body).toMatchObject({ id: tip, title: 'Add a.txt' });
  });
});
