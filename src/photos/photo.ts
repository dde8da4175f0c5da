import type { Db } from '../core/postgres/db.ts';
import { HOUR_MS } from '../core/time.ts';

type PhotoState =
  'processing' | 'refused' | 'to_check' | 'approved' | 'rejected' | 'live' | 'ended' | 'withdrawn';

export const DROP_MS = 72 * HOUR_MS;
export const DROP_CAP_MAX = 100;
export const CAPTION_MAX = 200;
/** Equals the daily spend limit of an agent: a photo that costs more could never be licensed. */
export const PRICE_MAX_CENTS = 5_000;
export const PHOTO_ID = /^pho_[0-9a-hjkmnp-tv-z]{26}$/;

type PhotoMover = 'pipeline' | 'checker' | 'photographer' | 'clock';

/** States from which each mover may move a photo. The database requires a person's decision in photo_check. */
const MOVES: Readonly<Record<PhotoMover, Partial<Record<PhotoState, readonly PhotoState[]>>>> = {
  pipeline: { to_check: ['processing'], refused: ['processing'] },
  checker: { approved: ['to_check'], rejected: ['to_check'], withdrawn: ['approved', 'live', 'ended'] },
  photographer: {
    live: ['approved', 'ended'],
    withdrawn: ['processing', 'to_check', 'approved', 'live', 'ended'],
  },
  clock: { ended: ['live'] },
};

export function mayMovePhoto(from: PhotoState, to: PhotoState, by: PhotoMover): boolean {
  return MOVES[by][to]?.includes(from) === true;
}

/** The only function that sets the state of a photo. False when its current state does not allow it. */
export async function movePhoto(
  db: Db,
  photoId: string,
  move: { to: PhotoState; by: PhotoMover; now: Date; set?: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const from = MOVES[move.by][move.to] ?? [];
  const columns: Record<string, unknown> = { ...move.set, state: move.to, updated_at: move.now };
  const moved = await db`
    update photo set ${db(columns)}
    where id = ${photoId} and state = any(${[...from]}) returning id`;
  return moved.length === 1;
}

export interface Photo {
  id: string;
  member_id: string;
  place_id: string | null;
  state: PhotoState;
  refusal: string | null;
  caption: string;
  month: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  price_social: number | null;
  price_web: number | null;
  price_ad: number | null;
  price_ai_training: number | null;
  drop_cap: number;
  drop_number: number;
  sold: number;
  live_at: Date | null;
  ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
  has_files: boolean;
}

export const PHOTO_SQL = `
  f.id, f.member_id, f.place_id, f.state, f.refusal, f.caption, f.month, f.width, f.height, f.bytes, f.price_social,
  f.price_web, f.price_ad, f.price_ai_training, f.drop_cap, f.drop_number, f.sold, f.live_at, f.ends_at, f.created_at,
  f.updated_at, f.has_files`;

export async function findPhoto(db: Db, photoId: string): Promise<Photo | undefined> {
  if (!PHOTO_ID.test(photoId)) return undefined;
  const [photo] = await db.unsafe<Photo[]>(`select ${PHOTO_SQL} from photo f where f.id = $1`, [photoId]);
  return photo;
}

/** A drop is over from the moment it expires, even before the job moves the photo to `ended`. */
export function isDropRunning({ state, ends_at }: Pick<Photo, 'state' | 'ends_at'>, now: Date): boolean {
  return state === 'live' && ends_at !== null && ends_at > now;
}

/** True when the photo is public: a person has approved it and it was not withdrawn. */
export function isShown({ state }: Pick<Photo, 'state'>): boolean {
  return state === 'approved' || state === 'live' || state === 'ended';
}
