import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { Answer } from '../../../http/index.ts';
import { toAnswer } from '../../site/layout/page.ts';
import {
  NewRecoveryCodes,
  type NewCodesData,
  SecondFactorPage,
  SetUpSecondFactor,
  TurnOffSecondFactor,
  type SecondFactor,
  type Seed,
} from './view.tsx';
import { secondFactorPath } from '../../site/return-to.ts';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { passkeyPages } from './passkeys-controller.tsx';
import type { Passkey } from './passkeys.tsx';

/** Pages of two-factor authentication: setting it up, its recovery codes, and disabling it. */
export function secondFactorPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const find = compile<{ secondFactor: SecondFactor | null; passkeys: readonly Passkey[] }>(
    'query { secondFactor { enabledAt app recoveryCodesLeft } passkeys { id name backedUp createdAt lastUsedAt } }',
  );
  const begin = compile<object>('mutation { beginSecondFactor }');
  const findSeed = compile<{ seed: Seed | null }>('query { seed: secondFactorSeed { seed link } }');
  const enable = compile<{ made: { recoveryCodes: string[] } }>(
    'mutation ($input: EnableSecondFactorInput!) { made: enableSecondFactor(input: $input) { recoveryCodes } }',
  );
  const renew = compile<{ made: { recoveryCodes: string[] } }>(
    'mutation { made: renewRecoveryCodes { recoveryCodes } }',
  );
  const disable = compile<object>('mutation { disableSecondFactor { user { username } } }');

  /** The QR code and its form, until a code confirms it. */
  async function setUp({ site, context }: Visit, errors?: string[]): Promise<Answer> {
    const { seed } = await findSeed.execute(context, {});
    if (!seed) return seeOther(secondFactorPath);
    return toAnswer(<SetUpSecondFactor site={site} seed={seed} errors={errors} />, errors ? 422 : 200, {
      scripts: true,
    });
  }

  const shown = shownOnce<NewCodesData>({
    path: `${secondFactorPath}/codes`,
    name: 'new recovery codes',
    section: secondFactorPath,
    what: 'The list of codes',
    onward: { path: secondFactorPath, label: 'Go to two-factor authentication' },
    show: (site, data) => <NewRecoveryCodes site={site} {...data} />,
  });

  return [
    shown.page,
    ...passkeyPages(schema, shown),
    {
      path: secondFactorPath,
      name: 'second factor',
      withoutSecondFactor: true,
      get: async ({ site, context }) => toAnswer(<SecondFactorPage site={site} {...await find.execute(context, {})} />),
      async post({ context }) {
        if (!(await find.execute(context, {})).secondFactor?.app) await begin.execute(context, {});
        return seeOther(`${secondFactorPath}/new`);
      },
    },
    {
      path: `${secondFactorPath}/new`,
      name: 'second factor',
      withoutSecondFactor: true,
      once: shown.path,
      get: (visit) => setUp(visit),
      async post(visit, form) {
        const { code = '' } = form;
        try {
          const { made } = await enable.execute(visit.context, { input: { code } });
          return await shown.keep(visit, form, {
            title: 'Two-factor authentication is enabled',
            codes: made.recoveryCodes,
          });
        } catch (problem) {
          if (problem instanceof InvalidFields) return await setUp(visit, sentences('The code', problem.fields.code));
          throw problem;
        }
      },
    },
    {
      path: `${secondFactorPath}/recovery_codes`,
      name: 'recovery codes',
      once: shown.path,
      get: () => seeOther(secondFactorPath),
      async post(visit, form) {
        const { made } = await renew.execute(visit.context, {});
        return await shown.keep(visit, form, { title: 'You have new recovery codes', codes: made.recoveryCodes });
      },
    },
    {
      path: `${secondFactorPath}/turn_off`,
      name: 'turn off second factor',
      async get({ site, context }) {
        disable.admit(context);
        const { secondFactor } = await find.execute(context, {});
        return secondFactor ? toAnswer(<TurnOffSecondFactor site={site} />) : seeOther(secondFactorPath);
      },
      async post(visit) {
        await disable.execute(visit.context, {});
        return seeOtherSaying('second_factor_off', secondFactorPath, visit);
      },
    },
  ];
}
