import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildSchema, isEnumType, isInterfaceType, isObjectType, parse, print } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { complexityOf } from '../../src/graphql/complexity.ts';
import { limits } from '../../src/graphql/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { quiet } from '../reviews/support/sound.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { documents as others, Refusal, type ClientDocument, type Expected } from './client-documents.ts';
import { contractTypes, contractValues } from './contract-types.ts';
import { reviewing } from './review-documents.ts';
import { gitLensDocuments } from './published/gitlens.ts';
import { otherDocuments } from './published/others.ts';
import { vsCodeDocuments } from './published/vs-code.ts';
import { makeWork, type Work, type WorkDocument } from './published/harbour.ts';

/** What published clients of GitLab's GraphQL ask runs here, and every field that they select has its type. */

const documents = [...others, ...reviewing];
const workDocuments = [...vsCodeDocuments, ...gitLensDocuments, ...otherDocuments];
const allDocuments: readonly ClientDocument[] = [...documents, ...workDocuments];

describe('a document of', () => {
  let gateway: TestGateway;
  let stranger: string;
  beforeAll(async () => {
    gateway = await testGateway();
    stranger = (await newUser(gateway, 'stranger')).token;
    await openReview();
  });

  /** Opens the merge request `demo/storefront!1`, which the developer is to review. */
  async function openReview() {
    const send = async (path: string, json: object) => {
      const { maintainer: token } = gateway.tokens;
      const { status, text } = await gateway.rest('POST', `/api/v4/projects/demo%2Fstorefront${path}`, { token, json });
      expect(status, text).toBe(201);
    };
    const commit = (action: string, content: string, commit_message: string, where: object) =>
      send('/repository/commits', { commit_message, actions: [{ action, file_path: 'cart.js', content }], ...where });
    await commit('create', 'sum();\nsum();\n', 'Begin', { branch: 'main' });
    const speed = { branch: 'speed', start_branch: 'main' };
    await commit('update', 'sum();\n', 'Sum up once\n\nNot for each item.', speed);
    const { body: shop } = await gateway.rest('GET', '/api/v4/projects/demo%2Fstorefront');
    // A push that is followed only afterwards would have it checked again.
    await quiet(gateway, shop);
    await send('/merge_requests', {
      title: 'Speed up the cart',
      description: 'It **waits**.',
      source_branch: 'speed',
      target_branch: 'main',
      labels: 'speed',
      reviewer_ids: [3],
    });
  }

  let work: Work;
  const given = ({ variables, named }: WorkDocument) => ({ ...variables, ...named?.(work) });

  async function expectAnswer(one: WorkDocument, token: string | undefined, expected: Expected) {
    const { data, errors } = await gateway.graphql(one.query, { variables: given(one), token });
    expect({ data, messages: errors?.map(({ message }) => message) }).toEqual(
      expected instanceof Refusal
        ? { data: expected.data, messages: [expected.message] }
        : { data: expected, messages: undefined },
    );
  }

  function expectAnswers(one: WorkDocument) {
    const title = `${one.client}: ${one.what}`;
    test(`${title}, for somebody signed in`, () =>
      expectAnswer(one, gateway.tokens[one.by ?? 'maintainer'], one.signedIn));
    test(`${title}, for nobody`, () => expectAnswer(one, undefined, one.anonymous));
    test(`${title}, for somebody who may not`, () => expectAnswer(one, stranger, one.stranger));
  }

  documents.forEach(expectAnswers);

  // After those above, which show all that there is.
  describe('issues, merge requests and pipelines, of', () => {
    beforeAll(async () => void (work = await makeWork(gateway)));

    workDocuments.forEach(expectAnswers);

    test('a client is within the limits', () => {
      expectCosts(workDocuments, limits.complexity);
    });
  });

  function expectCosts(of: readonly WorkDocument[], most: number) {
    for (const one of of) {
      const cost = complexityOf(publicSchema, parse(one.query), given(one), undefined);
      expect([one.client, one.what, cost]).toEqual([
        one.client,
        one.what,
        expect.toSatisfy((cost: number) => cost < most),
      ]);
    }
  }

  test('a client is within the limits', () => {
    expectCosts(documents, limits.complexity / 10);
  });

  test('a client is listed in docs/graphql-clients.md', async () => {
    const page = fileURLToPath(new URL('../../docs/graphql-clients.md', import.meta.url));
    await expect(clientsPage(), 'Update it with: npx vitest run test/graphql/documents.test.ts -u').toMatchFileSnapshot(
      page,
    );
  });
});

/** The page that lists the documents that run. */
function clientsPage(): string {
  const clients = [...new Set(allDocuments.map(({ client }) => client))];
  const shown = new Set<string>();
  return `# GraphQL documents of GitLab's clients

These documents run unchanged at \`/graphql\` and \`/api/graphql\`, and answer what they answer at GitLab:
\`test/graphql/documents.test.ts\` runs each of them as a member, as a person without access and without a credential, and
writes this page. They are what the clients send, in our own words.

| client | documents |
|---|---|
${clients.map((client) => `| ${client} | ${allDocuments.filter((one) => one.client === client).length} |`).join('\n')}
| together | ${allDocuments.length} |

Introspection by GraphiQL, graphql-codegen, Apollo and graphql-js runs too.

The plugin of the JetBrains IDEs chooses its fragments by the version that a server reports, and refuses one below 14.0:
[\`CAUSEWAY_REPORTED_VERSION\`](configuration.md) has to be higher than its default there, for example \`15.8.0\`. From 15.10 on
it also keeps comments as drafts, which isn’t tried here, and uploads files, which nothing here takes.
${clients
  .map(
    (client) =>
      `\n## ${client}\n${allDocuments
        .filter((one) => one.client === client)
        .map((one) => entryOf(one, shown))
        .join('')}`,
  )
  .join('')}`;
}

/** @param shown the fragments that the page has already: each is printed once */
function entryOf({ what, query, variables }: ClientDocument, shown: Set<string>): string {
  const title = what[0]!.toUpperCase() + what.slice(1);
  const definitions = parse(query).definitions.map(print);
  const printed = definitions.filter((text) => !shown.has(text));
  for (const text of definitions) if (text.startsWith('fragment')) shown.add(text);
  const above = printed.length < definitions.length ? ', with fragments from above' : '';
  const given = variables ? `\nwith \`${JSON.stringify(variables)}\`\n` : '';
  return `\n${title}${above}:\n\n\`\`\`graphql\n${printed.join('\n\n')}\n\`\`\`\n${given}`;
}

describe('the published schema', () => {
  const file = new URL('../../contract/schema.graphql', import.meta.url);
  const published = readFile(file, 'utf8').then((sdl) => buildSchema(sdl));

  test('has every type, field, argument and value that clients name, with their types', async () => {
    const schema = await published;
    const problems = [
      ...Object.entries(contractTypes).flatMap(([name, fields]) =>
        Object.entries(fields).flatMap(([field, expected]) => problemsOf(schema.getType(name), name, field, expected)),
      ),
      ...Object.entries(contractValues).flatMap(([name, values]) => lacking(schema.getType(name), name, values)),
    ];
    expect(problems).toEqual([]);
  });
});

type Problem = readonly [subject: string, problem: string];

/** The values that an enumeration lacks. */
function lacking(type: unknown, name: string, values: readonly string[]): Problem[] {
  return values
    .filter((value) => !isEnumType(type) || !type.getValue(value))
    .map((value) => [`${name}.${value}`, 'is missing']);
}

/** What is wrong with a field of a type. */
function problemsOf(type: unknown, parent: string, declared: string, expected: string): Problem[] {
  const { name, args } = readField(declared);
  const subject = `${parent}.${name}`;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  if (!field) return [[subject, 'is missing']];
  const problems = args.flatMap(([arg, wanted]): Problem[] => {
    const given = field.args.find((one) => one.name === arg);
    return String(given?.type) === wanted ? [] : [[subject, `${arg} is ${String(given?.type)}, not ${wanted}`]];
  });
  if (!promises(String(field.type), expected)) problems.push([subject, `is ${String(field.type)}, not ${expected}`]);
  return problems;
}

/** Whether a type is the expected one, or the same without null. */
const promises = (type: string, expected: string) =>
  type === expected || (!expected.endsWith('!') && type.replaceAll('!', '') === expected.replaceAll('!', ''));

/** The name and the arguments of a field: `project(fullPath: ID)`. */
function readField(declared: string): { name: string; args: [string, string][] } {
  const [, name, args = ''] = /^(\w+)(?:\((.*)\))?$/.exec(declared)!;
  return {
    name: name!,
    args: args
      .split(', ')
      .filter(Boolean)
      .map((arg) => arg.split(': ') as [string, string]),
  };
}
