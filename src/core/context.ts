import type { AuditDetail } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Db, InTransaction, Pool } from './postgres/db.ts';
import type { NewId } from './ids.ts';
import type { Log } from './log.ts';
import type { AddressGroup } from './text/address-group.ts';

/** Process-wide dependencies, built once in app.ts. Modules add their own by merging into this interface. */
export interface Deps {
  pool: Pool;
  /** Reads only. While there is no primary, its single statements wait for the next one. */
  readPool: Pool;
  /** The same for what everybody may see: while there is no primary, a standby answers. */
  publicReads: Pool;
  /** Transactions that may wait for somebody outside. They leave half of the connections to the others. */
  outside: InTransaction;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Set when the node is stopping: it still answers, but sends load balancers and clients elsewhere. */
  stopping: {
    draining: boolean;
    /** Set shortly before the listener closes: proxies must switch nodes before they lose a request here. */
    turningAway: boolean;
  };
}

export type Surface = 'agent' | 'partner' | 'concierge' | 'reserve';

/** Scopes of an OAuth token; each belongs to the endpoint of one surface. */
export type Scope = 'read' | 'write' | 'partner.read' | 'bookings';

/** The caller. An anonymous one is identified by the address of the request. */
export type Actor =
  | { kind: 'anonymous'; address: AddressGroup }
  | {
      kind: 'agent';
      id: string;
      plan: 'free' | 'starter' | 'growth' | 'scale';
      address: AddressGroup;
      /** Hash of the key that was sent; undefined when the credential was not a key. */
      keyHash?: Buffer;
      /** Scopes granted to an OAuth token; absent for a key, which may do everything. */
      scopes?: readonly Scope[];
    }
  | {
      kind: 'partner';
      id: string;
      plan: 'free' | 'partner' | 'directory' | 'concierge' | 'platform';
      /** Monthly limit for overage charges; null means that calls beyond the allowance are refused. */
      spendLimitCents: number | null;
      bookingsEnabled: boolean;
      /** Bookings from before this moment are not visible to this key; null means that all are. */
      bookingsFrom: Date | null;
      address: AddressGroup;
      keyHash?: Buffer;
      scopes?: readonly Scope[];
      /** Set when many unrelated people use the account: only a caller with the id of a booking may read it. */
      shared?: true;
      /** Set when no key was sent and the settings let everybody call in this partner's name. */
      unkeyed?: true;
    };

/** The dependencies available to an operation: no database handle but its own, and no access to the outside. */
export type OperationDeps = Pick<
  Deps,
  | 'clock'
  | 'config'
  | 'destinations'
  | 'feedRecords'
  | 'log'
  | 'meter'
  | 'newId'
  | 'photoStorage'
  | 'places'
  | 'secrets'
>;

/** Context of one request. In a write, `db` is the transaction and the only handle; in a read, `db` is read-only. */
export interface Ctx {
  deps: OperationDeps;
  actor: Actor;
  db: Db;
  now: Date;
  newId: NewId;
  log: Log;
  headers: Record<string, string>;
  /** The Idempotency-Key of a write, for operations that remember it longer than the runner does. */
  idempotencyKey?: string | undefined;
  /** Marks a write whose work was done by an earlier call: the response is 200 and marked as a repetition. */
  repeated: () => void;
  /** Marks a write that changed cached key data: its response waits until no node uses the old data any more. */
  invalidateKeyCaches: () => void;
  /** Runs work after the commit; its result becomes the response. Such a write must detect its repetitions itself. */
  afterCommit: (work: (outside: StepContext) => Promise<Record<string, unknown>>) => void;
  /** Records something besides the main data, such as a price shown, after a read or a refused write. */
  note: (work: (tx: Db) => Promise<void>) => void;
  /** Sets the subject of a write for the audit entry that the runner writes in any case. */
  audit: (subject: string, detail?: AuditDetail) => void;
}

/** Context of a step that was claimed and committed: it may call the outside world, and then records the result. */
export interface StepContext {
  deps: Deps;
  inTransaction: InTransaction;
}

/** Returns the id of the caller's account, or its address when there is none. */
export function actorName(actor: Actor): string {
  return actor.kind === 'anonymous' ? `address:${actor.address}` : actor.id;
}
