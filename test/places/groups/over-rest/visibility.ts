import { beforeAll, describe, expect, test } from 'vitest';
import { call, gateway } from './firm.ts';

/** How visible groups may be, over REST. */
export function testsOfVisibility(): void {
  describe('a group or project is no more visible than the group it is in', () => {
    let internal: number;
    beforeAll(async () => {
      internal = (await call('POST', '/groups', { name: 'Inner', path: 'inner', visibility: 'internal' })).body
        .id as number;
    });

    test('when it is created', async () => {
      const group = await call('POST', '/groups', { name: 'x', path: 'x', parent_id: internal, visibility: 'public' });
      expect([group.status, group.body]).toEqual([
        400,
        {
          message:
            'Failed to save group {:visibility_level=>["public is not allowed since the parent group has a internal visibility."]}',
        },
      ]);
      const project = await call('POST', '/projects', { path: 'x', namespace_id: internal, visibility: 'public' });
      // That of a project is lowered instead.
      expect(project).toMatchObject({ status: 201, body: { visibility: 'internal' } });
      await call('PUT', '/projects/inner%2Fx', { visibility: 'private' });
      expect(
        (await call('POST', '/groups', { name: 'Fine', path: 'fine', parent_id: internal, visibility: 'internal' }))
          .status,
      ).toBe(201);
      expect(
        (await call('POST', '/projects', { path: 'fine-too', namespace_id: internal, visibility: 'internal' })).status,
      ).toBe(201);
    });

    test('when it is updated', async () => {
      const group = await call('PUT', '/groups/inner%2Ffine', { visibility: 'public' });
      expect([group.status, group.body]).toEqual([
        400,
        { message: { visibility_level: ['public is not allowed since the parent group has a internal visibility.'] } },
      ]);
      const project = await call('PUT', '/projects/inner%2Ffine-too', { visibility: 'public', description: 'x' });
      expect([project.status, project.body]).toEqual([
        400,
        { message: { visibility_level: ['public is not allowed in a internal group.'] } },
      ]);
      expect((await call('GET', '/projects/inner%2Ffine-too')).body).toMatchObject({
        visibility: 'internal',
        description: '',
      });
    });

    test('when the group is updated', async () => {
      const narrow = () => call('PUT', '/groups/inner', { visibility: 'private', description: 'x' });
      const refused = (text: string) => ({ status: 400, body: { message: { visibility_level: [text] } } });
      expect(await narrow()).toMatchObject(
        refused('private is not allowed since this group contains projects with higher visibility.'),
      );
      await call('PUT', '/projects/inner%2Ffine-too', { visibility: 'private' });
      expect(await narrow()).toMatchObject(
        refused('private is not allowed since there are sub-groups with higher visibility.'),
      );
      await call('PUT', '/groups/inner%2Ffine', { visibility: 'private' });
      expect(await narrow()).toMatchObject({ status: 200, body: { visibility: 'private', description: 'x' } });
    });

    test('when the group is updated while something is created in it', async () => {
      for (let round = 0; round < 5; round++) {
        const path = `race-${round}`;
        const { id } = (await call('POST', '/groups', { name: path, path, visibility: 'public' })).body as {
          id: number;
        };
        await Promise.all([
          call('POST', '/projects', { path: 'made', namespace_id: id, visibility: 'public' }),
          call('PUT', `/groups/${path}`, { visibility: 'private' }),
          call('POST', '/groups', { name: 'made', path: 'below', parent_id: id, visibility: 'public' }),
        ]);
        const wider = await gateway.sql(
          `select p.full_path from projects p join namespaces n on n.id = p.namespace_id where n.id = $1 and p.visibility > n.visibility
         union all select c.full_path from namespaces c join namespaces n on n.id = c.parent_id where n.id = $1 and c.visibility > n.visibility`,
          [id],
        );
        expect(wider).toEqual([]);
      }
    });

    test('and without a visibility gets the widest that the group allows', async () => {
      await call('POST', '/groups', { name: 'Closed', path: 'closed', visibility: 'private' });
      const { body } = await call('POST', '/projects/demo%2Fstorefront/fork', { namespace_path: 'closed' });
      expect(body).toMatchObject({ path_with_namespace: 'closed/storefront', visibility: 'private' });
    });
  });
}
