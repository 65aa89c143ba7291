import type { GraphQLSchema } from 'graphql';
import { PlainBadRequest } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { branchesPath, codePath, creationPath, tagsPath } from '../code/addresses.ts';
import { writesTo } from '../../places/place/place.ts';

/** Making a branch or a tag on a page. */

type Kind = 'branches' | 'tags';

interface Draft {
  readonly name: string;
  readonly ref: string;
  /** Of a tag. */
  readonly message: string;
}

const readDraft = (form: Fields): Draft => ({
  name: (form.name ?? '').trim(),
  ref: (form.ref ?? '').trim(),
  message: form.message ?? '',
});

const nouns = { branches: 'branch', tags: 'tag' } as const;
const lists = { branches: branchesPath, tags: tagsPath };

interface FormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly kind: Kind;
  readonly draft: Draft;
  /** What is wrong with the name, or with where it begins. */
  readonly error: string | undefined;
}

function RefForm({ site, place, kind, draft, error }: FormProps) {
  const title = `New ${nouns[kind]}`;
  const isOfRef = error !== undefined && /reference name|^Target /.test(error);
  return (
    <PlaceLayout site={site} place={place} title={error ? `Error: ${title}` : title} current="code">
      <h1>{title}</h1>
      {error && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={creationPath(place, kind)}>
        <TextField
          name="name"
          label="Name"
          value={draft.name}
          required
          {...(error && !isOfRef && { errors: [error] })}
        />
        <TextField
          name="ref"
          label={kind === 'branches' ? 'Begins at' : 'Tags'}
          hint="A branch, a tag, or the name of a commit."
          value={draft.ref}
          required
          {...(isOfRef && { errors: [error] })}
        />
        {kind === 'tags' && (
          <TextField
            name="message"
            label="Message"
            hint="With one, the tag has its author and its date."
            lines={4}
            value={draft.message}
          />
        )}
        <div class="decision">
          <button class="button primary">Create {nouns[kind]}</button>
          <a href={lists[kind](place)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

/** The pages that make a branch and a tag. */
export function creationPages(schema: GraphQLSchema): PlaceRoute[] {
  const compile = (field: string, type: string) =>
    compileOperation<object>(schema, `mutation ($input: ${type}!) { ${field}(input: $input) { clientMutationId } }`);
  const creators = {
    branches: compile('createBranch', 'CreateBranchInput'),
    tags: compile('tagCreate', 'TagCreateInput'),
  };

  /** @throws Unauthenticated */
  function shown(kind: Kind, visit: Visit, place: PlaceHead, draft: Draft, error?: string): Answer {
    requireVisitor(visit);
    if (!writesTo(place))
      return forbidden(visit.site, `You need at least the Developer role to create a ${nouns[kind]}.`);
    return toAnswer(
      <RefForm site={visit.site} place={place} kind={kind} draft={draft} error={error} />,
      error === undefined ? 200 : 422,
    );
  }

  return (['branches', 'tags'] as const).map((kind): PlaceRoute => ({
    path: `/${kind}/new`,
    name: `new ${nouns[kind]}`,
    of: 'project',
    get: (visit, place) => {
      const { ref = '' } = readQuery(visit.exchange);
      return shown(kind, visit, place, { name: '', ref, message: '' });
    },
    async post(visit, place, form) {
      const draft = readDraft(form);
      const { name, ref, message } = draft;
      const tag = kind === 'tags' && message !== '' && { message: message.replaceAll('\r\n', '\n') };
      try {
        await creators[kind].execute(visit.context, { input: { projectPath: place.fullPath, name, ref, ...tag } });
      } catch (problem) {
        if (!(problem instanceof PlainBadRequest)) throw problem;
        return shown(kind, visit, place, draft, problem.message);
      }
      return seeOtherSaying(
        kind === 'branches' ? 'branch_created' : 'tag_created',
        kind === 'branches' ? codePath(place, 'tree', name) : tagsPath(place),
        visit,
      );
    },
  }));
}
