import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import document from '../../../contract/openapi.json' with { type: 'json' };

interface Operation {
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Content } };
}
interface Content {
  readonly 'application/json'?: { readonly schema: object };
  readonly 'text/plain'?: { readonly schema: object };
}

// Compiles in half the time. Each schema checks few answers.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).map(
  ([template, operations]) => ({
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    template,
    operations,
  }),
);

const validators = new Map<object, ValidateFunction>();

/** Compiles each schema once: compiling takes longer than the request. */
function validator(schema: object): ValidateFunction {
  let known = validators.get(schema);
  if (!known) {
    known = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object,
    );
    validators.set(schema, known);
  }
  return known;
}

/**
 * The difference between an answer and the OpenAPI document: an undocumented status, or a body that doesn't match its
 * schema. Undefined if there is none, or the route isn't documented.
 */
export function departure(
  method: string,
  path: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): string | undefined {
  const bare = path.replace(/\.json$/, '');
  const found =
    (bare !== path && paths.find(({ template, pattern }) => !template.endsWith('}') && pattern.test(bare))) ||
    paths.find(({ pattern }) => pattern.test(path));
  const operation = found?.operations[method.toLowerCase()];
  if (!operation) return undefined;
  const documented = operation.responses[status];
  if (!documented)
    return `${method} ${path} answered ${status}, which the OpenAPI document doesn't know: ${JSON.stringify(body)}`;
  const name = documented.$ref?.split('/').at(-1);
  const responses = document.components.responses as unknown as Record<string, { content?: Content }>;
  const { content } = name === undefined ? documented : responses[name]!;
  const schema = ((typeof body === 'string' && content?.['text/plain']) || content?.['application/json'])?.schema;
  if (!schema) return undefined;
  const validate = validator(schema);
  return validate(body)
    ? undefined
    : `${method} ${path} answered ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`;
}
