import type { AuditDetail } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Db, InTransaction, Pool } from './postgres/db.ts';
import type { NewId } from './ids.ts';
import type { Log } from './log.ts';
import type { AddressGroup } from './text/address-group.ts';

/**
 * What the process has, built once in app.ts. A domain module adds its own process-wide dependency by merging
 * into this interface beside its definition, so that core needs to know none of them.
 */
export interface Deps {
  pool: Pool;
  /** Connections on which nothing can be written: all that a read gets. */
  readPool: Pool;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Set when the node was told to stop: it still answers, and has balancers and clients go elsewhere. */
  stopping: {
    draining: boolean;
    /** Soon after that nobody listens here any more: a proxy must go elsewhere before it finds out by a lost request. */
    turningAway: boolean;
  };
}

export type Surface = 'agent' | 'partner' | 'concierge' | 'reserve';

/** What a token of OAuth may be granted; each belongs to the endpoint of one surface. */
export type Scope = 'read' | 'write' | 'partner.read' | 'bookings';

/** Who calls. An anonymous caller is known by where the request came from. */
export type Actor =
  | { kind: 'anonymous'; address: AddressGroup }
  | {
      kind: 'agent';
      id: string;
      plan: 'free' | 'starter' | 'growth' | 'scale';
      address: AddressGroup;
      /** The key that was sent, by its hash; undefined when the credential was none. */
      keyHash?: Buffer;
      /** What a token of OAuth was granted; absent for a key, which may do everything. */
      scopes?: readonly Scope[];
    }
  | {
      kind: 'partner';
      id: string;
      plan: 'free' | 'partner' | 'directory' | 'concierge' | 'platform';
      /** What it agreed to pay in a month for calls past its allowance; null: they are refused. */
      spendLimitCents: number | null;
      /** Whether a person has switched table requests on. */
      bookingsEnabled: boolean;
      /** Bookings from before this moment are not this key's to see; null: all are. */
      bookingsFrom: Date | null;
      address: AddressGroup;
      /** The key that was sent, by its hash; undefined when the credential was none. */
      keyHash?: Buffer;
      /** What a token of OAuth was granted; absent for a key, which may do everything. */
      scopes?: readonly Scope[];
      /** Many people who do not know each other ask in its name: only who has the id of a booking may hear of it. */
      shared?: true;
      /** Nobody sent its key: a stranger asks in its name, because the settings let everybody do so. */
      unkeyed?: true;
    };

/** What an operation may use of the process: no handle but its own, and no way to the world outside. */
export type OperationDeps = Omit<
  Deps,
  'pool' | 'readPool' | 'egress' | 'mail' | 'twilio' | 'stripe' | 'outgoing' | 'outbound'
>;

/** What one request has. In a write, `db` is the transaction: there is no other handle to misuse. A read's cannot write. */
export interface Ctx {
  deps: OperationDeps;
  actor: Actor;
  db: Db;
  now: Date;
  newId: NewId;
  log: Log;
  /** Headers that go with the answer, such as what is left below a ceiling. */
  headers: Record<string, string>;
  /** The Idempotency-Key that came with a write, for what remembers it longer than the runner does. */
  idempotencyKey?: string | undefined;
  /** Says that a write found its work done by an earlier call: the answer is 200 and marked as a repetition. */
  repeated: () => void;
  /** Says that a write has changed what nodes know of a key: its answer waits until none goes by that any more. */
  outdatesKeys: () => void;
  /**
   * Has something done outside once the write has committed, such as a step that it claimed; what that gives is the answer.
   * A write that does this finds its repetitions itself (knowsRepetitions).
   */
  afterCommit: (work: (outside: StepContext) => Promise<Record<string, unknown>>) => void;
  /** Has something noted beside the record, such as a price that was seen: after a read, and after a write that was refused. */
  note: (work: (tx: Db) => Promise<void>) => void;
  /** Names what a write was about; the runner puts it into the audit row that it writes in any case. */
  audit: (subject: string, detail?: AuditDetail) => void;
}

/** What a step has that was claimed and committed: it may reach the world outside, and then notes what came of it. */
export interface StepContext {
  deps: Deps;
  inTransaction: InTransaction;
}

/** The account behind a caller, or its address when there is none. */
export function actorName(actor: Actor): string {
  return actor.kind === 'anonymous' ? `address:${actor.address}` : actor.id;
}
