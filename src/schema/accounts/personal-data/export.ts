import type { Context } from '../../../context.ts';
import type { Prisma } from '../../../database/client/whole/client.ts';
import { NotFound } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { currentKind } from '../../../values/kinds/audit-kinds.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { reference } from '../../engine/global-id.ts';
import { engineOf, signedIn } from '../../access/oauth/engine.ts';
import { existingUser } from '../users/find.ts';
import { userById } from '../users/read.ts';
import { UserCore } from '../users/types.ts';
import { stored, storedActivity, storedEvents, withheld } from './stored/index.ts';

interface Exported {
  readonly userId: number;
  readonly document: string;
}

const ExportPayload = builder.objectRef<Exported>('ExportPersonalDataPayload').implement({
  fields: (t) => ({
    user: t.field({
      type: UserCore,
      resolve: async ({ userId }, _args, context) => (await userById(context, userId))!,
    }),
    document: t.exposeString('document', {
      description: 'Everything, as JSON: tables by name, and what is left out, with the reasons.',
    }),
  }),
});

builder.mutationField('exportPersonalData', (t) =>
  t.field({
    type: ExportPayload,
    nullable: true,
    description: 'Everything that is stored about you; for administrators, about any person.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ExportPersonalDataInput', {
          fields: (field) => ({ userId: field.id({ description: 'Omitted: yourself.' }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const userId = await subject(context, input.userId);
      const document = await exportOf(context, userId);
      await audit(engineOf(context), {
        kind: 'personal_data_exported',
        actorId: context.viewer.person?.id ?? null,
        userId,
      });
      return { userId, document };
    },
  }),
);

async function subject(context: Context, given: string | null | undefined): Promise<number> {
  if (given == null) return signedIn(context).id;
  if (reference(given, 'User').value !== context.viewer.person?.id) requireAdministrator(context);
  return (await existingUser(context, given)).id;
}

/** Reads table after table, so that a large export doesn't use up the connection pool. */
async function exportOf({ database, baseUrl }: Context, userId: number): Promise<string> {
  const prisma = await database.wholePrisma();
  const user: Record<string, unknown> = {};
  for (const select of parts) {
    const part = await prisma.user.findUnique({ where: { id: userId }, select });
    // Removed by a concurrent request.
    if (!part) throw new NotFound('User');
    Object.assign(user, part);
  }
  const auditEvents = await prisma.auditEvent.findMany({
    where: { OR: [{ userId }, { actorId: userId }] },
    orderBy: { id: 'asc' },
    select: storedEvents,
  });
  const events = auditEvents.map((event) => ({
    ...event,
    kind: currentKind(event.kind),
    // The address of another actor is that person's personal data.
    address: event.actorId === null || event.actorId === userId ? event.address : null,
  }));
  const activity = await prisma.event.findMany({
    where: { actorId: userId },
    orderBy: { id: 'asc' },
    select: storedActivity,
  });
  const document = { exportedAt: new Date(), from: baseUrl, user, auditEvents: events, activity, leftOut: withheld };
  return JSON.stringify(document, (_key, value: unknown) => inJson(value), 2);
}

function inJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  // Ids of audit events may exceed what JSON numbers hold exactly.
  return typeof value === 'bigint' ? String(value) : value;
}

const isColumn = ([, chosen]: [string, unknown]) => chosen === true;

/** The person's own columns, then each table that belongs to them. */
const parts: readonly Prisma.UserSelect[] = [
  Object.fromEntries(Object.entries(stored).filter(isColumn)),
  ...Object.entries(stored)
    .filter((part) => !isColumn(part))
    .map((table) => Object.fromEntries([table])),
];
