import { actorName, type Actor, type Ctx, type Deps } from '../../core/context.ts';
import { STATEMENT_TIMEOUT_MS } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, orElse, type NowOrLater } from '../../core/memory/now-or-later.ts';
import { PreparedAnswer, type Operation, type Warning } from '../../core/operation.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { bearerChallenge } from '../authenticate.ts';
import { findStoredAnswer, storeAnswer, type IdempotentCall } from './idempotency.ts';
import { takeWrite } from './guard-write.ts';
import { readHeaders, takeRead } from './meter-read.ts';
import { parseInput, type CheckedInput } from './parse-input.ts';

/** One request for one operation, from whichever surface it came. */
export interface Call {
  actor: Actor;
  requestId: string;
  /** What the caller sent, or a way to have it checked which remembers what it has checked before. */
  input: unknown;
  checked?: () => CheckedInput;
  idempotencyKey?: string | undefined;
  /** The answer that the caller already has. */
  ifNoneMatch?: string | undefined;
}

export interface Answer {
  status: number;
  prepared: PreparedAnswer;
  replayed: boolean;
  /** What is left of the caller's quota, for an answer that is counted. */
  headers?: Record<string, string>;
}

/** Longer than any statement may run. */
const WRITE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;

/**
 * The one path into any operation: scope, input, guard, then for a write idempotency, transaction, audit row; output.
 * An operation cannot forget any of this, because it never does it.
 */
export function runOperation(deps: Deps, operation: Operation, call: Call): NowOrLater<Answer> {
  authorize(deps, operation, call.actor);
  const { input, warnings } = call.checked?.() ?? parseInput(operation.input, call.input, operation.missing);
  const accepted = { call, input, warnings, now: deps.clock.now() };
  if (operation.guard === undefined) return act(deps, operation, accepted);
  return takeGuard(deps, operation, call.actor, accepted.now).then(() => act(deps, operation, accepted));
}

/** A call that may be made and whose input was read. */
interface Accepted {
  call: Call;
  input: Record<string, unknown>;
  warnings: Warning[];
  now: Date;
}

function act(deps: Deps, operation: Operation, accepted: Accepted): NowOrLater<Answer> {
  if (operation.effect === 'read') {
    return operation.metered === true
      ? readMetered(deps, operation, accepted)
      : read(deps, operation, accepted);
  }
  return vetAndWrite(deps, operation, accepted);
}

async function vetAndWrite(deps: Deps, operation: Operation, accepted: Accepted): Promise<Answer> {
  const { call, input, warnings, now } = accepted;
  await takeWrite(deps, call.actor, now);
  if (operation.vet !== undefined) warnings.push(...(await operation.vet(deps, input, call.actor)));
  const { answer, after } = await answeredInTime(write(deps, operation, accepted));
  if (after === undefined) return answer;
  return { ...answer, prepared: prepare(deps, operation, await after(), warnings) };
}

/** An answer that lies ready is there at once. */
function read(deps: Deps, operation: Operation, accepted: Accepted): NowOrLater<Answer> {
  const { call, input, warnings, now } = accepted;
  const ctx = context(deps, call, deps.pool, now);
  return andThen(operation.run(ctx, input), (result) => {
    const prepared = prepare(deps, operation, result, warnings);
    return { status: isHeld(call, prepared) ? 304 : 200, prepared, replayed: false, headers: ctx.headers };
  });
}

/** A read is done first and counted then: what the caller already has, and what could not be read, costs nothing. */
function readMetered(deps: Deps, operation: Operation, accepted: Accepted): NowOrLater<Answer> {
  const { call, input, warnings, now } = accepted;
  const ctx = context(deps, call, deps.pool, now);
  return orElse(
    () =>
      andThen(operation.run(ctx, input), (result) => {
        const prepared = prepare(deps, operation, result, warnings);
        const held = isHeld(call, prepared);
        const told = held ? readHeaders(deps, call.actor, now) : takeRead(deps, call.actor, now);
        return andThen(told, (headers) => ({ status: held ? 304 : 200, prepared, replayed: false, headers }));
      }),
    async (thrown) => {
      if (thrown instanceof AppError && thrown.status === 404)
        Object.assign(thrown.headers, await takeRead(deps, call.actor, now));
      throw thrown;
    },
  );
}

/** Whether the caller says that it has this very answer. */
function isHeld({ ifNoneMatch }: Call, prepared: PreparedAnswer): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch === prepared.etag;
}

/** A database that dies in the middle of a transaction may leave it without an answer; its caller still gets one. */
async function answeredInTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const hint = 'Repeat it with its Idempotency-Key, so that it cannot be done twice.';
      reject(
        new AppError('maintenance', 'The database did not answer in time.', { hint, retryAfterSeconds: 5 }),
      );
    }, WRITE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a write has committed, and what it wants done outside from then on. */
interface Written {
  answer: Answer;
  after: (() => Promise<Record<string, unknown>>) | undefined;
}

async function write(deps: Deps, operation: Operation, accepted: Accepted): Promise<Written> {
  const { call, input, warnings, now } = accepted;
  const repeat = operation.knowsRepetitions ? undefined : idempotentCall(deps, operation, call, input);
  const found = { repeated: false, outdated: false, after: undefined as Written['after'] };
  const answer = await deps.pool.begin(async (sql): Promise<Answer> => {
    const stored = repeat && (await findStoredAnswer(sql, repeat, now));
    if (stored !== undefined) {
      const output = JSON.parse(stored.json) as Record<string, unknown>;
      const told = `${operation.summarize?.(output) ?? operation.title}\n${String(output['attribution'])}`;
      const prepared = new PreparedAnswer(stored.json, told);
      return { status: stored.status, prepared, replayed: true };
    }
    const about: { subject: string | null; detail: Record<string, string | number | boolean | null> } = {
      subject: null,
      detail: {},
    };
    const ctx = context(deps, call, sql, now);
    ctx.audit = (subject, detail = {}) => Object.assign(about, { subject, detail });
    ctx.repeated = () => (found.repeated = true);
    ctx.outdatesKeys = () => (found.outdated = true);
    ctx.afterCommit = (work) => (found.after = work);
    const result = await operation.run(ctx, input);
    const own = result instanceof PreparedAnswer ? undefined : operation.statusOf?.(result);
    const success = own ?? operation.rest?.status ?? 200;
    const prepared = prepare(deps, operation, result, warnings);
    await sql`
      insert into audit_log (at, actor, operation, request_id, subject, detail)
      values (${now}, ${actorName(call.actor)}, ${operation.name}, ${call.requestId}, ${about.subject},
              ${sql.json(about.detail)})`;
    if (repeat) await storeAnswer(sql, repeat, { status: success, json: prepared.json.toString() }, now);
    const { repeated: replayed } = found;
    return { status: replayed ? 200 : success, prepared, replayed, headers: ctx.headers };
  });
  if (found.outdated) await deps.lease.lapsed();
  return { answer, after: found.after };
}

function idempotentCall(
  deps: Deps,
  operation: Operation,
  call: Call,
  input: Record<string, unknown>,
): IdempotentCall | undefined {
  // A tool has no headers: where it takes a key among its arguments, that one counts.
  const argument = input['idempotency_key'];
  const key = call.idempotencyKey ?? (typeof argument === 'string' ? argument : undefined);
  if (key === undefined) return undefined;
  const caller = actorName(call.actor);
  return {
    caller,
    key,
    operation: operation.name,
    input,
    secret: deps.secrets.idempotency,
  };
}

function authorize({ config }: Deps, { access }: Operation, actor: Actor): void {
  if (access.who === 'anyone') return;
  if (access.who === 'partner') {
    if (actor.kind === 'partner') return;
    throw new AppError('missing_credentials', 'This needs a partner key in the X-Partner-Key header.', {
      hint: 'Get one with POST /api/partner/signup.',
    });
  }
  if (actor.kind !== 'agent') {
    throw new AppError('missing_credentials', 'This operation needs an API key, or on MCP an access token.', {
      hint: 'Sign up at POST /api/agent/signup and send the key as a bearer token. An MCP client can connect by OAuth instead.',
      headers: { 'www-authenticate': bearerChallenge(config) },
    });
  }
  if (actor.scopes === undefined) return;
  if (access.keyOnly === true) {
    throw new AppError('key_required', 'This spends money, so that only the API key itself can do it.', {
      hint: 'Sign up at POST /api/agent/signup, or have the key replaced by mail with POST /api/agent/recover.',
    });
  }
  if (!actor.scopes.includes(access.scope)) {
    throw new AppError('insufficient_scope', `This token lacks the scope ${config.prefix}.${access.scope}.`, {
      hint: 'Ask the person for authorization again, with that scope.',
      headers: { 'www-authenticate': bearerChallenge(config, 'insufficient_scope', [access.scope]) },
    });
  }
}

async function takeGuard(deps: Deps, operation: Operation, actor: Actor, now: Date): Promise<void> {
  const { name, guard, access } = operation;
  if (guard === undefined) return;
  const { windowMs } = guard;
  const max = guard.max(deps);
  // What is open to anybody is counted by address only: a credential that it gives out must not raise the ceiling.
  const counted =
    access.who === 'anyone' ? actorName({ kind: 'anonymous', address: actor.address }) : actorName(actor);
  const taken = await takeFromWindow(deps.pool, { name: `${name}/${counted}`, max, windowMs }, now);
  if (taken.allowed) return;
  throw new AppError(guard.code, 'This was asked for too often. Nothing was changed.', {
    retryAfterSeconds: taken.resetsInSeconds,
  });
}

function context(deps: Deps, call: Call, db: Ctx['db'], now: Date): Ctx {
  const { newId, log } = deps;
  const { actor, idempotencyKey } = call;
  const nothing = () => undefined;
  return {
    deps,
    actor,
    db,
    now,
    newId,
    log,
    headers: {},
    idempotencyKey,
    repeated: nothing,
    outdatesKeys: nothing,
    afterCommit: nothing,
    audit: nothing,
  };
}

/**
 * Turns an operation's output into the answer's text. Parsing strips what the schema does not name, so that a wide
 * select leaks nothing. Every answer gets the attribution, and the warnings if there are any.
 */
function prepare(
  deps: Deps,
  operation: Operation,
  result: Record<string, unknown> | PreparedAnswer,
  warnings: Warning[],
): PreparedAnswer {
  if (result instanceof PreparedAnswer) {
    if (warnings.length === 0) return result;
    return new PreparedAnswer(
      `{"warnings":${JSON.stringify(warnings)},${result.json.toString().slice(1)}`,
      result.summary,
    );
  }
  const { attribution } = deps.destinations.current;
  const output = operation.output.parse(result);
  const own = output['warnings'] as Warning[] | undefined;
  const told = [...(own ?? []), ...warnings];
  const payload = {
    ...output,
    ...(own !== undefined || told.length > 0 ? { warnings: told } : {}),
    ...attribution,
  };
  return new PreparedAnswer(
    JSON.stringify(payload),
    `${operation.summarize?.(output) ?? operation.title}\n${attribution.attribution}`,
  );
}
