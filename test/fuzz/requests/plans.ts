import fc from 'fast-check';
import type { Role } from '../world/caller.ts';
import { ENDPOINTS, type EndpointPath, type OpenApiOperation, type World } from '../world/world.ts';
import { endpointPlans } from './endpoints.ts';
import { members, type Schema } from './from-schema.ts';
import { hostileText, hostileValue } from './hostile.ts';
import { oddity, type Oddity } from './oddities.ts';
import type { CallerChoice, FormPlan, FormStep, Plan, RestPlan, ToolPlan } from './plan.ts';
import { peopleOf, roleWeights, type Weights } from './roles.ts';
import type { PageRoute } from './routes.ts';

/** One request in eight is sent in an odd way. */
const sometimesOdd: fc.Arbitrary<Oddity | undefined> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: oddity },
);

/** Everything that is tried, over all surfaces. */
export function plans(world: World): fc.Arbitrary<Plan> {
  const rest = Object.entries(world.openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => restPlans(path, method.toUpperCase(), operation)),
  );
  return fc.oneof(
    { weight: 30, arbitrary: fc.oneof(...rest) },
    { weight: 30, arbitrary: fc.oneof(...ENDPOINTS.map((path) => toolPlans(world, path))) },
    { weight: 25, arbitrary: formPlans(world) },
    { weight: 8, arbitrary: endpointPlans(world, callers, sometimesOdd) },
  );
}

function callers(weights: Weights): fc.Arbitrary<CallerChoice> {
  const role = fc.oneof(
    ...Object.entries(weights).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as Role) })),
  );
  return fc.record({ role, nth: fc.nat(5), from: fc.nat(60_000) });
}

function restPlans(path: string, method: string, operation: OpenApiOperation): fc.Arbitrary<RestPlan> {
  const input = members(inputSchema(operation));
  const again = fc.record({
    key: fc.oneof(
      { weight: 4, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: fc.constantFrom('same', '"quoted"') },
    ),
    input: fc.option(input, { nil: undefined }),
  });
  return fc.record({
    kind: fc.constant('rest' as const),
    path: fc.constant(path),
    method: fc.constant(method),
    caller: callers(roleWeights(path)),
    input,
    repeat:
      method === 'GET'
        ? fc.constant(undefined)
        : fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: again }),
    oddity: sometimesOdd,
  });
}

/** The schema of an operation's input, from its body or its parameters. */
function inputSchema({ parameters = [], requestBody }: OpenApiOperation): Schema {
  if (requestBody !== undefined) return requestBody.content['application/json'].schema;
  const named = parameters.filter(({ in: where }) => where !== 'header');
  return {
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
}

const METHODS = [
  'ping',
  'tools/list',
  'initialize',
  'server/discover',
  'resources/list',
  'notifications/initialized',
  'tools/call',
  '',
];

function toolPlans(world: World, endpoint: EndpointPath): fc.Arbitrary<ToolPlan> {
  const caller = callers(roleWeights(endpoint));
  const common = {
    kind: fc.constant('tool' as const),
    endpoint: fc.constant(endpoint),
    caller,
    modern: fc.boolean(),
    oddity: sometimesOdd,
  };
  const called = world.tools[endpoint].map(({ name, inputSchema: schema }) =>
    fc.record({ ...common, name: fc.constant(name), input: members(schema), message: fc.constant({}) }),
  );
  const strangeMessage = fc.dictionary(
    fc.constantFrom('id', 'method', 'params', 'jsonrpc', 'result'),
    fc.oneof(hostileValue, fc.constantFrom(...METHODS)),
    { minKeys: 1, maxKeys: 3 },
  );
  const strange = fc.record({
    ...common,
    name: fc.oneof(fc.constantFrom(...world.tools[endpoint].map(({ name }) => name)), hostileText),
    input: hostileValue,
    message: strangeMessage,
  });
  return fc.oneof({ weight: 12, arbitrary: fc.oneof(...called) }, { weight: 1, arbitrary: strange });
}

function formPlans(world: World): fc.Arbitrary<FormPlan> {
  const pages = pagesOf(world);
  const step: fc.Arbitrary<FormStep> = fc.record({
    form: fc.nat(30),
    choices: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
    spoil: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 2, arbitrary: fc.constant(9) },
    ),
    texts: fc.array(hostileText, { minLength: 3, maxLength: 3 }),
    token: fc.oneof(
      { weight: 12, arbitrary: fc.constant('own' as const) },
      fc.constantFrom('none' as const, 'wrong' as const, 'foreign' as const),
    ),
    extra: fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.dictionary(
          fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
          hostileText,
          { maxKeys: 3 },
        ),
      },
    ),
  });
  const query = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.constantFrom(
          'q',
          'page',
          'cursor',
          'next',
          'done',
          'status',
          'category',
          'area',
          'open',
          'attempt',
          'lang',
          'state',
          'before',
          'after',
          'date',
          'kind',
          'agent',
          'place',
          'id',
          'wishes',
        ),
        hostileText,
        { minKeys: 1, maxKeys: 3 },
      ),
    },
  );
  const one = ({ pattern }: { pattern: string }): fc.Arbitrary<FormPlan> =>
    fc.record({
      kind: fc.constant('form' as const),
      pattern: fc.constant(pattern),
      ids: fc.nat(300),
      instead: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: hostileText },
      ),
      query,
      caller: callers(peopleOf(pattern)),
      steps: fc.array(step, { minLength: 1, maxLength: 2 }),
      oddity: sometimesOdd,
    });
  return fc.oneof(...pages.map(one));
}

/** Every page and every file for people's programs, such as feeds and sitemaps. */
export function pagesOf({ routes }: World): PageRoute[] {
  return routes.filter(({ pattern, methods }) => methods.has('GET') && isPage(pattern));
}

/** Whether an address is a page; addresses for programs are tested as such. */
function isPage(pattern: string): boolean {
  return !/^\/(api|\.well-known|assets|mcp)\b|^\/(openapi|llms|healthz|readyz|metrics)|^\/oauth\/authorize|\*/.test(
    pattern,
  );
}
