import fc from 'fast-check';
import type { World } from '../world/world.ts';
import { hostileText, hostileValue } from './hostile.ts';
import type { Oddity } from './oddities.ts';
import type { CallerChoice, EndpointPlan } from './plan.ts';
import { reference } from './references.ts';
import type { Weights } from './roles.ts';

const REDIRECT = 'http://localhost:45678/callback';
const REDIRECTS = [
  REDIRECT,
  'https://client.example/back',
  'ms-msdt:/id',
  'javascript:alert(1)',
  'cursor://cb',
  'http://client.example/',
  'com.example.app:/cb',
  '',
];
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

type Fields = Record<string, fc.Arbitrary<unknown>>;

/** OAuth, and the files by which programs discover the service. */
export function endpointPlans(
  world: World,
  callers: (weights: Weights) => fc.Arbitrary<CallerChoice>,
  oddity: fc.Arbitrary<Oddity | undefined>,
): fc.Arbitrary<EndpointPlan> {
  const resource = fc.constantFrom(`${world.service.baseUrl}/mcp`, 'https://evil.example/mcp');
  const caller = callers({ anonymous: 8, operator: 4, agent: 2, stranger: 1, member: 1 });
  const plan = (method: string, path: string, encoding: EndpointPlan['encoding'], fields: Fields) => {
    const good = fc.record(fields, { requiredKeys: [] });
    const slip = fc.dictionary(
      fc.constantFrom(...Object.keys(fields), 'x'),
      encoding === 'json' ? hostileValue : hostileText,
      { maxKeys: 2 },
    );
    return fc.record({
      kind: fc.constant('endpoint' as const),
      method: fc.constant(method),
      path: fc.constant(path),
      encoding: fc.constant(encoding),
      caller,
      fields: fc
        .tuple(good, fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: slip }))
        .map(([value, change]) => ({ ...value, ...change })),
      oddity,
    });
  };
  const client = reference('any', 'ocl');
  const token = fc.oneof(reference('any', 'refresh_token'), fc.constant('x'.repeat(43)));
  const named = world.routes.filter(({ pattern }) =>
    /^\/(\.well-known|openapi|llms|healthz|readyz|metrics|api\/(partner|concierge)$|assets)|^\/(logo|favicon)/.test(
      pattern,
    ),
  );
  return fc.oneof(
    plan('GET', '/oauth/authorize', 'query', {
      client_id: client,
      redirect_uri: fc.constantFrom(...REDIRECTS, REDIRECT, REDIRECT),
      response_type: fc.constantFrom('code', 'code', 'token'),
      scope: fc.constantFrom('svc.read', 'svc.read svc.write', 'openid offline_access', ''),
      state: fc.constant('s'),
      resource,
      code_challenge: fc.constant(CHALLENGE),
      code_challenge_method: fc.constantFrom('S256', 'S256', 'plain'),
      prompt: fc.constantFrom('none', 'login', 'consent'),
    }),
    plan('POST', '/oauth/token', 'form', {
      grant_type: fc.constantFrom('refresh_token', 'authorization_code', 'client_credentials'),
      client_id: client,
      refresh_token: token,
      code: fc.constant('x'.repeat(43)),
      code_verifier: fc.constant('v'.repeat(43)),
      redirect_uri: fc.constant(REDIRECT),
      resource,
    }),
    plan('POST', '/oauth/revoke', 'form', {
      token: fc.constant('y'.repeat(43)),
      client_id: client,
      token_type_hint: fc.constantFrom('refresh_token', 'access_token'),
    }),
    plan('POST', '/oauth/register', 'json', {
      client_name: fc.constantFrom('A client', 'Another client'),
      redirect_uris: fc.array(fc.constantFrom(...REDIRECTS), { maxLength: 3 }),
      grant_types: fc.subarray(['authorization_code', 'refresh_token', 'implicit']),
      response_types: fc.constant(['code']),
      token_endpoint_auth_method: fc.constantFrom('none', 'client_secret_post', 'private_key_jwt'),
      client_uri: fc.constant('https://client.example/'),
      logo_uri: fc.constant('https://client.example/logo.png'),
      scope: fc.constant('svc.read'),
    }),
    ...named.map(({ pattern }) =>
      plan('GET', pattern.replace(/:\w+/, 'waypost.css'), 'query', { q: hostileText }),
    ),
  );
}
