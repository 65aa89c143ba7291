import {
  defaultTypeResolver,
  getVariableValues,
  GraphQLError,
  locatedError,
  type ExecutionResult,
  type GraphQLResolveInfo,
} from 'graphql';
import { addPath, pathToArray, type Path } from 'graphql/jsutils/Path.js';
import { inspect } from 'graphql/jsutils/inspect.js';
import type { FieldPlan, ObjectPlan, Plan, ValuePlan } from './plan.ts';

/**
 * One fast execution, which runs a plan; graphql's own executor would interpret the document again for each request.
 * The answer is the same, including the order of errors (GraphQL §6): a test compares both for generated operations.
 */
interface Run {
  readonly plan: Plan;
  readonly context: unknown;
  readonly variableValues: Record<string, unknown>;
  readonly errors: GraphQLError[];
  /**
   * Paths that became null after an error: later errors below them aren't reported. Undefined stands for the whole
   * response.
   */
  readonly nulledAt: Set<Path | undefined>;
}

type Fields = Record<string, unknown>;

/** Runs a plan. It never throws: errors are in the result, as with graphql. */
export function runPlan(
  plan: Plan,
  context: unknown,
  variables: Record<string, unknown>,
): ExecutionResult | Promise<ExecutionResult> {
  const { schema, operation, root } = plan;
  let variableValues = plan.coerce?.(variables);
  if (!variableValues) {
    const given = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 50 });
    if (given.errors) return { errors: given.errors };
    variableValues = given.coerced;
  }
  const run: Run = { plan, context, variableValues, errors: [], nulledAt: new Set() };
  try {
    const data =
      operation.operation === 'mutation' ? runSerially(run, root) : runFields(run, root, undefined, undefined);
    return data instanceof Promise
      ? data.then(
          (fields) => resultOf(run, fields),
          (error: GraphQLError) => failed(run, error),
        )
      : resultOf(run, data);
  } catch (error) {
    return failed(run, error as GraphQLError);
  }
}

const resultOf = ({ errors }: Run, data: Fields | null): ExecutionResult =>
  errors.length === 0 ? { data } : { errors, data };

function failed(run: Run, error: GraphQLError): ExecutionResult {
  note(run, error, undefined);
  return resultOf(run, null);
}

/** Runs mutations one after the other (GraphQL §6.2.2). */
function runSerially(run: Run, { fields }: ObjectPlan): Fields | Promise<Fields> {
  let data: Fields | Promise<Fields> = {};
  for (const field of fields)
    data = data instanceof Promise ? data.then((done) => add(run, field, done)) : add(run, field, data);
  return data;
}

function add(run: Run, field: FieldPlan, data: Fields): Fields | Promise<Fields> {
  const put = (value: unknown): Fields => {
    data[field.responseName] = value;
    return data;
  };
  const value = runField(run, field, undefined, undefined);
  return isPromise(value) ? (value as Promise<unknown>).then(put) : put(value);
}

function runFields(
  run: Run,
  { fields, blank }: ObjectPlan,
  source: unknown,
  path: Path | undefined,
): Fields | Promise<Fields> {
  const data = blank();
  let waits = false;
  try {
    for (const field of fields) {
      const value = runField(run, field, source, path);
      data[field.responseName] = value;
      if (isPromise(value)) waits = true;
    }
  } catch (error) {
    // Wait for pending fields before the error propagates.
    if (waits)
      return settled(data).finally(() => {
        throw error;
      });
    throw error;
  }
  return waits ? settled(data) : data;
}

/** Puts the values in the place of their promises. */
async function settled(data: Fields): Promise<Fields> {
  const names = Object.keys(data);
  const values = await Promise.all(Object.values(data));
  for (let at = 0; at < names.length; at++) data[names[at]!] = values[at];
  return data;
}

function runField(run: Run, field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
  const plain = plainField(run, field, source);
  if (plain !== undefined) return plain;
  const path = addPath(parentPath, field.responseName, field.parentType.name);
  try {
    const result = resolve(run, field, source, path);
    const value = isPromise(result)
      ? result.then((resolved) => complete(run, field, field.value, path, resolved))
      : complete(run, field, field.value, path, result);
    if (isPromise(value))
      return value.then(undefined, (error: unknown) => refused(run, field, field.value, path, error));
    return value;
  } catch (error) {
    return refused(run, field, field.value, path, error);
  }
}

const noArguments = {};

/** The value of a field without a resolver, or with a direct one: that of a property of the parent, or what follows from the parent and the context. */
const directValue = ({ context }: Run, { direct, definition }: FieldPlan, source: object): unknown =>
  direct ? direct(source, noArguments, context) : (source as Fields)[definition.name];

/** The value of a plain field. Undefined for any other field, and for a value that may need a path. */
function plainField(run: Run, field: FieldPlan, source: unknown): unknown {
  if (!field.isPlain || source === null || typeof source !== 'object') return undefined;
  return plainValue(run, field.value, directValue(run, field, source));
}

/**
 * A string, number, boolean or moment, null, or an object or a list of these. Undefined for anything else: an error, a
 * promise, an invalid value.
 */
function plainValue(run: Run, plan: ValuePlan, value: unknown): unknown {
  if (value === null || value === undefined) return plan.nullable ? null : undefined;
  if (plan.kind === 'object') return plainObject(run, plan.object, value);
  if (plan.kind === 'list') return plainList(run, plan.item, value);
  if (plan.kind !== 'leaf') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean' && !(value instanceof Date))
    return undefined;
  try {
    return plan.serialize(value) ?? undefined;
  } catch {
    return undefined;
  }
}

function plainObject(run: Run, { fields, blank }: ObjectPlan, source: unknown): Fields | undefined {
  if (typeof source !== 'object' || source === null || source instanceof Error || isPromise(source)) return undefined;
  const data = blank();
  for (const field of fields) {
    const value = plainField(run, field, source);
    if (value === undefined) return undefined;
    data[field.responseName] = value;
  }
  return data;
}

function plainList(run: Run, plan: ValuePlan, values: unknown): unknown[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const items: unknown[] = [];
  for (const value of values) {
    const item = plainValue(run, plan, value);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function resolve(run: Run, field: FieldPlan, source: unknown, path: Path): unknown {
  const { definition } = field;
  if (!field.resolve) {
    const property = source !== null && typeof source === 'object' ? (source as Fields)[definition.name] : undefined;
    if (typeof property !== 'function') return property;
  }
  const args = field.arguments(run.variableValues);
  if (!field.resolve)
    return ((source as Fields)[definition.name] as (...given: unknown[]) => unknown)(
      args,
      run.context,
      infoOf(run, field, path),
    );
  return field.resolve(source, args, run.context, infoOf(run, field, path));
}

const infoOf = ({ plan, variableValues }: Run, field: FieldPlan, path: Path): GraphQLResolveInfo => ({
  fieldName: field.definition.name,
  fieldNodes: field.nodes,
  returnType: field.definition.type,
  parentType: field.parentType,
  path,
  schema: plan.schema,
  fragments: plan.fragments,
  rootValue: undefined,
  operation: plan.operation,
  variableValues,
});

/** Handles a field error: a nullable field becomes null, otherwise the error propagates (GraphQL §6.4.4). */
function refused(run: Run, { nodes }: FieldPlan, { nullable }: ValuePlan, path: Path, thrown: unknown): null {
  const error = locatedError(thrown, nodes, pathToArray(path));
  if (!nullable) throw error;
  note(run, error, path);
  return null;
}

function note({ errors, nulledAt }: Run, error: GraphQLError, path: Path | undefined): void {
  for (let at = path; at; at = at.prev) if (nulledAt.has(at)) return;
  if (nulledAt.has(undefined)) return;
  nulledAt.add(path);
  errors.push(error);
}

function complete(run: Run, field: FieldPlan, plan: ValuePlan, path: Path, value: unknown): unknown {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (plan.nullable) return null;
    throw new Error(`Cannot return null for non-nullable field ${field.parentType.name}.${field.definition.name}.`);
  }
  switch (plan.kind) {
    case 'leaf': {
      const serialized = plan.serialize(value);
      if (serialized === null || serialized === undefined) {
        const type = String(plan.type).replace(/!$/, '');
        throw new Error(
          `Expected \`${type}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
        );
      }
      return serialized;
    }
    case 'list':
      return completeList(run, field, plan.item, path, value);
    case 'object':
      return (
        (plan.object.isPlain ? plainObject(run, plan.object, value) : undefined) ??
        runFields(run, plan.object, value, path)
      );
    case 'abstract':
      return runFields(run, objectOf(run, field, plan, path, value), value, path);
  }
}

/** The plan for the type that a value of an interface or a union has (GraphQL §6.4.3). */
function objectOf(
  run: Run,
  field: FieldPlan,
  { type, objects }: Extract<ValuePlan, { kind: 'abstract' }>,
  path: Path,
  value: unknown,
): ObjectPlan {
  const name = (type.resolveType ?? defaultTypeResolver)(value, run.context, infoOf(run, field, path), type);
  const object = typeof name === 'string' ? objects.get(name) : undefined;
  if (!object)
    throw new Error(`Abstract type "${type.name}" was resolved to a type "${String(name)}" that it doesn't have.`);
  return object;
}

function completeList(run: Run, field: FieldPlan, plan: ValuePlan, path: Path, value: unknown): unknown {
  if (typeof value !== 'object' || !(Symbol.iterator in value!)) {
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.definition.name}".`,
    );
  }
  let waits = false;
  const items: unknown[] = [];
  try {
    for (const item of value as Iterable<unknown>) {
      const plain = plan.kind === 'object' && plan.object.isPlain ? plainObject(run, plan.object, item) : undefined;
      if (plain) {
        items.push(plain);
        continue;
      }
      const completed = completeItem(run, field, plan, addPath(path, items.length, undefined), item);
      if (isPromise(completed)) waits = true;
      items.push(completed);
    }
  } catch (error) {
    // Handle failures of pending items too, to prevent unhandled rejections.
    for (const item of items) if (isPromise(item)) item.then(undefined, () => undefined);
    throw error;
  }
  return waits ? Promise.all(items) : items;
}

function completeItem(run: Run, field: FieldPlan, plan: ValuePlan, path: Path, item: unknown): unknown {
  try {
    const completed = isPromise(item)
      ? item.then((resolved) => complete(run, field, plan, path, resolved))
      : complete(run, field, plan, path, item);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => refused(run, field, plan, path, error));
  } catch (error) {
    return refused(run, field, plan, path, error);
  }
}

/** Most values are strings and numbers, of which a look at `then` would search the prototype. */
function isPromise(value: unknown): value is Promise<never> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
