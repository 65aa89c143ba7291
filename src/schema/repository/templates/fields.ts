import { NotFound } from '../../../errors.ts';
import { reads, type Admission } from '../../../policy/index.ts';
import { nameProblems } from '../../../values/visible-names.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { connectionOf } from '../../engine/list.ts';
import { offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { allFiles, kinds, textOf, type FileTemplate, type KindName } from './files.ts';
import { allLicenses, fillIn, type License } from './licenses.ts';

/** For everyone: nothing of it belongs to anybody. */
const everyone: Admission = { class: 'token', scopes: reads, anonymous: true };

const LicenseTemplate = builder.objectRef<License>('LicenseTemplate').implement({
  description: 'A licence to put into a project. The words about it are those of choosealicense.com (CC BY 3.0).',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'In lower case: `gpl-3.0`.' }),
    name: t.exposeString('name'),
    nickname: t.exposeString('nickname', { nullable: true }),
    htmlUrl: t.exposeString('htmlUrl', { description: 'Where more is said about it.' }),
    sourceUrl: t.exposeString('sourceUrl', { description: 'Where the text comes from.' }),
    popular: t.exposeBoolean('popular'),
    description: t.exposeString('description'),
    conditions: t.exposeStringList('conditions'),
    permissions: t.exposeStringList('permissions'),
    limitations: t.exposeStringList('limitations'),
    content: t.exposeString('content', { description: 'The text.' }),
  }),
});

const KindType = builder.enumType('FileTemplateKind', { values: Object.keys(kinds) as KindName[] });

const FileTemplateType = builder.objectRef<FileTemplate>('FileTemplate').implement({
  description: 'A file to begin with.',
  fields: (t) => ({
    name: t.exposeString('name'),
    content: t.string({ description: 'The text.', resolve: textOf }),
  }),
});

builder.queryFields((t) => ({
  licenseTemplates: t.connection(
    {
      type: LicenseTemplate,
      nullable: true,
      description: 'Licences by name, their texts with placeholders.',
      admission: everyone,
      args: {
        ...offsetArg,
        popular: t.arg.boolean({ description: 'Only those that are chosen most, or only the others.' }),
      },
      resolve: async (_root, args) => {
        const licenses = (await allLicenses()).filter(
          ({ popular }) => args.popular == null || popular === args.popular,
        );
        return await resolveArrayPage(args, licenses, ({ key }) => key);
      },
    },
    connectionOf(LicenseTemplate),
  ),
  licenseTemplate: t.field({
    type: LicenseTemplate,
    nullable: true,
    description: 'A licence, filled in: with this year, and with what else is given.',
    admission: everyone,
    args: {
      key: t.arg.string({ required: true, description: 'Whatever its case.' }),
      project: t.arg.string({ description: 'What the project is called.' }),
      fullName: t.arg.string({ description: 'Who holds the copyright; otherwise you do, if you are somebody.' }),
    },
    resolve: async (_root, { key, project, fullName }, { viewer, database }) => {
      const problems = new Problems();
      if (project) problems.add('project', nameProblems(project));
      if (fullName) problems.add('fullname', nameProblems(fullName));
      problems.refuse();
      const license = (await allLicenses()).find((one) => one.key === key.toLowerCase());
      if (!license) throw new NotFound('License');
      const { person } = viewer;
      const holder =
        fullName ||
        (person && (await database.prisma.user.findUnique({ where: { id: person.id }, select: { name: true } }))?.name);
      const known = {
        year: String(new Date().getUTCFullYear()),
        project: project ?? undefined,
        fullName: holder ?? undefined,
      };
      return { ...license, content: fillIn(license.content, known) };
    },
  }),
  fileTemplates: t.connection(
    {
      type: FileTemplateType,
      nullable: true,
      description: 'Files of a kind to begin with, by name.',
      admission: everyone,
      args: { ...offsetArg, kind: t.arg({ type: KindType, required: true }) },
      resolve: async (_root, args, { templatesDir }) =>
        resolveArrayPage(args, await allFiles(args.kind, templatesDir), ({ name }) => name),
    },
    connectionOf(FileTemplateType),
  ),
  fileTemplate: t.field({
    type: FileTemplateType,
    nullable: true,
    description: 'A file to begin with.',
    admission: everyone,
    args: {
      kind: t.arg({ type: KindType, required: true }),
      name: t.arg.string({ required: true, description: 'Whatever its case.' }),
    },
    resolve: async (_root, { kind, name }, { templatesDir }) => {
      const files = await allFiles(kind, templatesDir);
      const file = files.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (!file) throw new NotFound(kinds[kind].subject);
      return file;
    },
  }),
}));
