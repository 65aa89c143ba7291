import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import type { Entrance } from '../sign-in/view.tsx';
import { NoSignUp, SignUp, signUpPath } from './view.tsx';
import { signInPath } from '../../site/return-to.ts';
import { anonymousPage } from '../../site/anonymous-page.ts';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

/** The names of the fields on the page. */
const labels: Readonly<Record<string, string>> = {
  username: 'The username',
  name: 'The name',
  email: 'The address',
  password: 'The password',
};

/** The registration page, where sign-up is enabled. */
export function signUpPages(schema: GraphQLSchema): PageRoute[] {
  const entrance = compileOperation<{ entrance: Entrance & { readonly approval: boolean } }>(
    schema,
    'query { entrance { signUp approval mail greeting } }',
  );
  const signUp = compileOperation<object>(schema, 'mutation ($input: SignUpInput!) { signUp(input: $input) }');

  async function ask(
    visit: Visit,
    { username = '', name = '', email = '' }: Fields,
    errors?: Record<string, string[]>,
  ): Promise<Answer> {
    const { site, context } = visit;
    const { signUp: offered, approval } = (await entrance.execute(context, {})).entrance;
    if (!offered) return toAnswer(<NoSignUp site={site} />, 403);
    const shown = { site, approval, draft: { username, name, email }, ...(errors && { errors }) };
    return anonymousPage(visit, (csrf) => <SignUp {...shown} csrf={csrf} />, errors ? 422 : 200, {
      scripts: true,
    });
  }

  return [
    {
      path: signUpPath,
      name: 'sign up',
      anonymous: true,
      countsAsGuess: true,
      get: (visit) => (visit.site.visitor ? seeOther('/') : ask(visit, {})),
      async post(visit, fields) {
        const { username = '', name = '', email = '', password = '' } = fields;
        try {
          await signUp.execute(visit.context, { input: { username, name, email, password } });
          const { approval } = (await entrance.execute(visit.context, {})).entrance;
          return seeOtherSaying(approval ? 'signed_up_pending' : 'signed_up', signInPath, visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const errors = Object.entries(problem.fields).map(([field, said]) => [
            field,
            sentences(labels[field]!, said),
          ]);
          return await ask(visit, fields, Object.fromEntries(errors));
        }
      },
    },
  ];
}
