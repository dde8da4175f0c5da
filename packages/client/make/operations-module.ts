/** The parts of the OpenAPI document that the client's methods are made from. */
export interface Described {
  paths: Record<string, Partial<Record<'get' | 'post', DescribedOperation>>>;
  components?: Record<string, Record<string, unknown>>;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  security?: Record<string, unknown>[];
  parameters?: (Reference & { name: string; in: string; required?: boolean })[];
  requestBody?: Reference & { required?: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, Reference & { content?: { 'application/json'?: { schema: Schema } } }>;
}

interface Reference {
  $ref?: string;
}

interface Schema extends Reference {
  type?: string | string[];
  properties?: Record<string, Schema>;
}

interface Route {
  method: 'GET' | 'POST';
  path: string;
  credential: 'agent' | 'partner';
  /** Where the operation finds repetitions by a member of its body instead of the header. */
  keyInBody?: true;
}

/** The module with a method for each operation, how each is sent, and the codes of errors. */
export function operationsModule(document: Described, errors: object): string {
  const found = operationsOf(document);
  const routes = Object.fromEntries(found.map((one) => [one.operationId, routeOf(document, one)]));
  const paged = Object.fromEntries(
    found.flatMap((one) => {
      const items = itemsOf(document, one);
      return items === undefined ? [] : [[one.operationId, items]];
    }),
  );
  return [
    `import type { CallOptions, Input, Output } from '../call.ts';`,
    `/** How each operation is sent. */\nexport const ROUTES = ${JSON.stringify(routes)} as const;`,
    `/** The operations that answer in pages, and the member that holds what is listed. */\nexport const PAGED = ${JSON.stringify(paged)} as const;`,
    `/** Every code that a problem document may carry today. */\nexport type ErrorCode = ${Object.keys(errors)
      .map((code) => JSON.stringify(code))
      .join(' | ')};`,
    `/** A method for each operation of the service. */\nexport abstract class Operations {\nabstract call<Name extends keyof typeof ROUTES>(name: Name, input?: Input<Name>, options?: CallOptions): Promise<Output<Name>>;\n${found.map((one) => methodOf(document, one)).join('\n')}\n}`,
  ].join('\n\n');
}

type Found = DescribedOperation & { path: string; method: Route['method'] };

function operationsOf({ paths }: Described): Found[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method === 'get' ? 'GET' : 'POST',
    })),
  );
}

function routeOf(document: Described, operation: Found): Route {
  const { method, path, security = [] } = operation;
  const partner = security.some((one) => 'partner_key' in one);
  const body = bodyOf(document, operation);
  return {
    method,
    path,
    credential: partner ? 'partner' : 'agent',
    ...(body?.properties?.['idempotency_key'] === undefined ? {} : { keyInBody: true }),
  };
}

function bodyOf(document: Described, { requestBody }: Found): Schema | undefined {
  if (requestBody === undefined) return undefined;
  return resolve(document, resolve(document, requestBody).content['application/json'].schema);
}

/** The member of an answer in pages that is listed: its first array. */
function itemsOf(document: Described, { parameters = [], responses }: Found): string | undefined {
  if (!parameters.some((one) => resolve(document, one).name === 'cursor')) return undefined;
  const answer = responses['200'] && resolve(document, responses['200']);
  const schema = answer?.content?.['application/json']?.schema;
  const members = Object.entries(schema === undefined ? {} : (resolve(document, schema).properties ?? {}));
  return members.find(([, member]) => resolve(document, member).type === 'array')?.[0];
}

function methodOf(document: Described, operation: Found): string {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation;
  const needed =
    (requestBody !== undefined && resolve(document, requestBody).required === true) ||
    parameters.some((one) => resolve(document, one).required === true);
  const name = id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `/** ${summary}. ${description.replaceAll('*/', '* /')} */
  ${name}(input: Input<'${id}'>${needed ? '' : ' = {}'}, options?: CallOptions): Promise<Output<'${id}'>> {
    return this.call('${id}', input, options);
  }`;
}

/** Follows a local reference such as `#/components/schemas/Place`. */
function resolve<T extends Reference>({ components }: Described, value: T): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec(value.$ref ?? '') ?? [];
  return kind === '' ? value : (components?.[kind]?.[name] as T);
}
