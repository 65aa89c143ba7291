import { readPublicKey } from '../../../auth/index.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { changeKey, insertKey } from './statements.ts';

importing('sshKeys', {
  description: 'Imports the SSH keys of people.',
  keeps: 'ssh_keys',
  record: (t) => ({
    personKey: t.string({ required: true }),
    title: t.string({ required: true }),
    text: t.string({ required: true, description: 'As in `authorized_keys`.' }),
    usage: t.string({ description: '`auth`, `signing` or `auth_and_signing`.' }),
    createdAt: t.field({ type: 'Time', required: true }),
    expiresAt: t.field({ type: 'Time' }),
  }),
  refersTo: ({ personKey }) => [['people', personKey]],
  examine: async (batch, { personKey, text }) => {
    const personId = batch.localOf('people', personKey);
    if (personId === undefined && !batch.dryRun) throw new NotTaken('Its person wasn’t imported.');
    const read = await readPublicKey(text);
    if (!('sha256' in read)) throw new NotTaken(`The key ${read.key.join(', ')}.`);
    return { personId: personId ?? 0, ...read };
  },
  store: async ({ sql, keptId }, given, { personId, key, sha256, md5 }, known) => {
    const usage = (given.usage ?? 'auth_and_signing').toUpperCase();
    const title = given.title.slice(0, 255);
    const expiresAt = given.expiresAt ?? null;
    if (known !== undefined) {
      await sql.rows(changeKey, [known, title, usage, expiresAt]);
      return known;
    }
    const [made] = await sql.rows(insertKey, [
      personId,
      title,
      key,
      sha256,
      md5,
      usage,
      given.createdAt,
      expiresAt,
      keptId(given.key),
    ]);
    if (!made) throw new NotTaken('Another person has this key.');
    return made.id;
  },
});
