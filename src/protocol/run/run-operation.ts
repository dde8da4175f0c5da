import { recordAudit, type AuditDetail } from '../../core/audit.ts';
import { actorName, type Actor, type Ctx, type Deps, type StepContext } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { assertAll } from '../../core/memory/assert-all.ts';
import { andThen, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import type { Warning } from '../../core/input/warning.ts';
import { PreparedAnswer, type RateLimit, type Operation } from '../../core/operation.ts';
import { transactionsOf, type Db } from '../../core/postgres/db.ts';
import { refuseContacts } from '../../core/text/contact/contact-data.ts';
import { hiddenTextLine, type HiddenText } from '../../core/text/hidden-text.ts';
import { rateLimitsOf, countedFor, takeRateLimits } from '../../metering/rate-limits.ts';
import { authorize } from './authorize.ts';
import { findStoredAnswer, refuseGuessableKey, storeAnswer, type IdempotentCall } from './idempotency.ts';
import { parseInput, type CheckedInput } from './parse-input.ts';
import { answerText, prepare } from './prepare-answer.ts';
import { vetReceivers } from './vet-receivers.ts';
import { withinQuota } from './meter-read.ts';

export interface Call {
  actor: Actor;
  requestId: string;
  /** The caller's input. `checked`, if set, is used instead and returns it validated from a cache. */
  input: unknown;
  checked?: () => CheckedInput;
  idempotencyKey?: string | undefined;
  ifNoneMatch?: string | undefined;
}

export interface OperationAnswer {
  status: number;
  prepared: PreparedAnswer;
  replayed: boolean;
  headers?: Record<string, string>;
}

interface Accepted {
  call: Call;
  input: Record<string, unknown>;
  warnings: Warning[];
  hidden: readonly HiddenText[];
  now: Date;
  headers: Record<string, string>;
}

/** The only path into any operation. An operation cannot forget a step, because it does none of them itself. */
export function runOperation(deps: Deps, operation: Operation, call: Call): MaybePromise<OperationAnswer> {
  authorize(deps, operation, call.actor);
  const checked = call.checked?.() ?? parseInput(operation.input, call.input, operation.missing);
  const { input, hidden } = checked;
  // The checked input may be cached for later calls; warnings added here are for this call only.
  const warnings = [...checked.warnings];
  const accepted: Accepted = { call, input, warnings, hidden, now: deps.clock.now(), headers: {} };
  refuseContacts(Object.fromEntries((operation.noContactData ?? []).map((name) => [name, input[name]])));
  if (operation.vet !== undefined) warnings.push(...operation.vet(input));
  if (operation.dryRun !== undefined && input['dry_run'] === true)
    return checkWrite(deps, operation, accepted, operation.dryRun.rateLimits);
  if (operation.effect !== 'read') return write(deps, operation, accepted);
  const free = rateLimitsOf(operation, call.actor).length === 0 && operation.requires === undefined;
  return free ? read(deps, operation, accepted) : readWithin(deps, operation, accepted);
}

async function readWithin(deps: Deps, operation: Operation, accepted: Accepted): Promise<OperationAnswer> {
  await takeKind(deps, operation, accepted, deps.pool, 'calls');
  await checkRequirements(operation, accepted, deps.readPool);
  return read(deps, operation, accepted);
}

function takeKind(
  deps: Deps,
  operation: Operation,
  { call: { actor }, now, headers }: Accepted,
  db: Db,
  kind: 'calls' | 'done',
): Promise<void> {
  const all = rateLimitsOf(operation, actor);
  const limits = all.filter(({ counts = 'calls' }) => counts === kind);
  const others = kind === 'calls' ? all.filter(({ counts }) => counts === 'done') : [];
  const counting = {
    db,
    deps,
    now,
    headers,
    countedFor: countedFor(operation, actor),
    address: actor.address,
    isRead: operation.effect === 'read',
  };
  return takeRateLimits(counting, limits, others);
}

async function checkRequirements(operation: Operation, { call, input }: Accepted, db: Db): Promise<void> {
  const { actor } = call;
  for (const requirement of operation.requires ?? []) await requirement.assert({ db, actor, input });
}

/** Runs a read, within the caller's quota if it is metered. Returns a cached response synchronously. */
function read(deps: Deps, operation: Operation, accepted: Accepted): MaybePromise<OperationAnswer> {
  const answer = () => answerRead(deps, operation, accepted);
  return operation.metered === true ? withinQuota(deps, accepted.call.actor, accepted.now, answer) : answer();
}

function answerRead(deps: Deps, operation: Operation, accepted: Accepted): MaybePromise<OperationAnswer> {
  const { call, input, warnings, headers } = accepted;
  const db = operation.tag === 'directory' ? deps.publicReads : deps.readPool;
  const { ctx, effects } = context(deps, accepted, db);
  return andThen(operation.run(ctx, input), (result) => {
    const finish = (last: Record<string, unknown> | PreparedAnswer): OperationAnswer => {
      const prepared = prepare(deps, operation, last, warnings);
      const isUnchanged = call.ifNoneMatch !== undefined && call.ifNoneMatch === prepared.etag;
      return { status: isUnchanged ? 304 : 200, prepared, replayed: false, headers };
    };
    if (effects.notes.length === 0 && effects.after === undefined) return finish(result);
    return afterwards(deps, effects).then((answer) => finish(answer ?? result));
  });
}

interface AfterEffects {
  about: { subject: string | null; detail: AuditDetail };
  repeated: boolean;
  keyCachesOutdated: boolean;
  notes: ((tx: Db) => Promise<void>)[];
  after: ((outside: StepContext) => Promise<Record<string, unknown>>) | undefined;
}

/** Stores the notes, then runs the work that calls external systems. Its result becomes the response. */
async function afterwards(
  deps: Deps,
  { notes, after }: AfterEffects,
): Promise<Record<string, unknown> | undefined> {
  const inTransaction = transactionsOf(deps.pool);
  for (const note of notes) await inTransaction(note);
  return after?.({ deps, inTransaction: deps.outside });
}

class Checked extends Error {
  readonly answer: OperationAnswer;

  constructor(answer: OperationAnswer) {
    super('A dry run is rolled back.');
    this.answer = answer;
  }
}

/** Validates a write without doing it: nothing is stored, and nobody outside is notified. */
async function checkWrite(
  deps: Deps,
  operation: Operation,
  accepted: Accepted,
  counts: readonly RateLimit[] = [],
): Promise<OperationAnswer> {
  const { call, input, warnings, now, headers } = accepted;
  await takeKind(deps, { ...operation, effect: 'read', rateLimits: counts }, accepted, deps.pool, 'calls');
  return withinQuota(deps, call.actor, now, async () => {
    warnings.push(...(await vetReceivers(deps, operation, input)));
    try {
      return await transactionsOf(deps.pool)(async (tx) => {
        await checkRequirements(operation, accepted, tx);
        const result = await operation.run(context(deps, accepted, tx).ctx, input);
        const prepared = prepare(deps, operation, result, warnings);
        throw new Checked({ status: 200, prepared, replayed: false, headers });
      });
    } catch (thrown) {
      if (thrown instanceof Checked) return thrown.answer;
      throw thrown;
    }
  });
}

async function write(deps: Deps, operation: Operation, accepted: Accepted): Promise<OperationAnswer> {
  const { call, input, warnings } = accepted;
  const repeat = operation.detectsRepetitions ? undefined : idempotentCall(deps, operation, call, input);
  await takeKind(deps, operation, accepted, deps.pool, 'calls');
  warnings.push(...(await vetReceivers(deps, operation, input)));
  const outcome: { effects?: AfterEffects } = {};
  const answer = await transactionsOf(deps.pool)((tx) =>
    writeOnce(deps, operation, accepted, { tx, repeat, outcome }),
  ).catch(async (thrown: unknown) => {
    // A refused write is rolled back, but not the notes about what the caller has seen with it.
    if (thrown instanceof AppError && outcome.effects !== undefined)
      await afterwards(deps, { ...outcome.effects, after: undefined });
    throw thrown;
  });
  if (outcome.effects === undefined) return answer;
  if (outcome.effects.keyCachesOutdated) await deps.lease.lapsed();
  const last = await afterwards(deps, outcome.effects);
  return last === undefined ? answer : { ...answer, prepared: prepare(deps, operation, last, warnings) };
}

interface Writing {
  tx: Db;
  repeat: IdempotentCall | undefined;
  outcome: { effects?: AfterEffects };
}

async function writeOnce(
  deps: Deps,
  operation: Operation,
  accepted: Accepted,
  { tx, repeat, outcome }: Writing,
): Promise<OperationAnswer> {
  const { call, input, warnings, hidden, now, headers } = accepted;
  const stored = repeat && (await findStoredAnswer(tx, repeat, now));
  if (stored !== undefined) return storedAnswer(operation, stored);
  // Sent in a pipeline: if a requirement fails, the counts taken are rolled back with the rest.
  await assertAll([
    checkRequirements(operation, accepted, tx),
    takeKind(deps, operation, accepted, tx, 'done'),
  ]);
  const { ctx, effects } = context(deps, accepted, tx);
  outcome.effects = effects;
  const result = await operation.run(ctx, input);
  const own = result instanceof PreparedAnswer ? undefined : operation.statusOf?.(result);
  const success = own ?? operation.rest?.status ?? 200;
  const prepared = prepare(deps, operation, result, warnings);
  await recordAudit(tx, {
    at: now,
    actor: actorName(call.actor),
    operation: operation.name,
    requestId: call.requestId,
    subject: effects.about.subject,
    detail: { ...effects.about.detail, ...hiddenTextLine(hidden) },
  });
  const { subject } = effects.about;
  if (repeat)
    await storeAnswer(tx, repeat, { status: success, json: prepared.json.toString(), subject }, now);
  const { repeated: replayed } = effects;
  return { status: replayed ? 200 : success, prepared, replayed, headers };
}

function storedAnswer(operation: Operation, stored: { status: number; json: string }): OperationAnswer {
  const output = JSON.parse(stored.json) as Record<string, unknown>;
  const prepared = new PreparedAnswer(stored.json, answerText(operation, output));
  return { status: stored.status, prepared, replayed: true };
}

function idempotentCall(
  deps: Deps,
  operation: Operation,
  call: Call,
  input: Record<string, unknown>,
): IdempotentCall | undefined {
  // A tool has no headers, so it may take the key among its arguments.
  const argument = input['idempotency_key'];
  const key = call.idempotencyKey ?? (typeof argument === 'string' ? argument : undefined);
  if (key === undefined) return undefined;
  const { actor } = call;
  if (actor.kind === 'anonymous' || (actor.kind === 'partner' && actor.shared === true))
    refuseGuessableKey(key);
  const secret = deps.secrets.idempotency;
  return { caller: actorName(actor), key, operation: operation.name, input, secret };
}

function context(deps: Deps, accepted: Accepted, db: Db): { ctx: Ctx; effects: AfterEffects } {
  const { call, now, headers } = accepted;
  const { newId, log } = deps;
  const { actor, idempotencyKey } = call;
  const effects: AfterEffects = {
    about: { subject: null, detail: {} },
    repeated: false,
    keyCachesOutdated: false,
    notes: [],
    after: undefined,
  };
  const ctx: Ctx = {
    deps,
    actor,
    db,
    now,
    newId,
    log,
    headers,
    idempotencyKey,
    repeated: () => (effects.repeated = true),
    invalidateKeyCaches: () => (effects.keyCachesOutdated = true),
    afterCommit: (work) => (effects.after = work),
    note: (work) => effects.notes.push(work),
    audit: (subject, detail = {}) => (effects.about = { subject, detail }),
  };
  return { ctx, effects };
}
