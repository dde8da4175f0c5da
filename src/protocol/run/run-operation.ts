import { recordAudit, type AuditDetail } from '../../core/audit.ts';
import { actorName, type Actor, type Ctx, type Deps, type StepContext } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { allHold } from '../../core/memory/all-hold.ts';
import { andThen, type NowOrLater } from '../../core/memory/now-or-later.ts';
import type { Warning } from '../../core/input/warning.ts';
import { PreparedAnswer, type Ceiling, type Operation } from '../../core/operation.ts';
import { transactionsOf, type Db } from '../../core/postgres/db.ts';
import { refuseContacts } from '../../core/text/contact/contact-data.ts';
import { hiddenTextLine, type HiddenText } from '../../core/text/hidden-text.ts';
import { ceilingsOf, countedFor, takeCeilings } from '../../metering/ceilings.ts';
import { authorize } from './authorize.ts';
import { findStoredAnswer, refuseGuessableKey, storeAnswer, type IdempotentCall } from './idempotency.ts';
import { parseInput, type CheckedInput } from './parse-input.ts';
import { answerText, prepare } from './prepare-answer.ts';
import { vetReceivers } from './vet-receivers.ts';
import { withinQuota } from './within-quota.ts';

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

/** A call that may be made and whose input was read. */
interface Accepted {
  call: Call;
  input: Record<string, unknown>;
  warnings: Warning[];
  hidden: readonly HiddenText[];
  now: Date;
  headers: Record<string, string>;
}

/**
 * The one path into any operation: scope, input, ceilings, preconditions, then for a write idempotency, transaction, audit
 * row; output; what is noted, and what is done outside, comes last. An operation cannot forget any of this, because it
 * never does it.
 */
export function runOperation(deps: Deps, operation: Operation, call: Call): NowOrLater<Answer> {
  authorize(deps, operation, call.actor);
  const checked = call.checked?.() ?? parseInput(operation.input, call.input, operation.missing);
  const { input, hidden } = checked;
  // What was checked may be kept for the next call; what is added here is for this one.
  const warnings = [...checked.warnings];
  const accepted: Accepted = { call, input, warnings, hidden, now: deps.clock.now(), headers: {} };
  refuseContacts(Object.fromEntries((operation.contactFree ?? []).map((name) => [name, input[name]])));
  if (operation.vet !== undefined) warnings.push(...operation.vet(input));
  if (operation.dryRun !== undefined && input['dry_run'] === true)
    return checkWrite(deps, operation, accepted, operation.dryRun.counts);
  if (operation.effect !== 'read') return write(deps, operation, accepted);
  const free = ceilingsOf(operation, call.actor).length === 0 && operation.requires === undefined;
  return free ? read(deps, operation, accepted) : readWithin(deps, operation, accepted);
}

/** A read that has ceilings or preconditions. */
async function readWithin(deps: Deps, operation: Operation, accepted: Accepted): Promise<Answer> {
  await takeKind(deps, operation, accepted, deps.pool, 'calls');
  await checkRequirements(operation, accepted.call.actor, deps.readPool);
  return read(deps, operation, accepted);
}

function takeKind(
  deps: Deps,
  operation: Operation,
  { call: { actor }, now, headers }: Accepted,
  db: Db,
  kind: Ceiling['counts'],
): Promise<void> {
  const all = ceilingsOf(operation, actor);
  const ceilings = all.filter(({ counts }) => counts === kind);
  const others = kind === 'calls' ? all.filter(({ counts }) => counts === 'done') : [];
  const counting = {
    db,
    deps,
    now,
    headers,
    countedFor: countedFor(operation, actor),
    address: actor.address,
  };
  return takeCeilings(counting, ceilings, others);
}

async function checkRequirements(operation: Operation, actor: Actor, db: Db): Promise<void> {
  for (const requirement of operation.requires ?? []) await requirement.hold({ db, actor });
}

/** An answer that lies ready is there at once. */
function read(deps: Deps, operation: Operation, accepted: Accepted): NowOrLater<Answer> {
  const answer = () => answerRead(deps, operation, accepted);
  return operation.metered === true ? withinQuota(deps, accepted.call.actor, accepted.now, answer) : answer();
}

function answerRead(deps: Deps, operation: Operation, accepted: Accepted): NowOrLater<Answer> {
  const { call, input, warnings, headers } = accepted;
  const { ctx, effects } = context(deps, accepted, deps.readPool);
  return andThen(operation.run(ctx, input), (result) => {
    const finish = (last: Record<string, unknown> | PreparedAnswer): Answer => {
      const prepared = prepare(deps, operation, last, warnings);
      const held = call.ifNoneMatch !== undefined && call.ifNoneMatch === prepared.etag;
      return { status: held ? 304 : 200, prepared, replayed: false, headers };
    };
    if (effects.notes.length === 0 && effects.after === undefined) return finish(result);
    return afterwards(deps, effects).then((answer) => finish(answer ?? result));
  });
}

/** What an operation wants done once it has ended. */
interface AfterEffects {
  about: { subject: string | null; detail: AuditDetail };
  repeated: boolean;
  outdatesKeys: boolean;
  notes: ((tx: Db) => Promise<void>)[];
  after: ((outside: StepContext) => Promise<Record<string, unknown>>) | undefined;
}

/** Notes what was seen, and does outside what was claimed; what that gives is the answer. */
async function afterwards(
  deps: Deps,
  { notes, after }: AfterEffects,
): Promise<Record<string, unknown> | undefined> {
  const inTransaction = transactionsOf(deps.pool);
  for (const note of notes) await inTransaction(note);
  return after?.({ deps, inTransaction });
}

/** Ends the transaction of a dry run: all that was done in it is undone. */
class Checked extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('A dry run is undone.');
    this.answer = answer;
  }
}

/** Checks a write without doing it: no idempotency key is used, nothing is stored, and nobody outside hears of it. */
async function checkWrite(
  deps: Deps,
  operation: Operation,
  accepted: Accepted,
  counts: readonly Ceiling[] = [],
): Promise<Answer> {
  const { call, input, warnings, now, headers } = accepted;
  await takeKind(deps, { ...operation, effect: 'read', counts }, accepted, deps.pool, 'calls');
  return withinQuota(deps, call.actor, now, async () => {
    warnings.push(...(await vetReceivers(deps, operation, input)));
    try {
      return await transactionsOf(deps.pool)(async (tx) => {
        await checkRequirements(operation, call.actor, tx);
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

async function write(deps: Deps, operation: Operation, accepted: Accepted): Promise<Answer> {
  const { call, input, warnings } = accepted;
  const repeat = operation.knowsRepetitions ? undefined : idempotentCall(deps, operation, call, input);
  await takeKind(deps, operation, accepted, deps.pool, 'calls');
  warnings.push(...(await vetReceivers(deps, operation, input)));
  const made: { effects?: AfterEffects } = {};
  const answer = await transactionsOf(deps.pool)((tx) =>
    writeOnce(deps, operation, accepted, { tx, repeat, made }),
  ).catch(async (thrown: unknown) => {
    // What was refused is undone; what the caller has seen with it is not.
    if (thrown instanceof AppError && made.effects !== undefined)
      await afterwards(deps, { ...made.effects, after: undefined });
    throw thrown;
  });
  if (made.effects === undefined) return answer;
  if (made.effects.outdatesKeys) await deps.lease.lapsed();
  const last = await afterwards(deps, made.effects);
  return last === undefined ? answer : { ...answer, prepared: prepare(deps, operation, last, warnings) };
}

interface Writing {
  tx: Db;
  repeat: IdempotentCall | undefined;
  made: { effects?: AfterEffects };
}

/** What happens inside the transaction of a write: all of it stands, or nothing. */
async function writeOnce(
  deps: Deps,
  operation: Operation,
  accepted: Accepted,
  { tx, repeat, made }: Writing,
): Promise<Answer> {
  const { call, input, warnings, hidden, now, headers } = accepted;
  const stored = repeat && (await findStoredAnswer(tx, repeat, now));
  if (stored !== undefined) return storedAnswer(operation, stored);
  // Sent one behind the other: where a requirement does not hold, what was taken is undone with the rest.
  await allHold([
    checkRequirements(operation, call.actor, tx),
    takeKind(deps, operation, accepted, tx, 'done'),
  ]);
  const { ctx, effects } = context(deps, accepted, tx);
  made.effects = effects;
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

function storedAnswer(operation: Operation, stored: { status: number; json: string }): Answer {
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
  // A tool has no headers: where it takes a key among its arguments, that one counts.
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
    outdatesKeys: false,
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
    outdatesKeys: () => (effects.outdatesKeys = true),
    afterCommit: (work) => (effects.after = work),
    note: (work) => effects.notes.push(work),
    audit: (subject, detail = {}) => (effects.about = { subject, detail }),
  };
  return { ctx, effects };
}
