import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { identify, idOf } from '../../engine/global-id.ts';
import { keptMail, keptMails, type KeptMailRow, type WholeMailRow } from './statements.ts';

/** The inbox of a gateway on one's own machine, which keeps messages because there is no mail server. */

/** @throws Forbidden; NotFound where messages aren't kept */
function requireInbox(context: Context): void {
  requireAdministrator(context);
  if (!context.mail.keeps) throw new NotFound('Inbox');
}

const KeptMail = builder.objectRef<KeptMailRow & Partial<WholeMailRow>>('KeptMail').implement({
  description: 'A message that was kept instead of being sent. Security mail has no links in it.',
  fields: (t) => ({
    at: t.expose('at', { type: 'Time' }),
    kind: t.exposeString('kind'),
    recipient: t.exposeString('recipient', { description: 'The address that it was to.' }),
    subject: t.exposeString('subject'),
    headers: t.stringList({
      description: 'Like `X-GitLab-Project: shop`. Empty in the list.',
      resolve: ({ headers = {} }) =>
        Object.entries(headers).flatMap(([name, value]) =>
          (Array.isArray(value) ? value : [value]).map(
            (one) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`,
          ),
        ),
    }),
    text: t.string({ description: 'Empty in the list.', resolve: ({ text }) => text ?? '' }),
    html: t.string({ description: 'Empty in the list.', resolve: ({ html }) => html ?? '' }),
  }),
});
identify(KeptMail, 'KeptMail');

const admission = { class: 'session', recent: true } as const;

builder.queryFields((t) => ({
  keptMails: t.field({
    type: [KeptMail],
    nullable: true,
    description: 'The messages that were kept, the newest first. For administrators.',
    admission,
    resolve: (_root, _args, context) => {
      requireInbox(context);
      return context.database.rows(keptMails, []);
    },
  }),
  keptMail: t.field({
    type: KeptMail,
    nullable: true,
    description: 'A message that was kept. For administrators.',
    admission,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      requireInbox(context);
      const [mail] = await context.database.rows(keptMail, [idOf(id, 'KeptMail')]);
      if (!mail) throw new NotFound('Message');
      return mail;
    },
  }),
}));
