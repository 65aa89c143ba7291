import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { orNull } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { allSentences } from '../../site/words.ts';
import { emptyDraft, KeyList, sshKeysPath, type KeyDraft, type ShownKey } from './view.tsx';

/** Keys on a page. */
const size = 50;

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = { key: 'The key', title: 'The title', expiresAt: 'The expiry' };

/** A person's own SSH keys: adding and removing them. */
export function sshKeyPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const fields = 'id: databaseId title key fingerprintSha256 usageType createdAt expiresAt lastUsedAt';
  const list = compile<{ keys: { nodes: ShownKey[] } & { pageInfo: PageInfo } }>(
    `query ($first: Int, $after: String, $last: Int, $before: String) {
      keys: sshKeys(first: $first, after: $after, last: $last, before: $before) { nodes { ${fields} } ${pageInfoFields} }
    }`,
  );
  const find = compile<{ sshKey: ShownKey }>(`query ($id: ID!) { sshKey(id: $id) { ${fields} } }`);
  const add = compile<object>('mutation ($input: AddSshKeyInput!) { addSshKey(input: $input) { sshKey { title } } }');
  const remove = compile<object>(
    'mutation ($input: RemoveSshKeyInput!) { removeSshKey(input: $input) { databaseId } }',
  );

  async function show({ site, context, exchange }: Visit, draft = emptyDraft, problems?: InvalidFields['fields']) {
    const query = readQuery(exchange);
    const { keys } = await list.execute(context, pageArguments(query, size));
    const pages = pagesAround(sshKeysPath, query, keys.pageInfo);
    const errors = problems && inSentences(problems);
    const page = <KeyList site={site} keys={keys.nodes} pages={pages} draft={draft} errors={errors} />;
    return toAnswer(page, problems ? 422 : 200, { scripts: keys.nodes.length > 0 });
  }

  async function found({ context, named }: Visit): Promise<ShownKey | null> {
    const one = await orNull(find.execute(context, { id: named.id }));
    return one && one.sshKey;
  }

  return [
    {
      path: sshKeysPath,
      name: 'SSH keys',
      get(visit) {
        add.admit(visit.context);
        return show(visit);
      },
      async post(visit, form): Promise<Answer> {
        const draft = toDraft(form);
        const { key, title, expiresAt, usageType } = draft;
        if (expiresAt !== '' && !isDay(expiresAt)) return await show(visit, draft, { expiresAt: ['must be a day'] });
        const input = {
          key,
          ...(title !== '' && { title }),
          ...(expiresAt !== '' && { expiresAt: `${expiresAt}T00:00:00Z` }),
          usageType,
        };
        try {
          await add.execute(visit.context, { input });
          return seeOtherSaying('ssh_key_added', sshKeysPath, visit);
        } catch (problem) {
          if (problem instanceof InvalidFields) return await show(visit, draft, problem.fields);
          throw problem;
        }
      },
    },
    confirmPage({
      path: `${sshKeysPath}/:id/remove`,
      name: 'remove SSH key',
      section: sshKeysPath,
      async ask(visit) {
        remove.admit(visit.context);
        const key = await found(visit);
        return (
          key && {
            title: `Remove ${key.title}?`,
            says: 'Git on computers with this key loses access at once. What was signed with it stays as it is.',
            does: 'Remove the key',
            back: sshKeysPath,
          }
        );
      },
      async act(visit) {
        await remove.execute(visit.context, { input: { id: visit.named.id } });
        return seeOtherSaying('ssh_key_removed', sshKeysPath, visit);
      },
    }),
  ];
}

/** A fingerprint that is taken, or can't be made, is a problem of the key. */
function inSentences(problems: InvalidFields['fields']): { readonly [field: string]: readonly string[] } {
  const { fingerprintSha256 = [], key = fingerprintSha256, ...others } = problems;
  return allSentences({ ...others, ...(key.length > 0 && { key }) }, labels);
}

function toDraft(form: Fields): KeyDraft {
  return {
    key: form.key ?? '',
    title: (form.title ?? '').trim(),
    expiresAt: form.expires_at ?? '',
    usageType: ['AUTH', 'SIGNING'].find((usage) => usage === form.usage_type) ?? 'AUTH_AND_SIGNING',
  };
}
