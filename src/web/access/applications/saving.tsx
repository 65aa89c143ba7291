import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation, type Operation } from '../../../operation.ts';
import { readQuery, ticked, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import type { ShownOnce } from '../../site/forms/shown-once.tsx';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { ApplicationForm, type Draft, type Offer, type Place } from './form.tsx';
import { kindNamed, kindOf } from './kinds.ts';
import type { Application, NewSecretData } from './view.tsx';

/** What a mutation answers that saves an application. */
export interface SavedApplication {
  readonly application: Application;
  readonly secret: string | null;
}

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  redirectUris: 'Redirect URI',
  scopes: 'Scopes',
  grants: 'Grants',
};

interface Saving {
  /** Where the form stands. */
  readonly place: Place;
  /** What the application has already: it can be chosen again. */
  readonly had?: Pick<Draft, 'scopes' | 'grants'>;
  readonly write: (input: object) => Promise<{ readonly saved: SavedApplication }>;
  readonly answer: (saved: SavedApplication) => Answer | Promise<Answer>;
}

interface Registration {
  readonly place: Place;
  /** The name in the access log. */
  readonly name: string;
  /** The title of the page that shows the secret. */
  readonly title: string;
  readonly register: Operation<{ saved: SavedApplication }>;
  readonly shown: ShownOnce<NewSecretData>;
  readonly addressOf: (application: Application) => string;
}

const nothing = { scopes: [], grants: [] };

/** The form of an application: empty for a kind, filled in, and saved or shown again with its errors. */
export function applicationForms(schema: GraphQLSchema) {
  const offered = compileOperation<{ authorizationServer: Offer }>(
    schema,
    'query { authorizationServer { scopes: scopesSupported grants: grantTypesSupported } }',
  );
  const defaults = compileOperation<{ newApplication: Pick<Draft, 'scopes' | 'grants'> }>(
    schema,
    'query { newApplication { scopes grants } }',
  );

  /**
   * The scopes and grants to choose from. They include those that the application has but the server no longer offers:
   * saving the form must not remove them.
   */
  async function offerOf({ context }: Visit, had: Pick<Draft, 'scopes' | 'grants'> = nothing): Promise<Offer> {
    const { scopes, grants } = (await offered.execute(context, {})).authorizationServer;
    return { scopes: [...new Set([...scopes, ...had.scopes])], grants: [...new Set([...grants, ...had.grants])] };
  }

  /** The form of an application that isn't there yet. The address may name its kind; else the instance's defaults apply. */
  async function blank(visit: Visit, place: Place): Promise<Answer> {
    const named = readQuery(visit.exchange).kind;
    const kind = kindNamed(named);
    const offer = await offerOf(visit);
    const preset = (await defaults.execute(visit.context, {})).newApplication;
    const { confidential, grants } = kindOf(kind);
    const draft = {
      name: '',
      redirectUris: '',
      confidential,
      scopes: preset.scopes,
      grants: named === undefined ? preset.grants : grants.filter((grant) => offer.grants.includes(grant)),
    };
    return toAnswer(<ApplicationForm site={visit.site} place={place} draft={draft} offer={offer} kind={kind} />);
  }

  /** Saves a form, or shows it again with error messages. */
  async function save(visit: Visit, form: Fields, { place, had, write, answer }: Saving): Promise<Answer> {
    const draft = toDraft(form);
    const entered = redirectUrisIn(draft.redirectUris);
    try {
      return await answer((await write({ ...draft, redirectUris: entered.map(({ uri }) => uri) })).saved);
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      const errors = Object.fromEntries(
        Object.entries(problem.fields).map(([field, messages]) => [
          field,
          // Of several redirect URIs, each message names the line.
          messages.flatMap((message, index) => {
            const line = entered.length > 1 && entered[problem.entries[field]?.[index] ?? -1]?.line;
            return sentences(`${line ? `Line ${line}: ` : ''}${labels[field] ?? field}`, [message]);
          }),
        ]),
      );
      const offer = await offerOf(visit, had);
      const kind = place.isNew ? kindNamed(form.kind) : undefined;
      return toAnswer(
        <ApplicationForm site={visit.site} place={place} draft={draft} offer={offer} kind={kind} errors={errors} />,
        422,
      );
    }
  }

  return {
    save,

    /** The page that registers an application, and shows its secret once. */
    registration({ place, name, title, register, shown, addressOf }: Registration): PageRoute {
      return {
        path: place.action,
        name,
        once: shown.path,
        async get(visit) {
          register.admit(visit.context);
          return await blank(visit, place);
        },
        post: (visit, form) =>
          save(visit, form, {
            place,
            write: (input) => register.execute(visit.context, { input }),
            answer: ({ application, secret }) =>
              secret
                ? shown.keep(visit, form, { title, application, secret })
                : seeOtherSaying('application_registered', addressOf(application), visit),
          }),
      };
    },

    async filled(visit: Visit, place: Place, application: Application): Promise<Answer> {
      const draft = { ...application, redirectUris: application.redirectUris.join('\n') };
      const offer = await offerOf(visit, application);
      return toAnswer(<ApplicationForm site={visit.site} place={place} draft={draft} offer={offer} />);
    },
  };
}

/** Redirect URIs as typed, each with the number of its line. */
const redirectUrisIn = (typed: string): { readonly uri: string; readonly line: number }[] =>
  typed
    .split(/\r\n|[\r\n]/)
    .flatMap((text, index) => (text.match(/\S+/g) ?? []).map((uri) => ({ uri, line: index + 1 })));

function toDraft(form: Fields): Draft {
  return {
    name: form.name ?? '',
    redirectUris: form.redirect_uris ?? '',
    scopes: ticked(form, 'scope.'),
    grants: ticked(form, 'grant.'),
    confidential: form.confidential !== 'no',
  };
}
