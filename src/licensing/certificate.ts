import type { Db } from '../core/postgres/db.ts';
import type { Use } from './use.ts';

/** Public data of a licence: who may use which photo for what. It does not include the price. */
export interface Certificate {
  id: string;
  photo_id: string;
  agent_name: string;
  operator_name: string;
  use: Use;
  test: boolean;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
  attribution_line: string;
  licensed_at: Date;
  expires_at: Date | null;
  refunded_at: Date | null;
  month: string;
  place_id: string | null;
  place_name: string | null;
  city: string | null;
  destination_id: string | null;
  shown: boolean;
}

const LICENCE_ID = /^lic_[0-9a-z]{26}$/;

export async function findCertificate(db: Db, id: string): Promise<Certificate | undefined> {
  if (!LICENCE_ID.test(id)) return undefined;
  const [certificate] = await db<Certificate[]>`
    select l.id, l.photo_id, a.agent_name, a.operator_name, l.use, l.test, encode(l.sha256, 'hex') as sha256, p.bytes,
           p.width, p.height, l.attribution_line, l.licensed_at, l.expires_at, l.refunded_at, p.month,
           s.id as place_id, s.name as place_name, s.city, s.destination_id,
           p.state in ('approved', 'live', 'ended') as shown
    from photo_licence l join agent a on a.id = l.agent_id join photo p on p.id = l.photo_id
    left join place s on s.id = p.place_id where l.id = ${id}`;
  return certificate;
}

export type LicenceStatus = 'valid' | 'test' | 'ended' | 'refunded';

/** Status of the licence at a moment. One that was paid with test credit gives no right. */
export function licenceStatus({ test, expires_at, refunded_at }: Certificate, now: Date): LicenceStatus {
  if (refunded_at !== null) return 'refunded';
  if (expires_at !== null && expires_at <= now) return 'ended';
  return test ? 'test' : 'valid';
}

/** True when a file of this hash is the licensed one; undefined when the text is not a SHA-256. */
export function matchesFile({ sha256 }: Certificate, sent: string): boolean | undefined {
  const hash = sent.replaceAll(/\s/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash === sha256 : undefined;
}
