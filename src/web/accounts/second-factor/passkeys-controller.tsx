import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { header, type Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { deviceName } from '../../site/records/device-name.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { secondFactorPath } from '../../site/return-to.ts';
import type { ShownOnce } from '../../site/forms/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { NewPasskey, passkeysPath, type Passkey } from './passkeys.tsx';
import type { NewCodesData } from './view.tsx';

type Mistakes = { readonly name?: readonly string[]; readonly passkey?: readonly string[] };

/** Pages to add and remove passkeys. @param shown the page with new recovery codes, which the first one needs */
export function passkeyPages(schema: GraphQLSchema, shown: ShownOnce<NewCodesData>): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const creation = compile<{ passkeyCreation: string | null; secondFactor: object | null }>(
    'query { passkeyCreation secondFactor { app } }',
  );
  const list = compile<{ passkeys: readonly Passkey[]; secondFactor: { app: boolean } | null }>(
    'query { passkeys { id name } secondFactor { app } }',
  );
  const add = compile<{ added: { recoveryCodes: string[] | null } }>(
    'mutation ($input: AddPasskeyInput!) { added: addPasskey(input: $input) { recoveryCodes } }',
  );
  const remove = compile<{ removed: { last: boolean } }>(
    'mutation ($input: RemovePasskeyInput!) { removed: removePasskey(input: $input) { last } }',
  );

  /** The form; the browser makes the passkey. */
  async function offer({ site, context, exchange }: Visit, typed?: string, errors?: Mistakes): Promise<Answer> {
    const { passkeyCreation: options, secondFactor } = await creation.execute(context, {});
    if (options === null) return seeOther(secondFactorPath);
    const name = typed ?? deviceName(header(exchange, 'user-agent') ?? '');
    const page = <NewPasskey site={site} options={options} name={name} first={secondFactor === null} errors={errors} />;
    return toAnswer(page, errors ? 422 : 200, { scripts: true });
  }

  return [
    {
      path: `${passkeysPath}/new`,
      name: 'new passkey',
      withoutSecondFactor: true,
      once: shown.path,
      get: (visit) => offer(visit),
      async post(visit, form) {
        const { name = '', passkey: answer = '' } = form;
        try {
          const { added } = await add.execute(visit.context, { input: { name, answer } });
          return added.recoveryCodes
            ? await shown.keep(visit, form, {
                title: 'Two-factor authentication is enabled',
                codes: added.recoveryCodes,
              })
            : seeOtherSaying('passkey_added', secondFactorPath, visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          return await offer(visit, name, {
            ...(problem.fields.name && { name: sentences('The name', problem.fields.name) }),
            ...(problem.fields.answer && { passkey: problem.fields.answer }),
          });
        }
      },
    },
    confirmPage({
      path: `${passkeysPath}/:id/remove`,
      name: 'remove passkey',
      section: secondFactorPath,
      async ask({ context, named }) {
        remove.admit(context);
        const { passkeys, secondFactor } = await list.execute(context, {});
        const passkey = passkeys.find(({ id }) => id === named.id);
        if (!passkey) return null;
        const last = passkeys.length === 1 && !secondFactor?.app;
        return {
          title: `Remove the passkey ${passkey.name}?`,
          says: last
            ? 'It is your only second factor: you then sign in with your password alone, and your recovery codes are deleted.'
            : 'It doesn’t sign you in any more. Remove it from your device or password manager too.',
          does: 'Remove',
          back: secondFactorPath,
        };
      },
      async act(visit) {
        const { removed } = await remove.execute(visit.context, { input: { id: visit.named.id } });
        return seeOtherSaying(removed.last ? 'second_factor_off' : 'passkey_removed', secondFactorPath, visit);
      },
    }),
  ];
}
