import { NotFound } from '../../../errors.ts';
import { reads, type Admission } from '../../../policy/index.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { allFiles, kinds, textOf, type FileTemplate, type KindName } from './files.ts';
import { allLicenses, fillIn, type License } from './licenses.ts';

/** For everyone: templates are public. */
const everyone: Admission = { class: 'token', scopes: reads, anonymous: true };

const LicenseTemplate = builder.objectRef<License>('LicenseTemplate').implement({
  description: 'A licence for a project. Its description is from choosealicense.com (CC BY 3.0).',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'In lower case, for example `gpl-3.0`.' }),
    name: t.exposeString('name'),
    nickname: t.exposeString('nickname', { nullable: true }),
    htmlUrl: t.exposeString('htmlUrl', { description: 'A page with more information.' }),
    sourceUrl: t.exposeString('sourceUrl', { description: 'The source of the text.' }),
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
  description: 'A template for a file.',
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
      description: 'Licences by name, with placeholders in their texts.',
      admission: everyone,
      args: {
        ...offsetArg,
        popular: t.arg.boolean({ description: 'True: only the most used ones; false: only others.' }),
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
    description: 'A licence with its placeholders filled in: the current year, and the arguments given.',
    admission: everyone,
    args: {
      key: t.arg.string({ required: true, description: 'Case-insensitive.' }),
      project: t.arg.string({ description: 'The name of the project.' }),
      fullName: t.arg.string({ description: 'The copyright holder. Omitted: your name, if you are signed in.' }),
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
      description: 'Templates of one kind, by name.',
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
    description: 'A template for a file.',
    admission: everyone,
    args: {
      kind: t.arg({ type: KindType, required: true }),
      name: t.arg.string({ required: true, description: 'Case-insensitive.' }),
    },
    resolve: async (_root, { kind, name }, { templatesDir }) => {
      const files = await allFiles(kind, templatesDir);
      const file = files.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (!file) throw new NotFound(kinds[kind].subject);
      return file;
    },
  }),
}));
