import type { Operation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import type { AccountLayout } from '../../site/layout/sections.tsx';
import type { ShownOnce } from '../../site/forms/shown-once.tsx';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import type { Place } from './form.tsx';
import type { applicationForms, SavedApplication } from './saving.tsx';
import type { Application, NewSecretData } from './view.tsx';

/** Whose applications pages manage, and by which operations. */
export interface Managed {
  readonly Frame: typeof AccountLayout;
  /** The path of the section, above the pages of each application. */
  readonly section: string;
  /** The names of the pages in the access log. */
  readonly names: { readonly edit: string; readonly renew: string; readonly remove: string };
  /** Finds the application that the address names. @throws NotFound */
  readonly find: (visit: Visit) => Promise<Application>;
  readonly update: Operation<{ saved: SavedApplication }>;
  readonly renew: Operation<{ saved: SavedApplication }>;
  readonly remove: Operation<unknown>;
  /** The variables of these operations. @param input what the application is to be */
  readonly variables: (id: string, input?: object) => Record<string, unknown>;
  readonly shown: ShownOnce<NewSecretData>;
  readonly forms: ReturnType<typeof applicationForms>;
}

/** The pages that change an application, renew its secret, and delete it. */
export function managingPages(managed: Managed): PageRoute[] {
  const { Frame, section, names, find, update, renew, remove, variables, shown, forms } = managed;
  const addressOf = ({ id }: Pick<Application, 'id'>) => `${section}/${id}`;
  const editing = (application: Application): Place => ({
    Frame,
    section,
    action: `${addressOf(application)}/edit`,
    back: addressOf(application),
    title: `Edit ${application.name}`,
    isNew: false,
  });
  return [
    {
      path: `${section}/:id/edit`,
      name: names.edit,
      async get(visit) {
        update.admit(visit.context);
        const application = await find(visit);
        return await forms.filled(visit, editing(application), application);
      },
      async post(visit, form) {
        const before = await find(visit);
        return await forms.save(visit, form, {
          place: editing(before),
          had: before,
          write: (input) => update.execute(visit.context, variables(visit.named.id!, input)),
          answer: ({ application, secret }) =>
            secret
              ? shown.keep(visit, {}, { title: 'The application is now confidential', application, secret })
              : seeOtherSaying('application_saved', addressOf(application), visit),
        });
      },
    },
    confirmPage({
      path: `${section}/:id/renew`,
      name: names.renew,
      once: shown.path,
      section,
      async ask(visit) {
        renew.admit(visit.context);
        const application = await find(visit);
        if (!application.confidential) return null;
        return {
          title: `Renew the secret of ${application.name}?`,
          says: 'The old secret and all tokens issued with it stop working at once. People have to authorize the application again.',
          does: 'Renew the secret',
          back: addressOf(application),
        };
      },
      async act(visit, form) {
        const { application, secret } = (await renew.execute(visit.context, variables(visit.named.id!))).saved;
        return await shown.keep(visit, form, { title: 'The secret is renewed', application, secret: secret! });
      },
    }),
    confirmPage({
      path: `${section}/:id/delete`,
      name: names.remove,
      section,
      async ask(visit) {
        remove.admit(visit.context);
        const application = await find(visit);
        return {
          title: `Delete ${application.name}?`,
          says: 'All its tokens stop working at once. This can’t be undone.',
          does: 'Delete the application',
          back: addressOf(application),
        };
      },
      async act(visit) {
        await remove.execute(visit.context, variables(visit.named.id!));
        return seeOtherSaying('application_deleted', section, visit);
      },
    }),
  ];
}
