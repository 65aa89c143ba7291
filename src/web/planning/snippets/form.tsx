import { useContext } from 'preact/hooks';
import { mostSnippetFiles } from '../../../values/text/lengths.ts';
import { Choices, EnterSends, Form, NotSaved, Obstacle, TextField } from '../../site/forms/forms.tsx';
import { InForm } from '../../site/forms/restored-form.ts';
import {
  carried,
  readDraft,
  visibilitiesOf,
  type FileDraft,
  type FileErrors,
  type SnippetDraft,
  type SnippetErrors,
} from './draft.ts';
import { Around, type AroundProps } from './view.tsx';

interface SnippetFormProps extends Omit<AroundProps, 'load'> {
  readonly action: string;
  /** Where Cancel leads. */
  readonly back: string;
  readonly draft: SnippetDraft;
  /** The snippet as it is stored; undefined for a new one. */
  readonly stored?: SnippetDraft;
  readonly errors?: SnippetErrors | undefined;
  /** Whether the last file was just added. */
  readonly added?: boolean;
  /** The label of the button. */
  readonly does: string;
}

/** The form of a new snippet, and of one that is changed. */
export function SnippetForm(props: SnippetFormProps) {
  const { site, place, title, action, back, draft, stored, errors, added, does } = props;
  const carries = carried({ ...(stored ?? draft), files: draft.files });
  return (
    <Around site={site} place={place} title={errors ? `Error: ${title}` : title}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={action} {...(stored && { carries })}>
        <EnterSends does={does} />
        <TextField name="title" label="Title" value={draft.title} errors={errors?.title} required />
        <TextField
          name="description"
          label="Description"
          hint="As Markdown."
          lines={4}
          value={draft.description}
          errors={errors?.description}
        />
        <Choices
          name="visibility"
          label="Visibility"
          single
          choices={Object.entries(visibilitiesOf(place !== undefined)).map(([name, says]) => ({
            name,
            label: name[0]!.toUpperCase() + name.slice(1),
            says,
            chosen: draft.visibility === name,
          }))}
        />
        {errors?.files?.map((error) => (
          <Obstacle>{error}</Obstacle>
        ))}
        <p class="hint">All files together have at most 1 MiB.</p>
        <Files files={draft.files} each={errors?.each ?? []} added={added} />
        <div class="decision">
          <button class="button primary">{does}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </Around>
  );
}

interface FilesProps {
  readonly files: readonly FileDraft[];
  readonly each: readonly (FileErrors | undefined)[];
  readonly added: boolean | undefined;
}

/** The fields of the files, and a button that adds those of another one. */
function Files({ files, each, added }: FilesProps) {
  // What was typed before signing in may have more files than the page.
  const restored = useContext(InForm);
  const shown = restored ? [...files, ...readDraft(restored).files.slice(files.length)] : files;
  return (
    <>
      {shown.map((file, index) => (
        <FileFields
          file={file}
          number={index + 1}
          errors={each[index]}
          focused={added === true && index === shown.length - 1}
        />
      ))}
      {shown.length < mostSnippetFiles && (
        <p>
          <button class="button" name="add" value="file" formNoValidate>
            Add another file
          </button>
        </p>
      )}
    </>
  );
}

interface FileFieldsProps {
  readonly file: FileDraft;
  readonly number: number;
  readonly errors: FileErrors | undefined;
  readonly focused: boolean;
}

function FileFields({ file: { path, content, removed, was }, number, errors, focused }: FileFieldsProps) {
  return (
    <fieldset class="field snippet-file">
      <legend>File {number}</legend>
      <TextField
        name={`path_${number}`}
        label="Path"
        hint={was ? undefined : 'Such as lib/adder.py. Its end decides how the text is coloured.'}
        value={path}
        errors={errors?.path}
        focused={focused}
        technical
      />
      <TextField
        name={`content_${number}`}
        label="Content"
        lines={12}
        value={content}
        errors={errors?.content}
        technical
      />
      {was && (
        <Choices
          name={`removal_${number}`}
          label="Removal"
          choices={[{ name: `remove_${number}`, label: 'Remove this file', chosen: removed }]}
        />
      )}
    </fieldset>
  );
}
