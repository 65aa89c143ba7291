import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { contractFiles } from '../../src/contract.ts';
import { migrate, schemaDrift } from '../../src/database/migrations/index.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const files = contractFiles(manifest.version);

describe('the contract', () => {
  test.each(Object.keys(files))('contract/%s is committed as the code generates it', async (name) => {
    const committed = await readFile(join(repository, 'contract', name), 'utf8').catch(() => '');
    expect(committed === files[name], `contract/${name} is stale. Update it with: npm run contract`).toBe(true);
  });

  test('has no other committed files', async () => {
    expect((await readdir(join(repository, 'contract'))).sort()).toEqual(Object.keys(files).sort());
  });

  test('is a valid GraphQL schema, with descriptions', () => {
    const schema = buildSchema(files['schema.graphql']!);
    expect(validateSchema(schema)).toEqual([]);
    const unexplained = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${name}`),
    );
    for (const name of ['NotificationLevel', 'NotificationEvent']) {
      const type = schema.getType(name)!;
      expect(type.description).toBeTruthy();
      if ('getValues' in type)
        unexplained.push(
          ...type
            .getValues()
            .filter(({ description }) => !description)
            .map((value) => `${name}.${value.name}`),
        );
    }
    expect(unexplained).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  interface Parameter {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: object;
  }
  interface Body {
    readonly content: Record<string, { readonly schema: object }>;
  }
  interface Reference {
    readonly $ref: string;
  }
  interface Operation {
    readonly operationId: string;
    readonly summary: string;
    readonly tags: readonly string[];
    readonly parameters?: readonly Parameter[];
    readonly requestBody?: Body;
    readonly responses: Record<string, Reference | (Partial<Body> & { readonly description: string })>;
    readonly security?: readonly Record<string, readonly string[]>[];
  }
  const document = JSON.parse(files['openapi.json']!) as {
    openapi: string;
    info: { title: string; version: string };
    tags: { name: string }[];
    paths: Record<string, Record<string, Operation>>;
    security: readonly Record<string, readonly string[]>[];
    components: {
      schemas: Record<string, object>;
      responses: Record<string, Partial<Body> & { description: string }>;
      securitySchemes: Record<string, { type: string }>;
    };
  };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );

  test('has version 3.1, and the version of this gateway', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.stringMatching(/./), version: manifest.version });
    expect(
      Object.keys(document).filter(
        (key) => !['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'].includes(key),
      ),
    ).toEqual([]);
  });

  test('has unique operation ids that are valid function names', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]\w+$/i.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(operations.map((one) => [one.title, one] as const))(
    'describes %s as 3.1 wants it',
    (_title, { path, method, operation }) => {
      expect(path).toMatch(/^\/[\w./{}-]*$/);
      expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method);
      expect(operation.summary).toBeTruthy();
      for (const tag of operation.tags) expect(document.tags).toContainEqual(expect.objectContaining({ name: tag }));

      const { parameters = [] } = operation;
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const parameter of parameters) {
        expect(['path', 'query', 'header']).toContain(parameter.in);
        if (parameter.in === 'path') expect(parameter.required).toBe(true);
        expect(parameter.schema).toBeTypeOf('object');
      }
      if (method === 'get') expect(operation.requestBody).toBeUndefined();
      for (const type of Object.keys(operation.requestBody?.content ?? {})) expect(type).toMatch(/^\w+\/[\w.+-]+$/);

      const statuses = Object.keys(operation.responses);
      expect(statuses.filter((status) => !/^[1-5]\d\d$/.test(status))).toEqual([]);
      expect(statuses.some((status) => status.startsWith('2') || status.startsWith('3'))).toBe(true);
      for (const response of Object.values(operation.responses)) {
        if (!('$ref' in response)) expect(response.description).toBeTruthy();
      }
      for (const requirement of operation.security ?? []) {
        for (const name of Object.keys(requirement))
          expect(Object.keys(document.components.securitySchemes)).toContain(name);
      }
    },
  );

  test('has no broken references, and no unused components', () => {
    const references = [...files['openapi.json']!.matchAll(/"\$ref": "([^"]+)"/g)].map(([, target]) => target!);
    const held = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.filter((target) => !held.includes(target))).toEqual([]);
    expect(held.filter((target) => !references.includes(target))).toEqual([]);
  });

  test('has only schemas that are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      // What is compiled never runs.
      code: { optimize: false },
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      validateFormats: true,
    });
    addFormats.default(ajv);
    ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components', 'example']);
    ajv.addSchema(document, 'openapi');
    const absolute = (schema: unknown) => JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const schemas = operations.flatMap(({ operation: { parameters = [], requestBody, responses } }) => [
      ...parameters.map(({ schema }) => schema),
      ...[requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values((body as Partial<Body> | undefined)?.content ?? {}).map(({ schema }) => schema),
      ),
    ]);
    const texts = new Set([...schemas, ...Object.values(document.components.schemas)].map(absolute));
    // As one schema, so that each component is compiled once; the error has the path of what is wrong.
    const all = [...texts].map((text) => JSON.parse(text) as object);
    expect(() => ajv.compile({ anyOf: all })).not.toThrow();
  });
});

describe('schema.prisma and the migrations', () => {
  let name: string;
  let url: string;
  beforeAll(async () => {
    ({ name, url } = await makeDatabase('empty'));
    await migrate({ connection: { connectionString: url }, migrationsDir: join(repository, 'prisma/migrations') });
  });
  afterAll(() => dropDatabase(name));

  const drift = () =>
    schemaDrift({ connection: { connectionString: url }, schemaFile: join(repository, 'prisma/schema.prisma') });

  test('result in the same database', async () => {
    expect(await drift()).toBe('');
  });

  test('are reported as different when a column, an index or a table is missing', async () => {
    await query(url, 'alter table users drop column public_email; drop index emails_user_id_idx');
    const sql = await drift();
    expect(sql).toMatch(/ALTER TABLE "users" ADD COLUMN\s+"public_email"/);
    expect(sql).toMatch(/CREATE INDEX "emails_user_id_idx"/);
  });
});
