import type { Config } from '../../config.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { ERRORS, AppError, errorSentences, FIELD_ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { Operation, RestRoute } from '../../core/operation.ts';
import { problemDetails } from '../http/problem.ts';
import { surfaceOf } from '../http/request-path.ts';

/** Names of the exceeded limits in examples, as in RateLimit-Policy. */
const VIOLATED: Partial<Record<ErrorCode, readonly string[]>> = {
  daily_quota_exhausted: ['daily'],
  rate_limited: ['minute'],
};

export function failures(
  operation: Operation,
  route: RestRoute,
): Record<string, [ErrorCode, ...ErrorCode[]]> {
  const common: ErrorCode[] =
    route.method === 'GET'
      ? ['bad_query', 'invalid_key', 'user_agent_required', 'not_acceptable', 'validation_failed']
      : [
          'malformed_json',
          'invalid_key',
          'user_agent_required',
          'body_too_large',
          'unsupported_media_type',
          'validation_failed',
          'idempotency_in_progress',
          'idempotency_key_reused',
        ];
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>();
  const guarded = common.map((code) =>
    // A partner's key is checked wherever it is sent; a User-Agent is required on the agent surface only.
    code === 'user_agent_required' && surfaceOf(route.path) === 'partner' ? 'partner_suspended' : code,
  );
  const addressed: ErrorCode[] = route.path.includes('{') ? ['uri_too_long'] : [];
  for (const code of new Set([...guarded, ...addressed, ...(operation.failures ?? [])])) {
    const status = ERRORS[code][0];
    const codes = byStatus.get(status);
    byStatus.set(status, codes === undefined ? [code] : [...codes, code]);
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), codes]),
  );
}

/** Responses shared by operations. A name is the status, with a number where several differ in their codes. */
export class ProblemResponses {
  readonly #config: Config;
  readonly #codes = new Map<string, readonly [ErrorCode, ...ErrorCode[]]>();

  constructor(config: Config) {
    this.#config = config;
  }

  reference(status: string, codes: readonly [ErrorCode, ...ErrorCode[]]): { $ref: string } {
    for (let number = 1; ; number++) {
      const name = number === 1 ? status : `${status}-${number}`;
      const existing = this.#codes.get(name);
      if (existing === undefined) this.#codes.set(name, codes);
      if (existing === undefined || existing.join() === codes.join())
        return { $ref: `#/components/responses/${name}` };
    }
  }

  /** Returns the components. Each response has an example; an example of several responses is written once. */
  components(): { responses: Record<string, unknown>; examples: Record<string, unknown> } {
    const allCodes = [...this.#codes.values()].flatMap(exampleCodes);
    const isShared = (code: ErrorCode) => allCodes.indexOf(code) !== allCodes.lastIndexOf(code);
    const exampleOf = (code: ErrorCode) =>
      isShared(code) ? { $ref: `#/components/examples/${code}` } : failureExample(this.#config, code);
    const responses = [...this.#codes].sort(([a], [b]) => a.localeCompare(b));
    return {
      responses: Object.fromEntries(
        responses.map(([name, codes]) => [
          name,
          {
            description: codes.join(', '),
            content: {
              'application/problem+json': {
                schema: { $ref: '#/components/schemas/Problem' },
                examples: Object.fromEntries(exampleCodes(codes).map((code) => [code, exampleOf(code)])),
              },
            },
          },
        ]),
      ),
      examples: Object.fromEntries(
        [...new Set(allCodes.filter(isShared))].map((code) => [code, failureExample(this.#config, code)]),
      ),
    };
  }
}

/** Returns the codes that get an example: one per status, but every code that reports an exceeded limit. */
function exampleCodes(codes: readonly [ErrorCode, ...ErrorCode[]]): ErrorCode[] {
  const violated = codes.filter((code) => code in VIOLATED);
  return violated.length > 0 ? violated : [codes[0]];
}

function failureExample(config: Config, code: ErrorCode): { value: unknown } {
  const violatedPolicies = VIOLATED[code];
  const error = new AppError(code, `${ERRORS[code][1]}.`, violatedPolicies && { violatedPolicies });
  const value = problemDetails(config.baseUrl, error, 'req_01kdtqb00071qz6sbs7e2vkqza');
  return { value };
}

closedSet('ErrorCode', errorSentences(Object.keys(ERRORS) as ErrorCode[]));

closedSet('FieldErrorCode', FIELD_ERRORS);
